// Measures the language server as an editor feels it: over stdio, on generated programs, beside reading the whole file.
// Usage: npm run bench:lsp [-- --clauses 1000,10000 --edits 200]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
    options: { clauses: { type: 'string', default: '1000,10000' }, edits: { type: 'string', default: '200' } },
});
const edits = Number(values.edits);
const STARTS = 7;

const whole = await wholeFileReaders();
const rows = [['', ...values.clauses.split(',').map(count => `${Number(count).toLocaleString('en-US')} clauses`)]];
const columns = [];
for (const count of values.clauses.split(',')) columns.push(await measureServer(generate(Number(count))));
for (const name of columns[0].keys()) rows.push([name, ...columns.map(column => column.get(name))]);
printTable(rows);
console.log(`\np50 / p95 in milliseconds over ${edits} edits or requests; cold start is the median of ${STARTS}.`);

async function measureServer(text) {
    const figures = new Map();
    const random = randomFrom(7);
    const lines = text.split('\n');
    figures.set('size', `${Math.round(text.length / 1024).toLocaleString('en-US')} KB`);
    figures.set('cold start to initialize', await coldStart());

    const server = client();
    await server.request('initialize', { processId: null, rootUri: null, capabilities: {}, initializationOptions: { trusted: false } });
    server.notify('initialized', {});
    const uri = 'file:///bench/program.rulelang';
    const textDocument = { uri };
    const opened = performance.now();
    const first = server.diagnosed(uri, 1);
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'rulelang', version: 1, text } });
    await first;
    figures.set('open to first diagnostics', ms(performance.now() - opened));

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

    const began = performance.now();
    await keystroke();
    figures.set('first keystroke to diagnostics', ms(performance.now() - began));
    figures.set('keystroke to diagnostics', await sampled(keystroke));
    const completing = place => server.request('textDocument/completion', { textDocument, position: place });
    const bodies = lines.flatMap((line, index) => (line.includes('<- ') ? [{ line: index, character: line.indexOf('<- ') + 3 }] : []));
    const anywhere = () => bodies[Math.floor(random() * bodies.length)];
    figures.set(
        'change to completion',
        await sampled(async () => {
            const published = settled();
            edit();
            const answer = completing(anywhere());
            await answer;
            return published;
        }),
    );
    figures.set('completion', await sampled(() => completing(anywhere())));
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
    const status = /VmRSS:\s*(\d+)/.exec(statusOf(server.pid));
    figures.set('memory of the server', status === null ? '' : `${Math.round(Number(status[1]) / 1024)} MB`);
    await server.request('shutdown');
    server.notify('exit');

    figures.set('reading the whole file: Langium', ms(await median(3, () => whole.langium(text))));
    figures.set('reading the whole file: ours', ms(await median(3, () => whole.open(text))));
    return figures;
}

/** Times an action, or takes the time that it says; whatever it promises beside is awaited outside the clock. */
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

async function median(times, action) {
    const taken = [];
    for (let i = 0; i < times; i++) {
        const began = performance.now();
        const after = await action();
        taken.push(performance.now() - began);
        if (typeof after === 'function') after();
    }
    return taken.sort((left, right) => left - right)[Math.floor(times / 2)];
}

/** A client with just enough of the protocol. */
function client() {
    const child = spawn(process.execPath, [join(root, 'dist/lsp.mjs'), '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const waiting = new Map();
    const diagnosed = new Map();
    let received = Buffer.alloc(0);
    let last = 0;
    const send = message => {
        const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
        child.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    };
    const take = message => {
        if (message.method === 'textDocument/publishDiagnostics') diagnosed.get(message.params.version)?.();
        else if (message.method === undefined) waiting.get(message.id)?.(message.result);
    };
    child.stdout.on('data', chunk => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        for (;;) {
            const end = received.indexOf('\r\n\r\n');
            const length = end < 0 ? Number.NaN : Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1]);
            if (!(received.length >= end + 4 + length)) return;
            const message = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
            received = received.subarray(end + 4 + length);
            take(message);
        }
    });
    return {
        pid: child.pid,
        request: (method, params) =>
            new Promise(resolve => {
                waiting.set(++last, resolve);
                send({ id: last, method, params });
            }),
        notify: (method, params) => send({ method, params }),
        diagnosed: (_, version) => new Promise(resolve => diagnosed.set(version, resolve)),
        kill: () => child.kill('SIGKILL'),
    };
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

/** Facts, joins, negation, conditions and aggregates over predicates that the clauses share; about 30 tokens per clause. */
function generate(count) {
    const random = randomFrom(1);
    const pick = limit => Math.floor(random() * limit);
    const predicates = Math.max(10, Math.round(count / 20));
    const lines = [];
    for (let i = 0; i < count; i++) {
        const [p, q, r] = [pick(predicates), pick(predicates), pick(predicates)];
        switch (i % 5) {
            case 0:
                lines.push(`base${p}("item ${pick(1e6)}", ${pick(1e6)}, ${pick(1e4) / 100}).`);
                break;
            case 1:
                lines.push(
                    `step${i}(X, Y, T) <- base${p}(X, A, V), base${q}(Y, A, W), X != Y, T = V * ${1 + pick(9)} + W, T > ${pick(100)}.`,
                );
                break;
            case 2:
                lines.push(`total${i}(X, S) <- base${p}(X, A, V), base${q}(X, B, W), A < B, S = sum(V + W, <A>).`);
                break;
            case 3:
                lines.push(`only${i}(X, A) <- base${p}(X, A, V), not base${q}(X, A, V), V >= ${pick(50)}, not base${r}(X, A, 1.5).`);
                break;
            default:
                lines.push(
                    `name${i}(X, N) <- base${p}(X, A, _), N = concat(X, "-${pick(1e4)}"), A > ${pick(1e4)}, base${q}(X, A, V), V > 0.5.`,
                );
        }
    }
    return `${lines.join('\n')}\n`;
}

function randomFrom(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

function statusOf(pid) {
    try {
        return readFileSync(`/proc/${pid}/status`, 'latin1');
    } catch {
        return '';
    }
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
