// Measures the language server as an editor feels it: over stdio, on generated programs, beside reading the whole file.
// Usage: npm run bench:lsp [-- --clauses 100,1000,10000 --edits 200 --files 500]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { client, generate, median, megabytesOf, processorOf, randomFrom } from './lsp-client.mjs';
import { measureWorkspace } from './lsp-workspace.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
    options: {
        clauses: { type: 'string', default: '100,1000,10000' },
        edits: { type: 'string', default: '200' },
        files: { type: 'string', default: '500' },
    },
});
const edits = Number(values.edits);
const STARTS = 7;
/** Tenths of a second that a run may take. */
const LONGEST_RUN = 600;
/** Milliseconds of the processor that the server may take for it, at 10,000 clauses. */
const GOALS = {
    'open to the first errors, processor': 400,
    'keystroke to diagnostics, processor': 15,
    'change to completion, processor': 15,
};
/** Clauses of each file of the workspace. */
const EACH = 200;

const whole = await wholeFileReaders();
const rows = [['', ...values.clauses.split(',').map(count => `${Number(count).toLocaleString('en-US')} clauses`), 'goal']];
const columns = [];
for (const count of values.clauses.split(',')) columns.push(await measureServer(generate(Number(count))));
for (const name of columns[0].keys()) rows.push([name, ...columns.map(column => column.get(name) ?? ''), GOALS[name] ?? '']);
printTable(rows);
console.log(`\np50 / p95 in milliseconds over ${edits} edits or requests; cold start is the median of ${STARTS}.`);

console.log(`\n${values.files} files of ${EACH} clauses:\n`);
printTable([
    ['', 'measured', 'goal'],
    ...(await measureWorkspace(Number(values.files), EACH)).map(([what, measured, goal = '']) => [what, measured, goal]),
]);

async function measureServer(text) {
    const figures = new Map();
    const random = randomFrom(7);
    const lines = text.split('\n');
    figures.set('size', `${Math.round(text.length / 1024).toLocaleString('en-US')} KB`);
    figures.set('cold start to initialize', await coldStart());

    const server = client();
    await server.request('initialize', { processId: null, rootUri: null, capabilities: {}, initializationOptions: { trusted: true } });
    server.notify('initialized', {});
    const uri = 'file:///bench/program.rulelang';
    const textDocument = { uri };
    const opened = performance.now();
    const first = server.diagnosed(uri, 1);
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'rulelang', version: 1, text } });
    await first;
    figures.set('open to all diagnostics', ms(performance.now() - opened));
    const errors = await firstErrors(text);
    figures.set('open to the first errors', ms(errors.took));
    figures.set('open to the first errors, processor', errors.used);

    let version = 1;
    const edit = () => {
        const line = Math.floor(random() * (lines.length - 1));
        const at = lines[line].search(/[\d"]/);
        const character = at < 0 ? 0 : at + 1;
        const erases = version % 2 === 0 && edit.last !== undefined;
        const place = erases ? edit.last : { line, character };
        edit.last = erases ? undefined : place;
        const range = { start: place, end: erases ? { ...place, character: place.character + 1 } : place };
        version++;
        server.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ range, text: erases ? '' : '1' }] });
        return place;
    };
    const settled = () => server.diagnosed(uri, version + 1);
    const keystroke = async () => {
        const published = settled();
        edit();
        await published;
    };

    /** Notes how long an action takes, and how much of the processor on average. What it gives is called outside the clock. */
    const note = async (name, action) => {
        let used = 0;
        const timed = async () => {
            const before = processorOf(server.pid);
            const began = performance.now();
            const after = await action();
            const took = performance.now() - began;
            used += processorOf(server.pid) - before;
            await after?.();
            return { took };
        };
        figures.set(name, await sampled(timed));
        figures.set(`${name}, processor`, Number.isNaN(used) ? '?' : ms(used / edits));
    };

    const began = performance.now();
    await keystroke();
    figures.set('first keystroke to diagnostics', ms(performance.now() - began));
    await note('keystroke to diagnostics', keystroke);
    figures.set('the same with Live on', await sampledLive(server, uri, keystroke));
    const completing = place => server.request('textDocument/completion', { textDocument, position: place });
    const bodies = lines.flatMap((line, index) => (line.includes('<- ') ? [{ line: index, character: line.indexOf('<- ') + 3 }] : []));
    const anywhere = () => bodies[Math.floor(random() * bodies.length)];
    const asked = performance.now();
    await completing(anywhere());
    figures.set('first completion', ms(performance.now() - asked));
    figures.set('completion', await sampled(() => completing(anywhere())));
    await note('change to completion', async () => {
        const published = settled();
        edit();
        await completing(anywhere());
        return () => published;
    });
    figures.set('hover', await sampled(() => server.request('textDocument/hover', { textDocument, position: anywhere() })));

    let tokens = await server.request('textDocument/semanticTokens/full', { textDocument });
    figures.set(
        'semantic tokens after a change',
        await sampled(async () => {
            const published = settled();
            edit();
            await published;
            const began = performance.now();
            tokens = await server.request('textDocument/semanticTokens/full/delta', { textDocument, previousResultId: tokens.resultId });
            return { took: performance.now() - began };
        }),
    );
    const range = { start: { line: 0, character: 0 }, end: { line: 60, character: 0 } };
    figures.set(
        'semantic tokens of a screen',
        await sampled(() => server.request('textDocument/semanticTokens/range', { textDocument, range })),
    );
    figures.set('memory of the server', `${megabytesOf(server.pid) ?? '?'} MB`);
    await server.request('shutdown');
    server.notify('exit');

    figures.set('reading the whole file: Langium', ms(await median(3, () => whole.langium(text))));
    figures.set('reading the whole file: ours', ms(await median(3, () => whole.open(text))));
    return figures;
}

