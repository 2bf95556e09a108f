// Measures the extension in a real VS Code, as large as a workspace may become, beside its goals.
// Usage: npm run bench:extension [-- --idle 20 --concepts 2000 --databases 500 --tables 200 --runs 10000]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const number = usual => ({ type: 'string', default: String(usual) });
const { values } = parseArgs({
    options: {
        idle: number(20),
        concepts: number(2000),
        databases: number(500),
        tables: number(200),
        runs: number(10_000),
        predicates: number(4000),
    },
});
const size = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
const MEBIBYTE = 1024 * 1024;
const OPENINGS = 5;
/** Milliseconds that Linux counts in. */
const TICK = 10;

const figures = [['', 'measured', 'goal']];
const tell = (name, measured, goal = '') => {
    figures.push([name, measured, goal]);
    console.error(`${name}: ${measured}`);
};

const { startVsCode, unpackedExtension, servicesIn, clientOf, largeProject, keepSources, writeRuns, journalOf, largeProgram, JsonText } =
    await windowParts();
const home = mkdtempSync(join(tmpdir(), 'rulelang-bench-'));
const data = join(home, 'data');
const code = await startVsCode(unpackedExtension(), {
    trusted: true,
    settings: { ...servicesIn(data), 'workbench.reduceMotion': 'on' },
});
try {
    await measure(code);
} finally {
    await code.close();
    rmSync(home, { recursive: true, force: true });
}
printTable(figures);
console.log(`\nMedians; load of the machine at the end ${loadavg()[0].toFixed(1)} on ${cpus().length} processors.`);

async function measure({ page, host, workspace }) {
    page.setDefaultTimeout(120_000);
    writeFileSync(join(workspace, 'large.rulelang'), largeProgram(size.predicates));
    const activations = [];
    for (let i = 0; i < OPENINGS; i++) {
        if (i > 0) await code.reload();
        activations.push(await activation(code));
    }
    tell('activation, loading included', `${median(activations)} ms`, '< 50 ms');

    await keepSources(data, size.databases, size.tables);
    await page.locator('.activitybar .action-item', { has: page.locator('[aria-label="Rulelang"]') }).click();
    if ((await host('command', 'rulelang.startServices')) === 'failed') throw new Error('the services did not start');
    const services = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8'));
    await page.waitForTimeout(3000);
    const empty = await host('usage');
    tell('memory of the host without concepts', bytes(empty.heap));

    const client = clientOf(data);
    await client.importProject({ body: { export_data: new JsonText(largeProject('Large', size.concepts)), scope: 'user' } });
    await host('command', 'rulelang.refreshConcepts');
    await host('command', 'rulelang.concepts.focus');
    await page.locator('[role=treeitem]', { hasText: 'exposure_0000' }).first().waitFor();
    await page.waitForTimeout(3000);
    const full = await host('usage');
    tell(`memory of the host for ${size.concepts} concepts in sight`, bytes(full.heap - empty.heap), '< 60 MB');

    const parts = { 'extension host': [full.pid], 'language server and services': childrenOf(full.pid) };
    const ticks = pids => pids.reduce((sum, pid) => sum + ticksOf(pid), 0);
    const before = Object.values(parts).map(ticks);
    await page.waitForTimeout(size.idle * 1000);
    for (const [at, [name, pids]] of Object.entries(parts).entries()) {
        const share = ((ticks(pids) - before[at]) * TICK) / (size.idle * 1000);
        tell(`idle for ${size.idle} s, ${name}`, `${(100 * share).toFixed(1)} % of a processor`, '< 1 %');
    }
    const own = (await host('ownWork', size.idle)) / (size.idle * 1000);
    tell(`idle for ${size.idle} s, code of this extension in the host`, `${(100 * own).toFixed(2)} % of a processor`, '< 1 %');

    const journal = journalOf(code);
    writeRuns(journal, workspace, size.runs);
    const token = readFileSync(join(data, 'auth/token'), 'utf8').trim();
    const trees = await host('trees', services.base_url, token, journal);
    for (const [name, { milliseconds, cpu, items, requests }] of Object.entries(trees))
        tell(
            `${name}, without drawing`,
            `${milliseconds.toFixed(0)} ms, ${cpu.toFixed(0)} of the host; ${items} items, ${requests} requests`,
            '< 100 ms',
        );

    await host('command', 'rulelang.program.focus');
    // The views below it leave it too little room.
    for (const other of ['Concepts', 'Data', 'Runs']) {
        const open = page.locator('.pane-header[aria-expanded="true"]', { hasText: other });
        if ((await open.count()) > 0) await open.first().click();
    }
    await host('open', 'large.rulelang');
    const opened = performance.now();
    await item('Stratum 1').waitFor();
    tell(`program of ${size.predicates} predicates, opened to drawn`, ms(performance.now() - opened), '< 100 ms');
    tell('program filtered, to drawn', ms(await drawnAfter(size.predicates - 1)), '< 100 ms');
    const [again, filtered, plain] = [[], [], []];
    for (let i = 0; i < OPENINGS; i++) {
        await host('command', 'rulelang.clearProgramFilter');
        await host('open', 'control/control.rulelang');
        await item('controls/2').waitFor();
        const asked = performance.now();
        await host('open', 'large.rulelang');
        await item(/^Stratum 1\s*\d{3}/u).waitFor();
        again.push(performance.now() - asked);
        await page.waitForTimeout(1000);
        filtered.push(await drawnAfter(size.predicates - 2 - i));
    }
    tell('program looked at again, to drawn', ms(median(again)), '< 100 ms');
    tell('program filtered again, to drawn', ms(median(filtered)), '< 100 ms');
    for (let i = 0; i <= OPENINGS; i++) {
        await page.waitForTimeout(1000);
        const asked = performance.now();
        await host('plainTree', `plain ${i}`);
        await item(`plain ${i} entry`).waitFor();
        // The first takes the place of the program.
        if (i > 0) plain.push(performance.now() - asked);
    }
    tell('another tree of two items, to drawn', ms(median(plain)));

    const stops = [];
    await host('open', 'programs/endless.rulelang');
    for (let i = 0; i < OPENINGS; i++) {
        const done = host('command', 'rulelang.runProgram');
        await page.waitForTimeout(3000);
        const asked = performance.now();
        await host('command', 'rulelang.stop');
        await done;
        stops.push(performance.now() - asked);
    }
    tell('from Stop to stopped', ms(median(stops)), '< 200 ms');

    function item(hasText) {
        return page.locator('[role=treeitem]', { hasText }).first();
    }

    /** What it takes to filter by the name of a predicate. */
    async function drawnAfter(number) {
        const asked = performance.now();
        await host('command', 'rulelang.filterProgram', `p${number}`);
        await item(`p${number}/2`).waitFor();
        return performance.now() - asked;
    }
}

