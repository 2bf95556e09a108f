import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Ended {
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
}

/** Runs the built command line as a user would. */
export function rulelang(folder: string, args: readonly string[], input = ''): Promise<Ended> {
    const child = start(folder, args);
    // A command that reads no input may have ended before it is sent.
    child.stdin?.on('error', error => {
        if (!('code' in error) || error.code !== 'EPIPE') throw error;
    });
    child.stdin?.end(input);
    return ended(child);
}

export function start(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(process.execPath, [CLI, ...args], { cwd: folder, env: { ...process.env, ...env } });
}

export function ended(child: ChildProcess): Promise<Ended> {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
    });
    return new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
}

/** A new folder with these files; paths may have folders. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
    const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rulelang-cli-')));
    for (const [path, content] of Object.entries(files)) {
        fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
        fs.writeFileSync(join(folder, path), content);
    }
    return folder;
}

/** A named pipe. */
export function makePipe(path: string): void {
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', path]);
}

/** Everything below a folder, sorted. */
export function listing(folder: string): string[] {
    return fs.readdirSync(folder, { recursive: true }).map(String).sort();
}
