import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, type Pseudoterminal } from 'vscode';
import type { StartedCommand } from './command-line.ts';

const CONTROL_C = '\u0003';
/** Milliseconds from the end of a process to that of its terminal: problem matchers read no lines that are drawn later. */
const DRAWING = 300;

/** A terminal that shows what a process writes; it ends with the terminal, and by Ctrl+C. */
export function processTerminal({ file, before, env }: StartedCommand, args: readonly string[], cwd: string | undefined): Pseudoterminal {
    const written = new EventEmitter<string>();
    const ended = new EventEmitter<number>();
    let child: ChildProcess | undefined;
    const stop = (): void => void child?.kill();
    return {
        onDidWrite: written.event,
        onDidClose: ended.event,
        open() {
            const started = spawn(file, [...before, ...args], {
                ...(cwd !== undefined && { cwd }),
                env: { ...process.env, ...env },
                stdio: ['ignore', 'pipe', 'pipe'],
            });
            for (const stream of [started.stdout, started.stderr])
                stream.setEncoding('utf8').on('data', (text: string) => written.fire(text.replaceAll(/\r?\n/gu, '\r\n')));
            started.once('error', ({ message }) => written.fire(`${message}\r\n`));
            started.once('close', code => setTimeout(() => ended.fire(code ?? 1), DRAWING));
            child = started;
        },
        close: stop,
        handleInput(text) {
            if (text === CONTROL_C) stop();
        },
    };
}
