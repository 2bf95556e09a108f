import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { InitializationOptions } from '#server/protocol/runs.ts';
import { awaited } from '../support/until.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const LSP = fileURLToPath(new URL('../../dist/lsp.mjs', import.meta.url));

export interface Message {
    readonly id?: number;
    readonly method?: string;
    // biome-ignore lint/suspicious/noExplicitAny: the wire is JSON, and each test knows what it asked.
    readonly params?: any;
    // biome-ignore lint/suspicious/noExplicitAny: the same.
    readonly result?: any;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The answer to a request that failed. */
export class RequestError extends Error {
    readonly code: number;
    readonly data: unknown;

    constructor({ code, message, data }: NonNullable<Message['error']>) {
        super(message);
        this.code = code;
        this.data = data;
    }
}

export interface ClientOptions {
    readonly capabilities?: object;
    readonly trusted?: boolean;
    readonly lenses?: boolean;
    readonly limits?: { readonly maxMemory?: number; readonly timeout?: number };
    readonly python?: { readonly enabled: boolean; readonly network: boolean };
    readonly allowNet?: readonly string[];
    readonly secrets?: readonly string[];
    readonly model?: InitializationOptions['model'];
    /** Files of the workspace, by name. */
    readonly files?: Readonly<Record<string, string>>;
    readonly folders?: readonly string[];
    /** How the server is started. */
    readonly door?: 'command line' | 'entry' | 'ipc';
    /** A command line other than the built one, such as an installed one. */
    readonly command?: string;
    /** Further variables of the server. */
    readonly environment?: Readonly<Record<string, string>>;
    /** Whether the client can show what the server asks it to. */
    readonly shows?: boolean;
    /** Whether its user takes the first answer to every question. */
    readonly agrees?: boolean;
}

/** A client of the built language server, with a workspace folder of its own. */
export class LanguageClient {
    readonly folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rulelang-lsp-')));
    readonly received: Message[] = [];
    readonly log: string[] = [];
    readonly #child: ChildProcess;
    readonly #usesIpc: boolean;
    readonly #shows: boolean;
    readonly #agrees: boolean;
    readonly #waiting = new Map<number, (message: Message) => void>();
    readonly #listeners = new Set<(message: Message) => void>();
    readonly exited: Promise<number | null>;
    #bytes = Buffer.alloc(0);
    #lastId = 0;
    initialized: Message['result'];

    static async start(options: ClientOptions = {}): Promise<LanguageClient> {
        const client = new LanguageClient(options);
        const folders = options.folders ?? [pathToFileURL(client.folder).href];
        client.initialized = await client.request('initialize', {
            processId: null,
            rootUri: null,
            capabilities: options.capabilities ?? {},
            workspaceFolders: folders.map(uri => ({ uri, name: 'workspace' })),
            initializationOptions: {
                trusted: options.trusted ?? false,
                ...(options.lenses === undefined ? {} : { lenses: options.lenses }),
                ...(options.limits === undefined ? {} : { limits: options.limits }),
                ...(options.python === undefined ? {} : { python: options.python }),
                ...(options.allowNet === undefined ? {} : { allowNet: options.allowNet }),
                ...(options.secrets === undefined ? {} : { secrets: options.secrets }),
                ...(options.model === undefined ? {} : { model: options.model }),
            },
        });
        client.notify('initialized', {});
        return client;
    }

    constructor({ files = {}, door = 'entry', command, environment = {}, shows = false, agrees = false }: ClientOptions = {}) {
        this.#shows = shows;
        this.#agrees = agrees;
        for (const [name, text] of Object.entries(files)) {
            fs.mkdirSync(dirname(join(this.folder, name)), { recursive: true });
            fs.writeFileSync(join(this.folder, name), text);
        }
        const args = door === 'command line' ? [CLI, 'lsp', '--stdio'] : [LSP, door === 'ipc' ? '--node-ipc' : '--stdio'];
        this.#usesIpc = door === 'ipc';
        this.#child = spawn(command ?? process.execPath, command === undefined ? args : ['lsp', '--stdio'], {
            stdio: ['pipe', 'pipe', 'pipe', ...(this.#usesIpc ? (['ipc'] as const) : [])],
            env: { ...process.env, ...environment },
        });
        this.#child.on('message', message => this.#take(message as Message));
        this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
        this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.log.push(text));
        this.#child.stdin?.on('error', () => undefined);
        this.exited = new Promise(resolve => this.#child.on('exit', code => resolve(code)));
    }

    get pid(): number {
        return this.#child.pid ?? 0;
    }

    uri(name: string): string {
        return pathToFileURL(join(this.folder, name)).href;
    }

