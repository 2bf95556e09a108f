// Compares the command line with DuckDB on the same work: node bench/bench.mjs [--rounds 5] [workload…]
// Builds first, then alternates between the two, each in a process of its own; the figures are of whole processes.
import { execFileSync } from 'node:child_process';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeInput } from './generate.mjs';
import { measure, medians } from './measure.mjs';
import { WORKLOADS, wrongCounts } from './workloads.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values, positionals } = parseArgs({ options: { rounds: { type: 'string', default: '5' } }, allowPositionals: true });
const chosen = WORKLOADS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: join(here, '..'), stdio: 'inherit' });
console.log(
    `${'workload'.padEnd(12)}${'program'.padEnd(14)}${['rows', 'wall s', 'cpu s', 'peak MB'].map(title => title.padStart(11)).join('')}`,
);
const wrong = [];
for (const workload of chosen) wrong.push(...(await compare(workload, Number(values.rounds))));
for (const message of wrong) console.error(message);
process.exitCode = wrong.length > 0 ? 1 : 0;

async function compare(workload, rounds) {
    const folder = join(here, 'data', workload.name);
    const output = join(folder, workload.output);
    writeInput(workload.name, folder);
    const sides = {
        rulelang: ['../dist/cli.js', 'run', `programs/${workload.name}.rulelang`, '--unordered', '--limit', '0'],
        'duckdb, 1t': ['duckdb.mjs', workload.name, folder],
    };
    const measurements = Object.fromEntries(Object.keys(sides).map(side => [side, []]));
    const counts = {};
    for (let round = 0; round < rounds; round++) {
        for (const [side, args] of Object.entries(sides)) {
            rmSync(output, { force: true });
            measurements[side].push(await measure(args));
            counts[side] = await lines(output);
        }
    }
    const [ours, peer] = Object.keys(sides).map(side => medians(measurements[side]));
    printRow(workload.name, 'rulelang', counts.rulelang, ours, 2);
    printRow('', 'duckdb, 1t', counts['duckdb, 1t'], peer, 2);
    printRow('', 'ratio', '', { wall: ours.wall / peer.wall, cpu: ours.cpu / peer.cpu, peak: ours.peak / peer.peak }, 2);
    return wrongCounts(workload, counts);
}

function printRow(workload, program, rows, { wall, cpu, peak }, digits) {
    const figures = [wall.toFixed(digits), cpu.toFixed(digits), program === 'ratio' ? peak.toFixed(digits) : peak.toFixed(0)];
    const count = rows === '' ? '' : rows.toLocaleString('en-US');
    console.log(`${workload.padEnd(12)}${program.padEnd(14)}${[count, ...figures].map(text => text.padStart(11)).join('')}`);
}

async function lines(file) {
    let count = 0;
    for await (const chunk of createReadStream(file)) for (const byte of chunk) if (byte === 10) count++;
    return count;
}
