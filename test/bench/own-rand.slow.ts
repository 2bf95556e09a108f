import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const { writeInput } = await import(new URL('../../bench/generate.mjs', import.meta.url).href);

const CLI = join(import.meta.dirname, '../../dist/cli.js');
const REPORT_USAGE = join(import.meta.dirname, '../../bench/report-usage.cjs');

const PROGRAM = `@bind("own", "csv", "", "own.csv").
@model("own", "['x:int', 'y:int', 'w:int']").
@output("ctrl").
held(X, X, Y, Q) <- own(X, Y, Q), X != Y.
held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q).
ctrl(X, Y) <- total(X, Y, S), S > 50.
`;

test('company control over 472,168 holdings gives 1,288,924 rows in less than 1.5 GB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-own-'));
    try {
        writeInput('own_rand', folder);
        writeFileSync(join(folder, 'own.rulelang'), PROGRAM);
        const { lines, usage } = await run(folder);
        expect(lines).toBe(1_288_924 + 1);
        expect(usage.maxRSS * 1024).toBeLessThan(1.5e9);
    } finally {
        rmSync(folder, { recursive: true });
    }
});

/** Counts the lines of the printed CSV and reads what the process used. */
async function run(folder: string): Promise<{ lines: number; usage: NodeJS.ResourceUsage }> {
    const usageFile = join(folder, 'usage.json');
    const child = spawn(process.execPath, ['--require', REPORT_USAGE, CLI, 'run', 'own.rulelang', '--format', 'csv'], {
        cwd: folder,
        env: { ...process.env, BENCH_USAGE: usageFile },
        stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    let lines = 0;
    for await (const chunk of child.stdout) for (const byte of chunk as Buffer) if (byte === 10) lines++;
    await closed;
    return { lines, usage: JSON.parse(readFileSync(usageFile, 'utf8')) };
}
