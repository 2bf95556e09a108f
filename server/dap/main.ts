import { Worker } from 'node:worker_threads';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { type Message, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { ASKED, ASKED_WORDS, type DapOptions, type DebugInput } from './dap-options.ts';

type Sent = DebugProtocol.Response | DebugProtocol.Event;

const STACK_MEGABYTES = 16;
const FINE = 0;
const DEFECT = 3;

/**
 * Serves one client over standard input and output, until it goes. Programs are evaluated in a thread, so that a client can end what
 * takes long; this one answers what has to be heard at once.
 */
export async function serveDap(options: DapOptions): Promise<number> {
    const control = new Int32Array(new SharedArrayBuffer(ASKED_WORDS * Int32Array.BYTES_PER_ELEMENT));
    const writer = new StreamMessageWriter(process.stdout);
    const reader = new StreamMessageReader(process.stdin);
    let seq = 0;
    const send = (message: Sent): Promise<void> => writer.write({ ...message, seq: ++seq } as unknown as Message);
    const answer = ({ seq: request_seq, command }: DebugProtocol.Request): Promise<void> =>
        send({ seq: 0, type: 'response', request_seq, command, success: true });

    const workerData: DebugInput = { options, control: control.buffer as SharedArrayBuffer };
    const thread = new Worker(new URL('./debug-thread.mjs', import.meta.url), {
        workerData,
        resourceLimits: { stackSizeMb: STACK_MEGABYTES },
    });
    thread.on('message', (message: Sent) => void send(message));

    return await new Promise<number>(resolve => {
        const end = async (exitCode: number): Promise<void> => {
            await thread.terminate();
            reader.dispose();
            process.stdin.destroy();
            resolve(exitCode);
        };
        let hasEnded = false;
        thread.on('error', error => {
            hasEnded = true;
            process.stderr.write(`${error.stack ?? error.message}\n`);
            void send({ seq: 0, type: 'event', event: 'terminated' }).then(() => end(DEFECT));
        });
        reader.onClose(() => void end(FINE));
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end(FINE));
        reader.listen(message => {
            const request = message as unknown as DebugProtocol.Request;
            switch (request.command) {
                case 'disconnect':
                    void answer(request).then(() => end(FINE));
                    return;
                case 'terminate': {
                    const tellEnd = hasEnded ? [] : [send({ seq: 0, type: 'event', event: 'terminated' } as Sent)];
                    hasEnded = true;
                    void Promise.all([answer(request), thread.terminate(), ...tellEnd]);
                    return;
                }
                case 'restart':
                    Atomics.store(control, ASKED.stop, 1);
                    break;
                case 'pause':
                    Atomics.store(control, ASKED.pause, 1);
                    break;
            }
            thread.postMessage(request);
        });
    });
}