/** Processes that one has started. */
function childrenOf(pid) {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** What a process has computed. */
function ticksOf(pid) {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
    return Number(user) + Number(system);
}

function ms(value) {
    return `${Math.round(value)} ms`;
}

/** VS Code's own figure: what it took to load the code of the extension and to call it. */
async function activation({ page, host }) {
    await host('open', 'control/control.rulelang');
    await page.waitForTimeout(3000);
    await host('command', 'workbench.action.showRuntimeExtensions');
    const row = page.locator('.runtime-extensions-editor .extension', { hasText: 'rulelang' }).first();
    const text = await row.locator('.activation-time').textContent();
    await host('closeAll');
    return Number(/(\d+)ms/.exec(text)?.[1]);
}

function median(times) {
    return [...times].sort((left, right) => left - right)[Math.floor(times.length / 2)];
}

function bytes(count) {
    return `${(count / MEBIBYTE).toFixed(1)} MB`;
}

/** Bundles what tests have for a window, since it is written in TypeScript. */
async function windowParts() {
    const outfile = join(root, 'dist/bench/extension-window.mjs');
    await build({
        entryPoints: [join(root, 'test/vscode/bench-window.ts')],
        outfile,
        bundle: true,
        packages: 'external',
        platform: 'node',
        format: 'esm',
        logLevel: 'error',
    });
    return import(pathToFileURL(outfile).href);
}

function printTable(table) {
    const widths = table[0].map((_, column) => Math.max(...table.map(row => String(row[column]).length)));
    for (const row of table) {
        console.log(
            row.map((cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]))).join('  '),
        );
    }
}
