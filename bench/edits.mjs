// Measures what an edit of the data costs a program that is held open, beside a fresh evaluation of the same program by the same engine: the
// goals are ratios. Each workload runs in processes of its own: one that evaluates, one that is held and edited. A row is taken away and given
// again, so that all rows are as before in the end, which is compared with the fresh evaluation.
// Usage: npm run bench:edits [-- --edits 300 --data FOLDER workload…]
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { writeInput } from './generate.mjs';
import { WORKLOADS } from './workloads.mjs';

/** In hundredths of a fresh evaluation: the median of all edits, 95 of 100, and all. */
const LIGHT = [0.5, 5, 120];
const HEAVY = [2, 30, 120];
const HELD = [
    { name: 'own_rand', edited: ['own'], goals: LIGHT },
    { name: 'pt_large', edited: ['alloc', 'move', 'load', 'store'], goals: LIGHT },
    { name: 'lubm', edited: ['part', 'head', 'works', 'studies', 'teaches', 'takes', 'advisor'], goals: LIGHT },
    { name: 'tc_rand1m', edited: ['edge'], goals: HEAVY },
    { name: 'sg_tree', edited: ['par'], goals: HEAVY },
];
/** How much of a plain run's memory a held program may have. */
const MEMORY_GOAL = 1.6;

/** What the processes need of the engine, as one module. */
const ENGINE = `
export { evaluate } from './engine/engine.ts';
export { HeldProgram } from './engine/maintain/held-program.ts';
export { analyse } from './language/analysis/analyse.ts';
export { readProgram } from './language/read-program.ts';
`;

const { values, positionals } = parseArgs({
    options: {
        edits: { type: 'string', default: '300' },
        data: { type: 'string' },
        /** What this process is: a workload that is evaluated or edited, with the module of the engine. */
        side: { type: 'string' },
        engine: { type: 'string' },
    },
    allowPositionals: true,
});
const root = fileURLToPath(new URL('..', import.meta.url));

if (values.side !== undefined) console.log(JSON.stringify(await side(values.side, positionals[0])));
else await report();

async function report() {
    const folder = mkdtempSync(join(values.data ?? tmpdir(), 'rulelang-edits-'));
    try {
        const engine = join(folder, 'engine.mjs');
        await build({
            stdin: { contents: ENGINE, resolveDir: root, loader: 'ts' },
            outfile: engine,
            bundle: true,
            format: 'esm',
            platform: 'node',
            logLevel: 'error',
        });
        for (const workload of HELD) {
            if (positionals.length > 0 && !positionals.includes(workload.name)) continue;
            mkdirSync(join(folder, workload.name), { recursive: true });
            writeInput(workload.name, join(folder, workload.name));
            const run = async kind => {
                const args = [
                    fileURLToPath(import.meta.url),
                    '--side',
                    kind,
                    '--engine',
                    engine,
                    '--data',
                    folder,
                    '--edits',
                    values.edits,
                    workload.name,
                ];
                const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...args], { maxBuffer: 2 ** 26 });
                return JSON.parse(stdout);
            };
            print(workload, await run('fresh'), await run('held'));
            rmSync(join(folder, workload.name), { recursive: true });
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
}

function print({ name, goals }, fresh, held) {
    console.log(
        `${name}: a fresh evaluation takes ${fresh.milliseconds.toFixed(0)} ms of CPU, opening ${held.opening.toFixed(0)}, getting ready ${held.ready.toFixed(0)}`,
    );
    for (const kind of ['remove', 'add']) {
        const times = held.times[kind].sort((a, b) => a - b);
        const shown = [0.5, 0.95, 1].map((share, at) => {
            const time = times[Math.min(times.length - 1, Math.floor(share * times.length))];
            const percent = (100 * time) / fresh.milliseconds;
            return `${percent.toFixed(percent < 1 ? 3 : 1)} % (goal ${goals[at]} %${percent > goals[at] ? ', missed' : ''})`;
        });
        console.log(`  a row ${kind === 'remove' ? 'less' : 'more'}: median ${shown[0]}, 95 of 100 ${shown[1]}, worst ${shown[2]}`);
    }
    const [memory, peak] = [held.memory / fresh.memory, held.peak / fresh.memory];
    console.log(
        `  memory ${memory.toFixed(2)} of a plain run's ${(fresh.memory / 1024).toFixed(0)} MB (goal ${MEMORY_GOAL}${memory > MEMORY_GOAL ? ', missed' : ''}), ${peak.toFixed(2)} while a stratum is evaluated again`,
    );
    if (fresh.rows !== held.rows) throw new Error(`${name}: ${held.rows} and not ${fresh.rows}: an edit has changed what it should not`);
}

