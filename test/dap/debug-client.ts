import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { awaited } from '../support/until.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

interface Asked {
    readonly resolve: (body: never) => void;
    readonly reject: (error: Error) => void;
}

export interface BreakpointsToSet {
    /** By the names of files. */
    readonly rules?: Readonly<Record<string, readonly DebugProtocol.SourceBreakpoint[]>>;
    readonly facts?: readonly DebugProtocol.FunctionBreakpoint[];
    readonly filters?: readonly DebugProtocol.ExceptionFilterOptions[];
}

/** A client of the built debug adapter, with a folder of its own. */
export class DebugClient {
    readonly folder: string;
    readonly events: DebugProtocol.Event[] = [];
    readonly exited: Promise<number | null>;
    stderr = '';
    readonly #child: ChildProcess;
    readonly #asked = new Map<number, Asked>();
    readonly #listeners = new Set<() => void>();
    #bytes = Buffer.alloc(0);
    #seq = 0;
    #taken = 0;

    constructor(files: Readonly<Record<string, string>> = {}, args: readonly string[] = [], folder?: string) {
        this.folder = folder ?? fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rulelang-dap-')));
        for (const [name, text] of Object.entries(files)) {
            fs.mkdirSync(dirname(join(this.folder, name)), { recursive: true });
            fs.writeFileSync(join(this.folder, name), text);
        }
        this.#child = spawn(process.execPath, [CLI, 'dap', ...args], { cwd: this.folder, stdio: 'pipe' });
        this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
        this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
            this.stderr += text;
        });
        this.#child.stdin?.on('error', () => undefined);
        this.exited = new Promise(resolve => this.#child.on('exit', code => resolve(code)));
    }

    path(name: string): string {
        return join(this.folder, name);
    }

    /** Launches a program, sets breakpoints and waits until it stops or ends. */
    async launch(
        program: string,
        args: object = {},
        { rules = {}, facts = [], filters = [] }: BreakpointsToSet = {},
    ): Promise<DebugProtocol.Event> {
        await this.request('initialize', { adapterID: 'rulelang', supportsVariablePaging: true });
        const launched = this.request('launch', { program, ...args });
        const ready = this.event('initialized');
        await launched;
        await ready;
        for (const [name, breakpoints] of Object.entries(rules))
            await this.request('setBreakpoints', { source: { path: this.path(name) }, breakpoints });
        await this.request('setFunctionBreakpoints', { breakpoints: facts });
        await this.request('setExceptionBreakpoints', { filters: [], filterOptions: filters });
        return await this.stops(() => this.request('configurationDone'));
    }

    /** Asks for something and waits until the program has stopped, or ended. */
    async stops(ask: () => Promise<unknown>): Promise<DebugProtocol.Event> {
        const stopped = this.event('stopped', 'terminated');
        await ask();
        return await stopped;
    }

    /** The next event of one of these names that nobody has waited for. */
    async event(...names: readonly string[]): Promise<DebugProtocol.Event> {
        for (;;) {
            while (this.#taken < this.events.length) {
                const event = this.events[this.#taken++];
                if (event !== undefined && names.includes(event.event)) return event;
            }
            const more = new Promise<void>(resolve => {
                const wake = (): void => {
                    this.#listeners.delete(wake);
                    resolve();
                };
                this.#listeners.add(wake);
            });
            await awaited(() => `${names.join(' or ')}; ${JSON.stringify(this.events)} ${this.stderr}`, more);
        }
    }

    // biome-ignore lint/suspicious/noExplicitAny: the wire is JSON, and each test knows what it asked.
    request(command: string, args?: object): Promise<any> {
        const seq = ++this.#seq;
        const text = JSON.stringify({ seq, type: 'request', command, arguments: args });
        return new Promise((resolve, reject) => {
            this.#asked.set(seq, { resolve, reject });
            this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
        });
    }

    /** Frames of the stack, all of them. */
    async stack(): Promise<DebugProtocol.StackFrame[]> {
        return (await this.request('stackTrace', { threadId: 1 })).stackFrames;
    }

    /** The variables of a scope of the first frame, `name = value`. */
    async scope(name: string): Promise<string[]> {
        const [frame] = await this.stack();
        const { scopes } = await this.request('scopes', { frameId: frame?.id });
        const scope = scopes.find((one: DebugProtocol.Scope) => one.name === name);
        return (await this.children(scope?.variablesReference ?? 0)).map(one => `${one.name} = ${one.value}`);
    }

    async children(variablesReference: number): Promise<DebugProtocol.Variable[]> {
        return variablesReference === 0 ? [] : (await this.request('variables', { variablesReference })).variables;
    }

    /** The rows that an expression stands for. */
    async rows(expression: string): Promise<string[]> {
        const { variablesReference } = await this.request('evaluate', { expression });
        return (await this.children(variablesReference)).map(({ value }) => value);
    }

    output(): string {
        return this.events.flatMap(({ event, body }) => (event === 'output' ? [body.output] : [])).join('');
    }

    async close(): Promise<number | null> {
        await this.request('disconnect', {});
        return await this.exited;
    }

    kill(): void {
        this.#child.kill('SIGKILL');
    }

    #read(chunk: Buffer): void {
        this.#bytes = Buffer.concat([this.#bytes, chunk]);
        for (;;) {
            const end = this.#bytes.indexOf('\r\n\r\n');
            if (end < 0) return;
            const length = Number(/Content-Length: (\d+)/u.exec(this.#bytes.toString('latin1', 0, end))?.[1]);
            if (this.#bytes.length < end + 4 + length) return;
            const message = JSON.parse(this.#bytes.toString('utf8', end + 4, end + 4 + length));
            this.#bytes = this.#bytes.subarray(end + 4 + length);
            this.#take(message);
        }
    }

    #take(message: DebugProtocol.ProtocolMessage): void {
        if (message.type === 'event') {
            this.events.push(message as DebugProtocol.Event);
            for (const wake of [...this.#listeners]) wake();
            return;
        }
        const { request_seq: seq, success, body, message: words } = message as DebugProtocol.Response;
        const asked = this.#asked.get(seq);
        this.#asked.delete(seq);
        if (success) asked?.resolve(body as never);
        else asked?.reject(new Error(words));
    }
}