    /** Opens a document of the workspace and waits for its first diagnostics. */
    async open(name: string, text: string): Promise<Message['params']> {
        const uri = this.uri(name);
        const diagnosed = this.diagnostics(uri, 1);
        this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'rulelang', version: 1, text } });
        return await diagnosed;
    }

    diagnostics(uri: string, version: number): Promise<Message['params']> {
        return this.next('textDocument/publishDiagnostics', params => params.uri === uri && (params.version ?? 0) >= version);
    }

    /** The diagnostics of a document once they are as they should be, which may be those that came last. */
    // biome-ignore lint/suspicious/noExplicitAny: the wire is JSON, and each test knows what it waits for.
    async diagnosed(uri: string, condition: (params: any) => boolean): Promise<Message['params']> {
        const method = 'textDocument/publishDiagnostics';
        const last = this.received.findLast(message => message.method === method && message.params.uri === uri)?.params;
        return last !== undefined && condition(last) ? last : await this.next(method, params => params.uri === uri && condition(params));
    }

    // biome-ignore lint/suspicious/noExplicitAny: the wire is JSON, and each test knows what it asked.
    async request(method: string, params?: object): Promise<any> {
        const { answer } = this.ask(method, params);
        const { result, error } = await answer;
        if (error !== undefined) throw new RequestError(error);
        return result;
    }

    /** Sends a request, and gives its number and the message that answers it. */
    ask(method: string, params?: object): { readonly id: number; readonly answer: Promise<Message> } {
        const id = ++this.#lastId;
        const answer = this.#awaited(new Promise<Message>(resolve => this.#waiting.set(id, resolve)), `an answer to ${method}`);
        this.#write({ id, method, params });
        return { id, answer };
    }

    notify(method: string, params: object): void {
        this.#write({ method, params });
    }

    /** The parameters of the next notification that fits. */
    // biome-ignore lint/suspicious/noExplicitAny: the wire is JSON, and each test knows what it waits for.
    next(method: string, fits: (params: any) => boolean = () => true): Promise<any> {
        const found = new Promise<Message['params']>(resolve => {
            const listener = (message: Message): void => {
                if (message.method !== method || !fits(message.params)) return;
                this.#listeners.delete(listener);
                resolve(message.params);
            };
            this.#listeners.add(listener);
        });
        return this.#awaited(found, method);
    }

    /** Bytes that are no message. */
    writeRaw(text: string): void {
        this.#child.stdin?.write(text);
    }

    /** Ends both streams, as a client that died. */
    hangUp(): void {
        this.#child.stdin?.end();
    }

    async stop(): Promise<number | null> {
        if (this.#child.exitCode === null && this.#child.signalCode === null) {
            await Promise.race([this.request('shutdown'), this.exited]);
            this.notify('exit', {});
        }
        const code = await this.#awaited(this.exited, 'its exit');
        fs.rmSync(this.folder, { recursive: true, force: true });
        return code;
    }

    kill(): void {
        this.#child.kill('SIGKILL');
    }

    #awaited<T>(found: Promise<T>, what: string): Promise<T> {
        const last = (): string =>
            this.received
                .slice(-8)
                .map(message => JSON.stringify(message).slice(0, 1000))
                .join('\n');
        return awaited(() => `${what}; received last:\n${last()}\n${this.log.join('').slice(-1000)}`, found);
    }

    #write(message: object): void {
        const whole = { jsonrpc: '2.0', ...message };
        if (this.#usesIpc) {
            this.#child.send(whole);
            return;
        }
        const body = Buffer.from(JSON.stringify(whole));
        this.#child.stdin?.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    }

    #read(chunk: Buffer): void {
        this.#bytes = Buffer.concat([this.#bytes, chunk]);
        for (;;) {
            const end = this.#bytes.indexOf('\r\n\r\n');
            const length = Number(/Content-Length: (\d+)/i.exec(this.#bytes.toString('latin1', 0, Math.max(end, 0)))?.[1]);
            if (end < 0 || this.#bytes.length < end + 4 + length) return;
            const message: Message = JSON.parse(this.#bytes.toString('utf8', end + 4, end + 4 + length));
            this.#bytes = this.#bytes.subarray(end + 4 + length);
            this.#take(message);
        }
    }

    #take(message: Message): void {
        this.received.push(message);
        if (message.method === undefined) {
            const resolve = this.#waiting.get(message.id ?? 0);
            this.#waiting.delete(message.id ?? 0);
            resolve?.(message);
            return;
        }
        const answers: Readonly<Record<string, object>> = {
            'workspace/applyEdit': { applied: true },
            'window/showDocument': { success: this.#shows },
            ...(this.#agrees && { 'window/showMessageRequest': message.params?.actions?.[0] }),
        };
        if (message.id !== undefined) this.#write({ id: message.id, result: answers[message.method] ?? null });
        for (const listener of [...this.#listeners]) listener(message);
    }
}
