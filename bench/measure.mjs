import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What runs the programs that are not Node's, and says what they used. */
export const GNU_TIME = '/usr/bin/time';

const preload = fileURLToPath(new URL('report-usage.cjs', import.meta.url));

/**
 * Runs a program in a folder to its end: wall and cpu seconds of the whole process, threads included, its peak in MB, and
 * what it printed. Undefined where it took longer than `limit` seconds. Node programs report what they used; others run
 * under GNU time.
 */
export async function measure({ file, args, succeeds = [0] }, folder, limit) {
    const own = mkdtempSync(join(tmpdir(), 'rulelang-bench-'));
    const usageFile = join(own, 'usage');
    const isNode = file === process.execPath;
    try {
        const start = performance.now();
        const { code, printed, timedOut } = isNode
            ? await finished(file, ['--require', preload, ...args], folder, limit, { BENCH_USAGE: usageFile })
            : await finished(GNU_TIME, ['-q', '-f', '%U %S %M', '-o', usageFile, file, ...args], folder, limit);
        const wall = (performance.now() - start) / 1000;
        if (timedOut) return undefined;
        if (!succeeds.includes(code)) throw new Error(`${file} ${args.join(' ')} ended with ${code}\n${printed}`);
        return { wall, ...usageOf(readFileSync(usageFile, 'utf8'), isNode), printed };
    } finally {
        rmSync(own, { recursive: true });
    }
}

function usageOf(text, isNode) {
    if (isNode) {
        const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(text);
        return { cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 };
    }
    const [user, system, kilobytes] = text.trim().split(' ').map(Number);
    return { cpu: user + system, peak: kilobytes / 1024 };
}

/**
 * A group of its own, so that what GNU time runs ends with it. Certificates that are added on this machine are left out: Node reads all of
 * them before anything else, which takes 40 ms and has nothing to do with the work.
 */
function finished(file, args, cwd, limit, variables = {}) {
    const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
    const child = spawn(file, args, { cwd, env: { ...environment, ...variables }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let printed = '';
    let timedOut = false;
    const take = chunk => {
        printed += chunk;
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
        timedOut = true;
        process.kill(-child.pid, 'SIGKILL');
    }, limit * 1000);
    return new Promise((resolve, reject) =>
        child.on('error', reject).on('close', code => {
            clearTimeout(timer);
            resolve({ code, printed, timedOut });
        }),
    );
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

/** Undefined for none. */
export function geometricMean(numbers) {
    if (numbers.length === 0) return undefined;
    return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
}
