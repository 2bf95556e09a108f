import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isAtWork } from '../api/children.ts';
import { until } from '../support/until.ts';
import { CLI, ended, folderWith, listing, makePipe, start } from './command-line.ts';

const COUNT = '@output("n").\nn(0).\nn(Y) <- n(X), Y = X + 1, X < 100000000.\n';

const ROWS = `
@bind("raw", "csv", "data", "in.csv").
@output("copy").
@bind("copy", "csv saveMode=overwrite", "out", "copy.csv").
copy(X, Y) <- raw(X, Y).
`;

function manyRows(count: number): string {
    return Array.from({ length: count }, (_, i) => `row ${i},some text that takes its place ${i}\n`).join('');
}

/** Waits until a run has worked for a while, far beyond what its start takes. */
async function atWork(child: ChildProcess): Promise<void> {
    await until('the run to be at work', () => isAtWork(child.pid ?? 0, 2));
}

/** A descriptor, or undefined while nobody has the other end of a pipe. */
function openWith(pipe: string, flags: number): number | undefined {
    try {
        return fs.openSync(pipe, flags);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
        return undefined;
    }
}

/** Whether no signal waits for a process: two of a kind that wait are one. */
function heardAll({ pid }: ChildProcess): boolean {
    const masks = fs.readFileSync(`/proc/${pid}/status`, 'latin1').matchAll(/^(?:SigPnd|ShdPnd):\s*(\w+)$/gmu);
    return [...masks].every(([, mask]) => Number.parseInt(mask ?? '', 16) === 0);
}

describe('signals', () => {
    test('Ctrl-C on a long run: what was kept, RT032, 130', async () => {
        const child = start(folderWith({ 'n.rulelang': COUNT }), ['run', 'n.rulelang']);
        const end = ended(child);
        await atWork(child);
        child.kill('SIGINT');
        const { code, signal, stdout, stderr } = await end;
        expect({ code, signal, stdout }).toEqual({ code: 130, signal: null, stdout: '' });
        expect(stderr).toContain('error RT032: The run was stopped by Ctrl-C');
        expect(stderr).toContain('Nothing was printed or written.');
    });

    test('a termination signal ends the run as well', async () => {
        const child = start(folderWith({ 'n.rulelang': COUNT }), ['run', 'n.rulelang']);
        const end = ended(child);
        await atWork(child);
        child.kill('SIGTERM');
        const { code, stderr } = await end;
        expect(code).toBe(143);
        expect(stderr).toContain('RT032: The run was stopped by a termination signal');
    });

    test('a second Ctrl-C ends a job that is stuck', async () => {
        const folder = folderWith({});
        const pipe = join(folder, 'n.rulelang');
        makePipe(pipe);
        const child = start(folder, ['run', 'n.rulelang']);
        const end = ended(child);
        // Nobody writes to the pipe once somebody reads it: the worker hangs in a call that no flag can end.
        const writing = await until('somebody who reads the pipe', () => openWith(pipe, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK));
        child.kill('SIGINT');
        await until('the first signal to be heard', () => heardAll(child));
        expect(child.exitCode).toBeNull();
        child.kill('SIGINT');
        expect((await end).signal).toBe('SIGINT');
        fs.closeSync(writing ?? 0);
    });

    test('Ctrl-C at any moment of a run that writes leaves no file or a whole one', async () => {
        const folder = folderWith({ 'copy.rulelang': ROWS, 'data/in.csv': manyRows(100_000) });
        const args = ['run', 'copy.rulelang', '--limit', '1'];
        const began = performance.now();
        expect((await ended(start(folder, args))).code).toBe(0);
        const took = performance.now() - began;
        const codes = new Set<number | null>();
        const whole = fs.statSync(join(folder, 'out/copy.csv')).size;
        for (const share of [0.3, 0.6, 0.75, 0.85, 0.95, 1]) {
            fs.rmSync(join(folder, 'out'), { recursive: true, force: true });
            const child = start(folder, args);
            const end = ended(child);
            await pause(took * share);
            child.kill('SIGINT');
            const { code } = await end;
            codes.add(code);
            const left = listing(folder).filter(path => path.startsWith('out'));
            if (left.length > 0) {
                expect(left).toEqual(['out', 'out/copy.csv']);
                expect(fs.statSync(join(folder, 'out/copy.csv')).size).toBe(whole);
            }
        }
        for (const code of codes) expect([null, 0, 130]).toContain(code);
    });
});

describe('standard output', () => {
    test('a reader that goes away ends the run quietly', async () => {
        const folder = folderWith({ 'copy.rulelang': ROWS, 'data/in.csv': manyRows(50_000) });
        const child = spawn('sh', ['-c', `{ node "$1" run copy.rulelang --format csv; echo "code $?" >&2; } | head -n 1`, 'sh', CLI], {
            cwd: folder,
        });
        const { stdout, stderr } = await ended(child);
        expect(stdout).toBe('X,Y\n');
        expect(stderr).toContain('code 0');
        expect(stderr).not.toContain('EPIPE');
    });

    test('a full disk behind it is an error', async () => {
        const folder = folderWith({ 'n.rulelang': '@output("n").\ne(1).\nn(X) <- e(X).\n' });
        const child = spawn('sh', ['-c', 'node "$1" run n.rulelang > /dev/full', 'sh', CLI], { cwd: folder });
        const { code, stderr } = await ended(child);
        expect(code).toBe(1);
        expect(stderr).toContain("RT064: 'standard output' could not be written: the disk is full");
        const help = await ended(spawn('sh', ['-c', 'node "$1" --help > /dev/full', 'sh', CLI]));
        expect(help.code).toBe(1);
        expect(help.stderr).toMatch(/^rulelang: the output cannot be written: ENOSPC.*\n$/u);
    });
});

describe('full disks', () => {
    function expectUntouched(folder: string, stderr: string, reason: string): void {
        expect(stderr.replaceAll(/\s+/g, ' ')).toContain(reason);
        expect(stderr).toContain('Nothing was written; every output file is as it was.');
        expect(listing(join(folder, 'out'))).toEqual(['copy.csv']);
        expect(fs.readFileSync(join(folder, 'out/copy.csv'), 'utf8')).toBe('old');
    }

    test('a file that outgrows the limit', async () => {
        const folder = folderWith({ 'copy.rulelang': ROWS, 'data/in.csv': manyRows(20_000), 'out/copy.csv': 'old' });
        const child = spawn('sh', ['-c', 'ulimit -f 64; exec node "$1" run copy.rulelang', 'sh', CLI], { cwd: folder });
        const { code, stderr } = await ended(child);
        expect(code).toBe(1);
        expectUntouched(folder, stderr, 'could not be written: the limit for the size of a file is reached');
    });

    test('a small disk', async context => {
        const folder = folderWith({ 'copy.rulelang': ROWS, 'data/in.csv': manyRows(20_000), 'out/.keep': '' });
        try {
            execFileSync('sh', ['-c', 'mount -t tmpfs -o size=256k tmpfs "$1"', 'sh', join(folder, 'out')], { stdio: 'ignore' });
        } catch {
            return context.skip('mounting is not permitted here');
        }
        try {
            fs.writeFileSync(join(folder, 'out/copy.csv'), 'old');
            const { code, stderr } = await ended(start(folder, ['run', 'copy.rulelang']));
            expect(code).toBe(1);
            expectUntouched(folder, stderr, "'out/copy.csv' could not be written: the disk is full");
        } finally {
            execFileSync('sh', ['-c', 'umount "$1"', 'sh', join(folder, 'out')]);
        }
    });
});
