import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { commandLine } from './command-line.ts';

/** Options of `rulelang serve`. */
export interface ServicesOptions {
    /** The command line of rulelang: a program, or its `cli.js`. */
    readonly command: string;
    /** The folder in which the services find and write files. */
    readonly folder: string;
    /** Empty for the usual one. */
    readonly dataDir: string;
    /** 0 is any free port. */
    readonly port: number;
    readonly enginePort: number;
    readonly chatPort: number;
    readonly pathPrefix: string;
}

/** Services that answer. */
export interface RunningServices {
    readonly platform: string;
    readonly engine: string;
    readonly assistant: string;
    /** The path of the data directory. */
    readonly data: string;
    /** Resolves when the process has ended, for whatever reason, with the last log lines that do not concern a request. */
    readonly ended: Promise<string>;
    /** A new address of their page in a browser, with a token in it: of a viewer, or of one who may change things. */
    page(role: 'user' | 'viewer'): Promise<string>;
    /** Ends them; evaluations are cancelled. */
    stop(): Promise<void>;
}

/** Services that did not start; the message says why and what to do. */
export class ServicesFailed extends Error {}

/** Milliseconds that the services have to end by themselves. */
const PATIENCE = 6_000;
const LONGEST_START = 60_000;
const ADDRESSES = ['platform', 'engine', 'assistant', 'data'] as const;

/**
 * Starts the services as a process of their own, which ends with this one, and waits until they answer. `log` gets each line that they write
 * about their requests.
 */
export async function startServices(options: ServicesOptions, log: (line: string) => void): Promise<RunningServices> {
    const child = spawned(options);
    const words: string[] = [];
    const ended = new Promise<string>((resolve, reject) => {
        child.once('error', error => reject(new ServicesFailed(reasonOf(error, options.command))));
        child.once('close', () => resolve(words.join(' ')));
    });
    // It writes there until it has ended, which the other streams tell.
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stderr }).on('line', line => {
        if (line.startsWith('{')) log(line);
        else words.push(line.replace(/^rulelang serve: /u, ''));
    });
    const stop = async (): Promise<void> => {
        child.stdin.end();
        const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
        await ended;
        clearTimeout(timer);
    };
    const early = ended.then(said => {
        throw new ServicesFailed(said === '' ? `'${options.command} serve' ended at once` : said);
    });
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_START);
    try {
        const addresses = await Promise.race([addressesFrom(child), early]);
        return { ...addresses, ended, stop, page: role => pageOf(role, addresses.data, options) };
    } finally {
        clearTimeout(late);
        early.catch(() => undefined);
    }
}

function spawned({ command, folder, dataDir, pathPrefix, ...ports }: ServicesOptions): ChildProcessWithoutNullStreams {
    const args = ['serve', '--end-with-input', '--port', `${ports.port}`, '--engine-port', `${ports.enginePort}`];
    args.push('--chat-port', `${ports.chatPort}`);
    if (dataDir !== '') args.push('--data-dir', dataDir);
    if (pathPrefix !== '') args.push('--path-prefix', pathPrefix);
    const { file, before, env } = commandLine(command);
    return spawn(file, [...before, ...args], { cwd: folder, env: { ...process.env, ...env } });
}

async function pageOf(role: 'user' | 'viewer', data: string, { command, folder }: ServicesOptions): Promise<string> {
    const { file, before, env } = commandLine(command);
    const args = [...before, 'open', '--print', ...(role === 'user' ? ['--edit'] : []), '--data-dir', data];
    const { stdout } = await promisify(execFile)(file, args, { cwd: folder, env: { ...process.env, ...env } });
    return stdout.trim();
}

/** The lines with which the services say that they have begun. */
async function addressesFrom(child: ChildProcessWithoutNullStreams): Promise<Readonly<Record<(typeof ADDRESSES)[number], string>>> {
    const found = new Map<string, string>();
    for await (const line of createInterface({ input: child.stdout })) {
        const [, name, value] = /^(\w+) +(.+)$/u.exec(line) ?? [];
        if (name !== undefined && value !== undefined) found.set(name, value);
        if (found.size === ADDRESSES.length) break;
    }
    child.stdout.resume();
    const [platform, engine, assistant, data] = ADDRESSES.map(name => found.get(name));
    // The process ends, and what it said tells why.
    if (platform === undefined || engine === undefined || assistant === undefined || data === undefined)
        return new Promise(() => undefined);
    return { platform, engine, assistant, data };
}

function reasonOf(error: NodeJS.ErrnoException, command: string): string {
    if (error.code === 'ENOENT')
        return `'${command}', which the setting rulelang.platform.command names, was not found. Leave the setting empty to use the command line that the extension brings`;
    return `'${command}' could not be started: ${error.message}`;
}
