import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const preload = new URL('report-usage.mjs', import.meta.url).href;
const cwd = fileURLToPath(new URL('.', import.meta.url));

/** Runs a Node program to its end and gives wall and cpu seconds of the whole process, threads included, and its peak in MB. */
export async function measure(args) {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-bench-'));
    const usageFile = join(folder, 'usage.json');
    const start = performance.now();
    const { code, errors } = await finished(args, usageFile);
    const wall = (performance.now() - start) / 1000;
    if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}\n${errors}`);
    const usage = JSON.parse(readFileSync(usageFile, 'utf8'));
    rmSync(folder, { recursive: true });
    return { wall, cpu: (usage.userCPUTime + usage.systemCPUTime) / 1e6, peak: usage.maxRSS / 1024 };
}

function finished(args, usageFile) {
    const env = { ...process.env, BENCH_USAGE: usageFile };
    const child = spawn(process.execPath, ['--import', preload, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', chunk => {
        errors += chunk;
    });
    return new Promise((resolve, reject) => child.on('error', reject).on('close', code => resolve({ code, errors })));
}

/** The median of each figure over several measurements. */
export function medians(measurements) {
    const middle = figure => {
        const sorted = measurements.map(measurement => measurement[figure]).sort((left, right) => left - right);
        const half = Math.floor(sorted.length / 2);
        return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    };
    return { wall: middle('wall'), cpu: middle('cpu'), peak: middle('peak') };
}
