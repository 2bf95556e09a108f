import { parentPort, workerData } from 'node:worker_threads';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { speakLocale } from '#server/words/speak-locale.ts';
import { ASKED, type DebugInput } from './dap-options.ts';
import { DebugSession } from './session.ts';

/** The thread that evaluates a program and goes through its derivation. */
const port = parentPort;
if (port === null) throw new Error('this is no thread');

speakLocale();
const { options, control } = workerData as DebugInput;
const asked = new Int32Array(control);
const session = new DebugSession(options, {
    send: message => port.postMessage(message),
    isStopped: () => Atomics.load(asked, ASKED.stop) === 1,
    takePause: () => Atomics.exchange(asked, ASKED.pause, 0) === 1,
    goOn: () => Atomics.store(asked, ASKED.stop, 0),
});
let before: Promise<void> = Promise.resolve();
port.on('message', (request: DebugProtocol.Request) => {
    before = before.then(() => session.handle(request));
});
