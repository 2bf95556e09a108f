import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, type Pseudoterminal } from 'vscode';
import type { StartedCommand } from './command-line.ts';

const CONTROL_C = '\u0003';
/** Asks a terminal how it is, which it answers when it has drawn everything before. */
const ASKED = '\u001B[5n';
const ANSWERED = '\u001B[0n';
/** Milliseconds after which a terminal that answers nothing, however busy the machine, is taken for one that never will. */
const PATIENCE = 60_000;

/**
 * A terminal that shows what a process writes; it ends with the terminal, and by Ctrl+C. It is open until everything is drawn: problem
 * matchers read no lines that are drawn later.
 */
export function processTerminal({ file, before, env }: StartedCommand, args: readonly string[], cwd: string | undefined): Pseudoterminal {
    const written = new EventEmitter<string>();
    const ended = new EventEmitter<number>();
    let child: ChildProcess | undefined;
    let drawn = (): void => undefined;
    const stop = (): void => void child?.kill();
    const end = (code: number): void => {
        const late = setTimeout(() => drawn(), PATIENCE);
        drawn = () => {
            clearTimeout(late);
            drawn = () => undefined;
            ended.fire(code);
        };
        written.fire(ASKED);
    };
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
            started.once('close', code => end(code ?? 1));
            child = started;
        },
        close: stop,
        handleInput(text) {
            if (text === CONTROL_C) stop();
            if (text.includes(ANSWERED)) drawn();
        },
    };
}
