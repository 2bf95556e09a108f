import { type ChildProcess, fork } from 'node:child_process';
import { say } from '#language/program/say.ts';
import { processEnvironment } from '#server/processes/child-processes.ts';
import { LAST, yieldProcess } from '#server/processes/yield-priority.ts';
import { ToolError } from './tool-error.ts';

/** Does a command of the command line in a process of its own, which may be ended, or die, without harm to anybody else. */
export type Commands = (args: readonly string[], how: CommandOptions) => Promise<CommandEnd>;

export interface CommandOptions {
    readonly folder: string;
    /** Standard input. */
    readonly input?: string;
    /** Ends the process. */
    readonly signal: AbortSignal;
}

export interface CommandEnd {
    readonly exitCode: number;
    /** Standard output and standard error. */
    readonly output: string;
    readonly errors: string;
}

export interface CommandSettings {
    /** Environment variables that commands may read beside those of the system. */
    readonly secrets: readonly string[];
    /** Commands at a time; others wait. */
    readonly parallel: number;
}

/** Characters of an output at most; the command is ended at the next. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Commands that wait at most. */
const MOST_WAITING = 64;
const FAILED = 1;

/** Commands that may wait are at most so many: a `ToolError` says that another may be accepted in a second. */
export function commandProcesses({ secrets, parallel }: CommandSettings): Commands {
    let running = 0;
    const waiting: (() => void)[] = [];
    const turn = async (): Promise<void> => {
        if (running < parallel) running++;
        else if (waiting.length < MOST_WAITING) await new Promise<void>(resolve => void waiting.push(resolve));
        else throw new ToolError('engine_busy', say`Too many commands are waiting; try again in a second`);
    };
    const leave = (): void => {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
    };
    return async (args, how) => {
        await turn();
        try {
            return await command(args, how, secrets);
        } finally {
            leave();
        }
    };
}

function command(args: readonly string[], { folder, input = '', signal }: CommandOptions, secrets: readonly string[]): Promise<CommandEnd> {
    signal.throwIfAborted();
    const child = fork(new URL('./cli.js', import.meta.url), [...args], {
        cwd: folder,
        env: processEnvironment(secrets),
        execArgv: ['--disable-proto=delete'],
        stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    if (child.pid !== undefined) yieldProcess(child.pid, LAST);
    const end = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', end);
    // A command that reads no input may have ended before it is sent.
    child.stdin?.on('error', () => undefined).end(input);
    const [output, errors] = [collected(child, child.stdout), collected(child, child.stderr)];
    return new Promise<CommandEnd>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', code => {
            if (signal.aborted) reject(signal.reason);
            else resolve({ exitCode: code ?? FAILED, output: output(), errors: errors() });
        });
    }).finally(() => signal.removeEventListener('abort', end));
}

/** Collects the text of a stream. The process is ended if it writes more than a limit. */
function collected(child: ChildProcess, stream: ChildProcess['stdout']): () => string {
    const pieces: string[] = [];
    let length = 0;
    stream?.setEncoding('utf8').on('data', (piece: string) => {
        if (length <= MOST_OUTPUT) pieces.push(piece);
        length += piece.length;
        if (length > MOST_OUTPUT) child.kill('SIGKILL');
    });
    return () => {
        const text = pieces.join('');
        return length > MOST_OUTPUT ? `${text.slice(0, MOST_OUTPUT)}\n${say`…; the rest is left out: ask for fewer rows`}\n` : text;
    };
}
