import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Holds the server of VS Code 1.100.3, the last one that runs on Node 20. */
const PACKAGE = 'code-server@4.100.3';

/**
 * Installs the server below the user's cache folder, without install scripts: they reach outside the registry.
 * Answers its folder.
 */
export function installVsCode(): string {
    const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
    const folder = join(cache, 'rulelang-vscode', PACKAGE.replace('@', '-'));
    const root = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
    const done = join(folder, 'installed');
    if (existsSync(done)) return root;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    npm(folder, 'install', PACKAGE, '--ignore-scripts', '--no-audit', '--no-fund');
    npm(root, 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
    npm(join(root, 'extensions'), 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
    writeFileSync(done, '');
    return root;
}

function npm(folder: string, ...args: readonly string[]): void {
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

export interface RunningServer {
    readonly port: number;
    stop(): void;
    /** Resolves when no extension host of it is left. */
    hostsEnded(): Promise<void>;
}

/** Starts the server with its state in a folder; resolves once it listens. */
export async function serveVsCode(root: string, state: string, environment: Readonly<Record<string, string>>): Promise<RunningServer> {
    const port = await freePort();
    const options = ['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'];
    const folders = ['--user-data-dir', state, '--server-data-dir', state, '--extensions-dir', join(state, 'extensions')];
    const server = spawn(process.execPath, [join(root, 'out', 'server-main.js'), ...options, ...folders], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    await new Promise<void>((resolve, reject) => {
        const listen = (text: Buffer): void => {
            said += text.toString();
            if (said.includes('Extension host agent listening')) resolve();
        };
        server.stdout.on('data', listen);
        server.stderr.on('data', listen);
        server.once('exit', code => reject(new Error(`the VS Code server ended with ${code}: ${said}`)));
    });
    const hostsEnded = async (): Promise<void> => {
        while (childrenOf(server.pid).some(pid => commandOf(pid).includes('--type=extensionHost')))
            await new Promise(resolve => setTimeout(resolve, 100));
    };
    return { port, stop: () => server.kill(), hostsEnded };
}

function childrenOf(pid: number | undefined): readonly string[] {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
        .split(' ')
        .filter(text => text !== '');
}

function commandOf(pid: string): string {
    try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
        return '';
    }
}

function freePort(): Promise<number> {
    return new Promise((resolve, reject) => {
        const probe = createServer();
        probe.once('error', reject);
        probe.listen(0, '127.0.0.1', () => {
            const address = probe.address();
            probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
        });
    });
}