/** Milliseconds until a server tells of an error on the first screen of a text that it is given, and those of the processor. */
async function firstErrors(text) {
    const used = [];
    const took = await median(3, async () => {
        const server = client();
        await server.request('initialize', { processId: null, rootUri: null, capabilities: {} });
        server.notify('initialized', {});
        const uri = 'file:///bench/broken.rulelang';
        const before = processorOf(server.pid);
        const first = server.diagnosed(uri, 1);
        server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'rulelang', version: 1, text: `p(X) <- q(X.\n${text}` } });
        await first;
        used.push(processorOf(server.pid) - before);
        return () => server.kill();
    });
    return { took, used: Number.isNaN(used[0]) ? '?' : ms(used.sort((a, b) => a - b)[1]) };
}

/** Times keystrokes while the rows of a run follow them, one update at a time, as in an editor. */
async function sampledLive(server, uri, keystroke) {
    const { run } = await server.request('rulelang/run', { uri, parameters: {}, live: 'looks' });
    const follow = () => server.request('rulelang/follow', { run, rested: false });
    // A run that has not finished has no rows to follow, and none where it failed.
    for (let tried = 0; (await follow())?.kind === undefined; tried++) {
        if (tried === LONGEST_RUN) {
            await server.request('rulelang/close', { run });
            return '–';
        }
        await new Promise(resolve => setTimeout(resolve, 100));
    }
    let following;
    const times = await sampled(async () => {
        const typed = keystroke();
        following ??= follow().then(() => {
            following = undefined;
        });
        await typed;
    });
    await following;
    await server.request('rulelang/close', { run });
    return times;
}

/** Times an action, or takes the time that it says. */
async function sampled(action) {
    const times = [];
    for (let i = 0; i < edits; i++) {
        const began = performance.now();
        const result = await action();
        times.push(result?.took ?? performance.now() - began);
    }
    times.sort((left, right) => left - right);
    const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return `${at(0.5).toFixed(1)} / ${at(0.95).toFixed(1)}`;
}

async function coldStart() {
    return ms(
        await median(STARTS, async () => {
            const server = client();
            await server.request('initialize', { processId: null, rootUri: null, capabilities: {} });
            return () => server.kill();
        }),
    );
}

/** What a server without memory would do at each keystroke. */
async function wholeFileReaders() {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-bench-'));
    const outfile = join(folder, 'whole.mjs');
    const contents = `
        import { createRuleLangServices } from '#language/services.ts';
        import { splitClauses } from '#language/syntax/split-clauses.ts';
        import { openDocument } from '#language/document/open-document.ts';
        const { LangiumParser } = createRuleLangServices().parser;
        export const langium = text => {
            for (const { place, end } of splitClauses(text, '')) LangiumParser.parse(text.slice(place.offset, end), { rule: 'ClauseText' });
        };
        export const open = text => void openDocument(text, 'program.rulelang').problems.length;`;
    await build({
        stdin: { contents, resolveDir: root, loader: 'ts' },
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'error',
    });
    const readers = await import(pathToFileURL(outfile).href);
    rmSync(folder, { recursive: true });
    return readers;
}

function ms(value) {
    return `${value.toFixed(value < 100 ? 1 : 0)}`;
}

function printTable(table) {
    const widths = table[0].map((_, column) => Math.max(...table.map(row => String(row[column]).length)));
    for (const row of table) {
        console.log(
            row.map((cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]))).join('  '),
        );
    }
}
