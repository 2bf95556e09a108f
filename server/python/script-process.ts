import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { holdMore, processTree } from '#server/processes/process-tree.ts';
import { FrameReader, frameOf, NoFrame } from './frames.ts';
import { runnerText } from './runner-text.ts';
import type { ScriptFolders } from './script-folders.ts';

/** Limits of a script. */
export interface ScriptLimits {
    /** Bytes of address space of each of its processes, and of memory of all of them together. */
    readonly memory: number;
    readonly processes: number;
    /** Bytes of a file that it writes. */
    readonly fileSize: number;
    readonly seconds: number;
}

export interface ScriptRequest {
    readonly script: string;
    readonly scripts: Readonly<Record<string, { readonly text: string; readonly file: string; readonly path?: string | undefined }>>;
    readonly columns: readonly string[];
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly network: boolean;
    readonly folders: Pick<ScriptFolders, 'start' | 'shown' | 'closed'>;
    readonly limits: ScriptLimits;
}

export interface ScriptHost {
    /** Hears of every frame, in order. What it throws ends the process. */
    readonly hear: (frame: unknown) => void;
    /** Called often; what it throws ends the process. */
    readonly checkpoint: () => void;
}

/** How a process ended that said no last word. */
export type ScriptEnd =
    | { readonly kind: 'finished' }
    | { readonly kind: 'unstarted'; readonly reason: string }
    /** The process ended by itself, or another process ended it. */
    | { readonly kind: 'gone'; readonly code: number | null }
    | { readonly kind: 'limit'; readonly limit: 'time' | 'memory' | 'processes' }
    /** It wrote into the pipe of the results. */
    | { readonly kind: 'garbled' };

export interface EndedScript {
    readonly end: ScriptEnd;
    /** The end of its printed text, of both streams. */
    readonly printed: string;
}

/** Bytes of what a script prints that are kept. */
const KEPT_OUTPUT = 64 * 1024;
const LOOK_EVERY = 100;
/** Milliseconds that a process has to end with all that it has started, before it is killed. */
const GRACE = 500;

/**
 * Runs one script in a process group of its own, with nothing of our environment and a temporary folder of its own, which is gone afterwards.
 * `isLast` tells the frame after which nothing is awaited. The group ends when this process does.
 */
export async function runScriptProcess(
    interpreter: string,
    request: ScriptRequest,
    isLast: (frame: unknown) => boolean,
    host: ScriptHost,
): Promise<EndedScript> {
    const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rulelang-python-')));
    const [root, work] = [join(base, 'root'), join(base, 'work')];
    try {
        fs.mkdirSync(root);
        fs.mkdirSync(work);
        const { limits, folders, ...asked } = request;
        const { start, shown, closed } = folders;
        const message = { ...asked, ...limits, start, shown, closed, base, root, work, hidden: [homedir(), '/root', '/home'] };
        const child = spawn(interpreter, ['-I', '-B', '-X', 'utf8', '-c', runnerText()], {
            cwd: work,
            env: environmentOf(work),
            stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
            detached: process.platform !== 'win32',
            windowsHide: true,
        });
        return await new Conversation(child, isLast, host, limits).held(frameOf(message));
    } finally {
        fs.rmSync(base, { recursive: true, force: true, maxRetries: 3 });
    }
}

function environmentOf(home: string): NodeJS.ProcessEnv {
    const { PATH, SystemRoot, LANG = 'C.UTF-8' } = process.env;
    return {
        HOME: home,
        TMPDIR: home,
        TEMP: home,
        LANG,
        ...(PATH !== undefined && { PATH }),
        ...(SystemRoot !== undefined && { SystemRoot }),
    };
}

class Conversation {
    readonly #child: ChildProcess;
    readonly #limits: ScriptLimits;
    readonly #host: ScriptHost;
    #printed: Buffer[] = [];
    #printedBytes = 0;
    #settle: (end: ScriptEnd) => void = () => undefined;
    #fail: (error: unknown) => void = () => undefined;
    readonly #ended = new Promise<ScriptEnd>((resolve, reject) => {
        this.#settle = resolve;
        this.#fail = reject;
    });
    #isGone = false;
    #tellGone: () => void = () => undefined;
    readonly #gone = new Promise<void>(resolve => {
        this.#tellGone = resolve;
    });

    constructor(child: ChildProcess, isLast: (frame: unknown) => boolean, host: ScriptHost, limits: ScriptLimits) {
        this.#child = child;
        this.#limits = limits;
        this.#host = host;
        const results = child.stdio[3] as Readable;
        const reader = new FrameReader(frame => {
            host.hear(frame);
            if (isLast(frame)) this.#settle({ kind: 'finished' });
        });
        results.on('data', (piece: Buffer) => this.#orFail(() => reader.add(piece))).on('error', () => undefined);
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => this.#keep(piece));
        child.stdin?.on('error', () => undefined);
        child.on('error', error => {
            this.#settle({ kind: 'unstarted', reason: error.message });
            this.#leave();
        });
        child.on('exit', code => {
            this.#leave();
            // What it said before it went has come when all of its pipes are closed; something may hold them open.
            const end = (): void => this.#settle({ kind: 'gone', code });
            child.once('close', end);
            setTimeout(end, GRACE).unref();
        });
    }

    async held(message: Buffer): Promise<EndedScript> {
        const latest = performance.now() + this.#limits.seconds * 1000;
        const watch = setInterval(() => this.#orFail(() => this.#look(latest)), LOOK_EVERY);
        try {
            this.#child.stdin?.write(message);
            const end = await this.#ended;
            return { end, printed: Buffer.concat(this.#printed).subarray(-KEPT_OUTPUT).toString() };
        } finally {
            clearInterval(watch);
            await this.#close();
        }
    }

    #look(latest: number): void {
        this.#host.checkpoint();
        if (performance.now() > latest) this.#settle({ kind: 'limit', limit: 'time' });
        const { pid } = this.#child;
        if (pid === undefined || this.#isGone) return;
        const tree = processTree(pid);
        if (tree.length > this.#limits.processes) this.#settle({ kind: 'limit', limit: 'processes' });
        else if (holdMore(tree, this.#limits.memory)) this.#settle({ kind: 'limit', limit: 'memory' });
    }

    #orFail(action: () => void): void {
        try {
            action();
        } catch (error) {
            if (error instanceof NoFrame) this.#settle({ kind: 'garbled' });
            else this.#fail(error);
        }
    }

    #keep(piece: Buffer): void {
        this.#printed.push(piece);
        this.#printedBytes += piece.length;
        if (this.#printedBytes < 2 * KEPT_OUTPUT) return;
        this.#printed = [Buffer.concat(this.#printed).subarray(-KEPT_OUTPUT)];
        this.#printedBytes = KEPT_OUTPUT;
    }

    #leave(): void {
        this.#isGone = true;
        this.#tellGone();
    }

    /** Closes the streams: at the end of its input the process ends all that it has started. Kills it after `GRACE`. */
    async #close(): Promise<void> {
        for (const stream of this.#child.stdio) (stream as Readable | Writable | null)?.destroy();
        const late = setTimeout(() => this.#kill(), GRACE);
        await this.#gone;
        clearTimeout(late);
        this.#kill();
    }

    /** Kills the rest of the group. */
    #kill(): void {
        const { pid } = this.#child;
        if (pid === undefined) return;
        try {
            if (process.platform === 'win32') this.#child.kill('SIGKILL');
            else process.kill(-pid, 'SIGKILL');
        } catch {
            // It is gone already.
        }
    }
}
