// Compares the command line with other programs on the same work. The sides of a workload take turns, each in a process of its own;
// the figures are of whole processes.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeInput } from './generate.mjs';
import { measure, medians } from './measure.mjs';
import { CHART, markdownReport, replaceReport, textReport } from './report.mjs';
import { scalingSeries } from './report-scaling.mjs';
import { scalingChart } from './scaling-chart.mjs';
import { inputRows, PEERS, rowsFound, sidesHere, sidesWith, withThreads } from './sides.mjs';
import { WORKLOADS } from './workloads.mjs';

const USAGE = `npm run bench -- [options] [workload...]

  --rounds 3                how often each side runs; figures are medians
  --limit 60                ends a process after so many seconds
  --peers duckdb,clingo     only these other programs, of ${PEERS.join(' ')}
  --data FOLDER             where inputs are made
  --threads 1,2             rulelang and DuckDB with these numbers of threads, too; with one always
  --no-build                dist/ as it is
  --write                   puts the figures into docs/performance.md and the chart beside it

workloads: ${WORKLOADS.map(({ name }) => name).join(' ')}`;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
    options: {
        help: { type: 'boolean', default: false },
        rounds: { type: 'string', default: '3' },
        limit: { type: 'string', default: '60' },
        data: { type: 'string', default: join(root, 'bench/data') },
        'no-build': { type: 'boolean', default: false },
        threads: { type: 'string', default: '1' },
        peers: { type: 'string' },
        write: { type: 'boolean', default: false },
    },
    allowPositionals: true,
});
const unknown = positionals.filter(name => !WORKLOADS.some(workload => workload.name === name));
if (values.help || unknown.length > 0) {
    for (const name of unknown) console.error(`There is no workload '${name}'.`);
    console.log(USAGE);
    process.exit(unknown.length > 0 ? 2 : 0);
}
const wanted = values.peers?.split(',');
const threads = values.threads.split(',').map(Number);
const { sides, absent } = sidesHere();
for (const count of threads) if (count > 1) Object.assign(sides, sidesWith(count));
const refused = (wanted ?? []).flatMap(peer => {
    if (!PEERS.includes(peer)) return [`There is no peer '${peer}'; there are ${PEERS.join(', ')}.`];
    return absent.filter(({ name }) => name === peer).map(cannotRun);
});
if (refused.length > 0) {
    for (const message of refused) console.error(message);
    process.exit(2);
}
if (wanted === undefined) for (const side of absent) console.error(cannotRun(side));
const [rounds, limit] = [Number(values.rounds), Number(values.limit)];
const chosen = WORKLOADS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

if (!values['no-build']) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
const results = [];
for (const workload of chosen) {
    const same = results.find(({ workload: { name } }) => name === workload.sameAs);
    if (same !== undefined) {
        const measured = same.measured.filter(({ name }) => name === 'rulelang' || workload.peers.includes(name));
        results.push({ ...same, workload, measured, takenFrom: same.workload.name });
        continue;
    }
    const folder = join(values.data, workload.name);
    rmSync(folder, { recursive: true, force: true });
    writeInput(workload.name, folder);
    const result = { workload, input: inputRows(folder), measured: await compare(workload, folder) };
    results.push(result);
    console.log(textReport([result]));
    rmSync(folder, { recursive: true });
}
const report = { results, absent: wanted === undefined ? absent.map(({ label }) => label) : [], rounds, limit };
console.log(markdownReport(report));
if (values.write) {
    const page = join(root, 'docs/performance.md');
    writeFileSync(page, replaceReport(readFileSync(page, 'utf8'), markdownReport(report)));
    const series = scalingSeries(results);
    if (series.length > 0) writeFileSync(join(root, 'docs', CHART), scalingChart(series));
}
const wrong = results.flatMap(({ workload, measured }) => wrongRows(workload, measured));
for (const message of wrong) console.error(message);
process.exitCode = wrong.length > 0 ? 1 : 0;

/** The medians of each side that could run, in the order of the workload; undefined for one that took too long. */
async function compare(workload, folder) {
    const peers = workload.peers.filter(name => wanted === undefined || wanted.includes(name));
    const names = ['rulelang', ...peers]
        .flatMap(name => [name, ...threads.map(count => withThreads(name, count))])
        .filter(name => name in sides);
    for (const name of names) sides[name].prepare?.(workload, folder);
    const taken = new Map(names.map(name => [name, []]));
    const rows = {};
    for (let round = 0; round < rounds; round++) {
        for (const name of names) {
            const measurements = taken.get(name);
            if (measurements === undefined) continue;
            const measured = await measure(sides[name].command(workload, folder), folder, limit);
            if (measured === undefined) {
                taken.set(name, undefined);
                continue;
            }
            measurements.push(measured);
            rows[name] = rowsFound(sides[name], workload, measured.printed, folder);
        }
    }
    return names.map(name => {
        const measurements = taken.get(name);
        const { label } = sides[name];
        return measurements === undefined ? { name, label } : { name, label, rows: rows[name], ...medians(measurements) };
    });
}

function cannotRun({ label, lacks }) {
    return `${label} cannot be measured: there is no ${lacks.join(' and no ')}.`;
}

function wrongRows({ name, rows }, measured) {
    return measured
        .filter(side => side.rows !== undefined && side.rows !== rows)
        .map(({ label, rows: found }) => `${name}: ${label} found ${found} rows, expected ${rows}`);
}
