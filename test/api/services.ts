import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { CLI, ended, folderWith } from '../cli/command-line.ts';

/** The three services as a process of its own, in a folder of its own. */
export interface Services {
    readonly folder: string;
    readonly data: string;
    readonly base: string;
    readonly engine: string;
    readonly chat: string;
    readonly token: string;
    readonly process: ChildProcess;
    /** Everything it wrote to its log so far. */
    log(): string;
    /** Ends it as Ctrl-C does, and gives its exit code. */
    stop(): Promise<number | null>;
}

export interface Answered {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
    /** The body, where it is JSON. */
    readonly body: Body;
}

export interface Body {
    readonly status?: unknown;
    readonly message?: string;
    readonly code?: string;
    readonly data?: unknown;
    readonly details?: { readonly fields?: readonly { readonly path: string; readonly issue: string }[] } & Record<string, unknown>;
    readonly [key: string]: unknown;
}

/** The command that serves a data directory at free ports. */
export function serveArguments(data: string): string[] {
    return ['serve', '--data-dir', data, '--port', '0', '--engine-port', '0', '--chat-port', '0'];
}

/** What is started: the built command line, or an installed one. */
export interface Program {
    readonly file: string;
    readonly before: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
}

export async function startServices(
    files: Readonly<Record<string, string | Uint8Array>> = {},
    args: readonly string[] = [],
    { file, before, env }: Program = { file: process.execPath, before: [CLI] },
): Promise<Services> {
    const folder = folderWith({ 'readme.txt': 'here', ...files });
    const data = join(folder, '..', `${folder.split('/').at(-1)}-data`);
    const child = spawn(file, [...before, ...serveArguments(data), ...args], { cwd: folder, env: { ...process.env, ...env } });
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log += text;
    });
    const whole = ended(child);
    await new Promise<void>((resolve, reject) => {
        child.stdout?.once('data', () => resolve());
        child.once('close', () => reject(new Error(`serve ended: ${log}`)));
    });
    const endpoints = JSON.parse(fs.readFileSync(join(data, 'endpoints.json'), 'utf8'));
    return {
        folder,
        data,
        base: endpoints.base_url,
        engine: endpoints.engine_url,
        chat: endpoints.chat_url,
        token: fs.readFileSync(join(data, 'auth/token'), 'utf8').trim(),
        process: child,
        log: () => log,
        stop: async () => {
            child.kill('SIGINT');
            return (await whole).code;
        },
    };
}

export async function answered(response: Response): Promise<Answered> {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}

/** Sends bytes as they are and gives everything that comes back until the end of the connection, or for a while. */
export function rawRequest(url: string, bytes: string | Uint8Array, options: { readonly host?: string } = {}): Promise<string> {
    const { port } = new URL(url);
    return new Promise((resolve, reject) => {
        const socket = net.connect({ host: options.host ?? '127.0.0.1', port: Number(port) }, () => socket.write(bytes));
        let text = '';
        socket.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
        });
        socket.on('error', error => (text === '' ? reject(error) : resolve(text)));
        socket.on('close', () => resolve(text));
    });
}

/** The JSON body of a raw answer. */
export function bodyOf(raw: string): Body {
    const at = raw.indexOf('\r\n\r\n');
    const text = raw.slice(at + 4);
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

export function statusOf(raw: string): number {
    return Number(/^HTTP\/1\.1 (\d{3})/u.exec(raw)?.[1]);
}