async function side(kind, name) {
    const { evaluate, HeldProgram, readProgram, analyse } = await import(pathToFileURL(values.engine).href);
    const workload = WORKLOADS.find(one => one.name === name);
    const program = analyse(readProgram(readFileSync(join(root, 'bench/programs', `${workload.program}.rulelang`), 'utf8'), name).value);
    const options = optionsOf(join(values.data, name));
    if (kind === 'fresh') {
        const outcome = await evaluate(program, options);
        return {
            milliseconds: outcome.statistics.evaluating,
            memory: process.resourceUsage().maxRSS,
            rows: rowsText(outcome.database, program),
        };
    }
    const began = cpu();
    const held = await HeldProgram.open(program, options);
    const opening = cpu() - began;
    const { database } = held.outcome;
    const edited = HELD.find(one => one.name === name).edited.map(predicate =>
        [...program.predicates.keys()].find(key => key.startsWith(`${predicate}/`)),
    );
    let seed = 7;
    const below = limit => {
        seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
        return Math.floor((seed / 0x80000000) * limit);
    };
    const times = { remove: [], add: [] };
    let ready = 0;
    for (let edit = -edited.length; edit < Number(values.edits); edit++) {
        const predicate = edited[(edit + edited.length) % edited.length];
        const rows = database.relation(predicate);
        const row = below(rows.count);
        const cells = rows.columns.map(column => column[row]);
        for (const change of ['remove', 'add']) {
            const start = cpu();
            if (held.edit([{ predicate, values: cells, kind: change }]) === undefined) throw new Error(`${name} is not held`);
            // The first edit of each relation makes the indexes that updates need.
            if (edit < 0) ready += cpu() - start;
            else times[change].push(cpu() - start);
        }
    }
    const rows = rowsText(held.outcome.database, program);
    // What is given up is returned to the system a little later.
    for (let round = 0; round < 3; round++) {
        globalThis.gc();
        await setTimeout(200);
    }
    return { opening, ready, times, memory: process.memoryUsage.rss() / 1024, peak: process.resourceUsage().maxRSS, rows };
}

function optionsOf(folder) {
    return {
        parameters: new Map(),
        limits: { maxMemory: 2 ** 33, maxRounds: 10_000, maxNullDepth: 200, isoDepth: 3 },
        connectors: {
            sink: () => undefined,
            source: ({ predicate }) => ({
                name: predicate,
                load: ({ add, dictionary }) => {
                    for (const line of readFileSync(join(folder, `${predicate}.csv`), 'utf8')
                        .trim()
                        .split('\n'))
                        add(
                            line.split(',').map(cell => dictionary.number(Number(cell))),
                            0,
                        );
                },
            }),
        },
        cancelled: () => undefined,
        // The strata are timed by this clock: the CPU of the process.
        clock: () => cpu(),
    };
}

function cpu() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
}

/** How many rows there are, and sums of what they hold, whatever order they have. */
function rowsText(database, program) {
    return program.outputs
        .map(key => {
            const { columns, count } = database.relation(key);
            let [sum, mixed] = [0, 0];
            for (let row = 0; row < count; row++) {
                let hash = 17;
                for (const column of columns) hash = (Math.imul(hash, 31) + database.dictionary.numberOf(column[row])) | 0;
                sum = (sum + hash) | 0;
                mixed ^= Math.imul(hash, 0x9e3779b1);
            }
            return `${key} ${count} ${sum} ${mixed}`;
        })
        .join(', ');
}
