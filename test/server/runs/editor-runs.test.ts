import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ExplainedDerivation, ExplainedFact, Explanation, OutputSummary, ResultPage, RowView, RunEnd } from '#server/protocol/runs.ts';
import type { WhatIf } from '#server/protocol/what-if.ts';
import type { WhyNotAnswer } from '#server/protocol/why-not.ts';
import { LanguageClient, RequestError } from '../../lsp/language-client.ts';

const PATHS = `@output("path").
@bind("edge", "csv useHeaders=true", "", "edges.csv").
start("a").
path(X, Y) <- start(X), edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z).
`;
const EDGES = 'from,to\na,b\nb,c\nc,d\n';
/** Counts for ever, as far as a test can wait. */
const ENDLESS = `@output("number").
number(0).
number(M) <- number(N), M = N + 1, N < 100000000.
`;

/** Nine million rows. */
const LARGE = `@output("pair").\npair(X, Y) <- number(X), number(Y).\n${Array.from({ length: 3000 }, (_, i) => `number(${i}).`).join('\n')}\n`;

const view: RowView = { output: 'path/2' };

let client: LanguageClient;

async function started(options: Parameters<typeof LanguageClient.start>[0] = {}): Promise<LanguageClient> {
    client = await LanguageClient.start({ trusted: true, files: { 'edges.csv': EDGES }, ...options });
    return client;
}

type Finished = Extract<RunEnd, { outcome: 'finished' }>;

/** The runs of one server that finished, in their order. */
const made: Finished[] = [];

async function run(name: string, text: string, more: object = {}): Promise<RunEnd> {
    await client.open(name, text);
    return await runOpen(name, more);
}

async function runOpen(name: string, more: object = {}): Promise<RunEnd> {
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri(name), ...more });
    return await ended;
}

function finished(end: RunEnd): Finished {
    if (end.outcome !== 'finished') throw new Error(`${end.outcome}: ${end.notices.map(({ message }) => message).join('; ')}`);
    made.push(end);
    return end;
}

function page(run: number, view: RowView, offset = 0, limit = 100): Promise<ResultPage> {
    return client.request('rulelang/page', { run, view, offset, limit });
}

async function failure(method: string, params: object): Promise<RequestError> {
    try {
        await client.request(method, params);
    } catch (error) {
        if (error instanceof RequestError) return error;
        throw error;
    }
    throw new Error(`${method} was answered`);
}

describe('a run', () => {
    beforeAll(() => started());
    afterAll(() => client.stop());

    test('tells what would be if something were otherwise, and why', async () => {
        const { run: number } = finished(await run('paths.rulelang', `${PATHS}@output("alone").\nalone(X) <- start(X), not edge(X, _).\n`));
        const changes = { without: ['edge("a", "b")'], with: ['edge("c", "a")', 'edge("x", "a")'], set: {} };
        const whatIf = (await client.request('rulelang/whatIf', { run: number, changes })) as WhatIf;
        expect(whatIf.outputs.map(({ name, rows, comes, goes }) => ({ name, rows, comes, goes }))).toEqual([
            { name: 'path', rows: 3, comes: 0, goes: 3 },
            { name: 'alone', rows: 0, comes: 1, goes: 0 },
        ]);
        const why = (output: string, row: number, changed: boolean): Promise<WhyNotAnswer> =>
            client.request('rulelang/whatIfExplain', { run: number, number: whatIf.number, output, row, changed });
        expect(await why('path/2', 0, true)).toMatchObject({ kind: 'absent', absence: { fact: 'path("a","b")' } });
        const now = await why('path/2', 0, false);
        const then = await why('alone/1', 0, true);
        if (now.kind !== 'present' || then.kind !== 'present') throw new Error('These are there');
        expect(now.facts[0]?.text).toBe('path("a","b")');
        const expanded = (fact: ExplainedFact | undefined): Promise<ExplainedDerivation[]> =>
            client.request('rulelang/expand', { run: number, node: fact?.node, all: false });
        expect((await expanded(now.facts[0]))[0]?.premises.map(({ text }) => text)).toEqual(['start("a")', 'edge("a","b")']);
        expect(await expanded(then.facts[0])).toMatchObject([{ premises: [{ text: 'start("a")' }], absent: ['edge("a",_)'] }]);
        expect(await client.request('rulelang/reveal', { run: number, node: then.facts[0]?.node, derivation: 0 })).toMatchObject({
            uri: client.uri('paths.rulelang'),
        });
        expect(
            await client.request('rulelang/clauseAt', { uri: client.uri('paths.rulelang'), position: { line: 2, character: 3 } }),
        ).toEqual({
            clause: 'start("a")',
        });
        expect((await failure('rulelang/whatIfRows', { run: number, number: 99, output: 'path/2', offset: 0 })).message).toMatch(
            /not kept/u,
        );
    });

    test('evaluates anew what its rows cannot follow, until nobody waits for it', async () => {
        const facts = Array.from({ length: 3000 }, (_, i) => `n(${i}).`).join(' ');
        const rules = `@param("from", 3000).
@output("today"). today(X, D) <- p(X), D = date:current_timestamp(). p("a"). p("b").
@output("slow"). slow(X) <- n(X), X >= ?from, n(Y), n(Z), X * X + Y * Y + Z * Z < 0.
`;
        const { run: number } = finished(await run('anew.rulelang', `${facts}\n${rules}`));
        const asked = (changes: object): object => ({ run: number, changes: { without: [], with: [], set: {}, ...changes } });
        const abandoned = client.ask('rulelang/whatIf', asked({ set: { from: 0 } }));
        const waiting = client.ask('rulelang/whatIf', asked({ set: { from: 1 } }));
        for (const { id } of [waiting, abandoned]) client.notify('$/cancelRequest', { id });
        await Promise.all([abandoned.answer, waiting.answer]);
        const whatIf = (await client.request('rulelang/whatIf', asked({ without: ['p("b")'] }))) as WhatIf;
        expect(whatIf).toMatchObject({
            anew: 'A rule reads the clock',
            outputs: [
                { name: 'today', rows: 2, comes: 0, goes: 1 },
                { name: 'slow', rows: 0, comes: 0, goes: 0 },
            ],
        });
        const why = (changed: boolean): Promise<WhyNotAnswer> =>
            client.request('rulelang/whatIfExplain', { run: number, number: whatIf.number, output: 'today/2', row: 0, changed });
        expect(await why(true)).toMatchObject({ kind: 'absent' });
        expect(await why(false)).toMatchObject({ kind: 'present' });
    });

    test('answers at once, evaluates the unsaved text, and says what came out', async () => {
        await client.open('a.rulelang', '@output("p").\np(1).\n');
        client.notify('textDocument/didChange', {
            textDocument: { uri: client.uri('a.rulelang'), version: 2 },
            contentChanges: [{ range: { start: { line: 1, character: 3 }, end: { line: 1, character: 3 } }, text: '). p(2' }],
        });
        const end = finished(await runOpen('a.rulelang'));
        const expected: OutputSummary[] = [{ key: 'p/1', name: 'p', rows: 2, columns: [{ name: 'p_0', type: 'int', shape: 'number' }] }];
        expect(end.outputs).toEqual(expected);
        expect(end.facts).toBe(2);
        expect((await page(end.run, { output: 'p/1' })).cells).toEqual([['1'], ['2']]);
    });

    test('takes parameters, and shows chosen predicates without writing files', async () => {
        const text = `@param("least", 2).\n@output("big").\n@bind("big", "csv", "", "big.csv").\nn(1). n(2). n(3).\nbig(X) <- n(X), X >= ?least.\n`;
        const end = finished(await run('b.rulelang', text, { predicates: ['n', 'big'], parameters: { least: '3' } }));
        expect(end.outputs.map(({ key, rows }) => [key, rows])).toEqual([
            ['n/1', 3],
            ['big/1', 1],
        ]);
        expect(fs.existsSync(join(client.folder, 'big.csv'))).toBe(false);
        const whole = finished(await runOpen('b.rulelang'));
        expect(fs.readFileSync(join(client.folder, 'big.csv'), 'utf8')).toContain('2\n3\n');
        expect(whole.notices.map(({ message }) => message)).toEqual(["Wrote 'big' to big.csv"]);
        expect(await run('b.rulelang', text, { predicates: ['nosuch'] })).toMatchObject({
            outcome: 'failed',
            notices: [{ message: "The program has no predicate 'nosuch'" }],
        });
    });

    test('follows edits of its document and of what that includes, where it is to', async () => {
        await client.open('base.rulelang', 'n(1).\n');
        const end = finished(
            await run('live.rulelang', '@include("base").\n@output("p").\n@bind("p", "csv", "", "p.csv").\np(X) <- n(X).\n', {
                live: 'looks',
            }),
        );
        expect(end.live).toEqual({});
        const edit = (name: string, text: string): void =>
            client.notify('textDocument/didChange', {
                textDocument: { uri: client.uri(name), version: 2 },
                contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text }],
            });
        edit('base.rulelang', 'n(2). ');
        edit('live.rulelang', 'n(3). ');
        expect(await client.request('rulelang/follow', { run: end.run, rested: true })).toMatchObject({
            kind: 'rows',
            outputs: [{ key: 'p/1', rows: 3, changes: { added: 2, removed: 0 } }],
        });
        expect(await page(end.run, { output: 'p/1', marked: true })).toMatchObject({
            cells: [['1'], ['2'], ['3']],
            marks: [
                { place: 1, mark: 'added' },
                { place: 2, mark: 'added' },
            ],
        });
        expect(
            await client.request('rulelang/explain', { run: end.run, view: { output: 'p/1', marked: true }, row: 2, all: false }),
        ).toMatchObject({
            fact: { text: 'p(3)' },
        });
        expect(fs.existsSync(join(client.folder, 'p.csv'))).toBe(false);
        const whole = finished(await runOpen('live.rulelang'));
        expect((await failure('rulelang/follow', { run: whole.run, rested: true })).message).toBe(
            'The rows of this run do not follow edits',
        );
    });

    test('uses values that are secrets, and does not tell them', async () => {
        const text = `@param("api_token", "t0-canary").
@param("door", "d0-canary").
@param("least", 2).
@bind("remote", "postgresql host='localhost', password='\${door}'", "shop", "orders").
@output("long").
word("a"). word("s3cret-canary").
long(X) <- word(X), X = ?api_token.
`;
        await client.open('s.rulelang', text);
        expect(await client.request('rulelang/parameters', { uri: client.uri('s.rulelang') })).toMatchObject([
            { name: 'api_token', secret: true },
            { name: 'door', secret: true },
            { name: 'least', usual: '2' },
        ]);
        const end = finished(await runOpen('s.rulelang', { predicates: ['long'], parameters: { api_token: 's3cret-canary' } }));
        expect(end.outputs).toMatchObject([{ key: 'long/1', rows: 1 }]);
        expect(end.parameters).toEqual([
            { name: 'api_token', text: '***', given: true },
            { name: 'door', text: '***', given: false },
            { name: 'least', text: '2', given: false },
        ]);
        expect(JSON.stringify(end)).not.toContain('canary');
    });

    test('takes values of any kind, says which it used, and which the program does not have', async () => {
        const text = `@param("least", 2).\n@param("names", ["a"]).\n@param("rest", "x").\n@output("big").\nn(1,"a"). n(2,"b"). n(3,"b").\nbig(X) <- n(X,N), X >= ?least, collections:contains(?names, N), ?rest != N.\n`;
        const end = finished(await run('g.rulelang', text, { parameters: { least: 2.0, names: ['b', 'c'], lest: 4, other: true } }));
        expect((await page(end.run, { output: 'big/1' })).cells).toEqual([['2'], ['3']]);
        expect(end.parameters).toEqual([
            { name: 'least', text: '2', given: true },
            { name: 'names', text: '["b","c"]', given: true },
            { name: 'rest', text: 'x', given: false },
        ]);
        expect(end.notices.map(({ severity, parameter, remedy }) => ({ severity, parameter, remedy }))).toEqual([
            { severity: 'warning', parameter: 'lest', remedy: "did you mean 'least'?" },
            { severity: 'warning', parameter: 'other', remedy: "it has 'least', 'names', 'rest'" },
        ]);
        expect(await runOpen('g.rulelang', { parameters: { least: [2] } })).toMatchObject({
            outcome: 'failed',
            notices: [{ code: 'RT080' }],
        });
        for (const wrong of [null, { of: 2 }, [null], Number.NaN])
            expect((await failure('rulelang/run', { uri: client.uri('g.rulelang'), parameters: { least: wrong } })).message).toContain(
                'parameters',
            );
    });

    test('that violates a constraint fails with the facts and the place of the constraint', async () => {
        const end = await run('v.rulelang', '@output("q").\np(1). p(7).\nq(X) <- p(X).\n#F <- q(X), X > 5.\n');
        expect(end).toMatchObject({
            outcome: 'failed',
            notices: [{ code: 'RT041', severity: 'error', details: ['q(7)'], range: { start: { line: 3, character: 0 } } }],
        });
    });

    test('of a program with errors fails with their places', async () => {
        const end = await run('c.rulelang', '@output("p").\np(X) <- q(Y).\nq(1).\n  r(X) <- q(X), X > Z.\n');
        expect(end).toMatchObject({
            outcome: 'failed',
            notices: [{ code: 'RL2002', severity: 'error', range: { start: { line: 3, character: 20 } } }],
        });
    });

    test('may not read or write outside the workspace', async () => {
        const end = await run('d.rulelang', '@output("p").\n@bind("q", "csv", "/etc", "passwd").\np(X) <- q(X).\n');
        expect(end).toMatchObject({ outcome: 'failed', notices: [{ code: 'RT063' }] });
    });

    test('leaves no temporary file when it is stopped while it writes', async () => {
        const wide = Array.from({ length: 400_000 }, (_, i) => `${i},${'x'.repeat(40)}`).join('\n');
        fs.writeFileSync(join(client.folder, 'wide.csv'), `a,b\n${wide}\n`);
        await client.open(
            'w.rulelang',
            '@output("o").\n@bind("s", "csv useHeaders=true", "", "wide.csv").\n@bind("o", "csv", "", "o.csv").\no(X, Y) <- s(X, Y).\n',
        );
        const writing = client.next('rulelang/runProgress', ({ phase }) => phase === 'writing');
        const ended = client.next('rulelang/runEnded');
        const { run: number } = await client.request('rulelang/run', { uri: client.uri('w.rulelang') });
        await writing;
        await client.request('rulelang/stop', { run: number });
        expect(['stopped', 'finished']).toContain((await ended).outcome);
        expect(fs.readdirSync(client.folder).filter(name => name.endsWith('.tmp'))).toEqual([]);
    });
});

describe('the process of a run', () => {
    afterEach(() => client.stop());

    test('tells its progress, and stops when it is asked to', async () => {
        await started();
        await client.open('e.rulelang', ENDLESS);
        const moves = client.next('rulelang/runProgress', ({ facts }) => facts > 1000);
        const ended = client.next('rulelang/runEnded');
        const { run: number } = await client.request('rulelang/run', { uri: client.uri('e.rulelang') });
        expect(await moves).toMatchObject({
            run: number,
            phase: 'evaluating',
            filling: { name: 'number', rows: expect.any(Number) },
        });
        expect(await client.request('rulelang/stop', { run: number })).toBeNull();
        expect(await ended).toMatchObject({ run: number, outcome: 'stopped' });
        expect((await failure('rulelang/page', { run: number, view: { output: 'number/1' }, offset: 0, limit: 1 })).data).toBe(
            'unknown-run',
        );
        await gone(number);
        expect(finished(await run('a.rulelang', '@output("p").\np(1).\n')).facts).toBe(1);
    });

    test('that is killed ends as crashed, and the next one works', async () => {
        await started();
        await client.open('e.rulelang', ENDLESS);
        const moves = client.next('rulelang/runProgress', ({ facts }) => facts > 1000);
        const ended = client.next('rulelang/runEnded');
        await client.request('rulelang/run', { uri: client.uri('e.rulelang') });
        await moves;
        const [child] = childrenOf(client.pid);
        process.kill(child ?? 0, 'SIGKILL');
        expect(await ended).toMatchObject({ outcome: 'crashed', message: 'The run process was ended by SIGKILL' });
        expect(finished(await run('a.rulelang', '@output("p").\np(1).\n')).facts).toBe(1);
    });

    test('takes the process that waits since the last one ended, and leaves another one', async () => {
        await started();
        const ran = async (): Promise<void> => {
            const { run: number } = finished(await run('a.rulelang', '@output("p").\np(1).\n'));
            await client.request('rulelang/close', { run: number });
            await until(() => childrenOf(client.pid).length === 1);
        };
        await ran();
        const [first = 0] = childrenOf(client.pid);
        await ran();
        expect(isAlive(first)).toBe(false);
        const [second = 0] = childrenOf(client.pid);
        process.kill(second, 'SIGKILL');
        await until(() => childrenOf(client.pid).length === 0);
        await ran();
        const waiting = childrenOf(client.pid);
        await client.stop();
        for (const child of waiting) await until(() => !isAlive(child));
    });

    test('ends at its limits of time and memory', async () => {
        await started({ limits: { timeout: 500 } });
        const late = await run('e.rulelang', ENDLESS);
        expect(late).toMatchObject({ outcome: 'failed', notices: [{ code: 'RT031' }] });
        await client.stop();
        await started({ limits: { maxMemory: 20_000_000 } });
        const large = await run('e.rulelang', LARGE);
        expect(large).toMatchObject({ outcome: 'failed', notices: [{ code: 'RT031' }] });
    });

    test('ends with the server', async () => {
        await started();
        await client.open('e.rulelang', ENDLESS);
        const moves = client.next('rulelang/runProgress', ({ facts }) => facts > 1000);
        await client.request('rulelang/run', { uri: client.uri('e.rulelang') });
        await moves;
        const children = childrenOf(client.pid);
        expect(children).toHaveLength(1);
        client.kill();
        await client.exited;
        for (const child of children) await until(() => !isAlive(child));
    });
});

describe('the rows of a run', () => {
    let number: number;

    // One server and one run for all: nothing changes them before the last two.
    beforeAll(async () => {
        await started();
        made.length = 0;
        number = finished(await run('paths.rulelang', PATHS)).run;
    });
    afterAll(() => client.stop());

    test('come in pages, sorted, filtered and searched', async () => {
        expect(await page(number, view, 1, 1)).toEqual({ rows: 3, matching: 3, offset: 1, cells: [['a', 'c']] });
        expect((await page(number, { ...view, sort: [{ column: 1, descending: true }] })).cells.map(row => row[1])).toEqual([
            'd',
            'c',
            'b',
        ]);
        const filters = [{ column: 1, operator: 'greater', value: 'b' } as const];
        expect(await page(number, { ...view, filters }, 0, 1)).toEqual({ rows: 3, matching: 2, offset: 0, cells: [['a', 'c']] });
        expect((await page(number, { ...view, search: 'D' })).cells).toEqual([['a', 'd']]);
        expect((await page(number, view, 50, 10)).cells).toEqual([]);
        expect(await client.request('rulelang/cell', { run: number, view, row: 2, column: 1 })).toEqual({ text: 'd' });
    });

    test('are cut where cells are long, and whole on request; nulls are labelled', async () => {
        const text = `@output("t").\nt("${'é'.repeat(5000)}", null) <- s(_).\nt("", "z") <- s(_).\ns(1).\n`;
        const end = finished(await run('long.rulelang', text));
        const { cells } = await page(end.run, { output: 't/2' });
        expect(cells[0]).toEqual(['', 'z']);
        expect(cells[1]).toEqual([
            { text: 'é'.repeat(300), length: 5000 },
            { null: 'z1', missing: true },
        ]);
        const { text: whole } = await client.request('rulelang/cell', { run: end.run, view: { output: 't/2' }, row: 1, column: 0 });
        expect(whole).toBe('é'.repeat(5000));
    });

    test('are exported as they are viewed', async () => {
        const sorted = { ...view, sort: [{ column: 1, descending: true }], filters: [{ column: 1, operator: 'differs', value: 'c' }] };
        const exported = async (format: string): Promise<string> => {
            const target = join(client.folder, `out.${format}`);
            expect(await client.request('rulelang/export', { run: number, view: sorted, format, uri: pathToFileURL(target).href })).toEqual(
                { rows: 2 },
            );
            return fs.readFileSync(target, 'utf8');
        };
        expect(await exported('csv')).toBe('X,Y\na,d\na,b\n');
        expect(await exported('ndjson')).toBe('{"X":"a","Y":"d"}\n{"X":"a","Y":"b"}\n');
        expect(JSON.parse(await exported('json')).resultSet).toEqual({
            path: [
                ['a', 'd'],
                ['a', 'b'],
            ],
        });
        expect(await exported('md')).toBe('| X | Y |\n| --- | --- |\n| a | d |\n| a | b |\n');
        expect(await exported('sql')).toBe(`INSERT INTO "path" ("X", "Y") VALUES\n    ('a', 'd'),\n    ('a', 'b');\n`);
        expect(await exported('facts')).toBe('path("a", "d").\npath("a", "b").\n');
        await exported('parquet');
        await exported('excel');
        const read = await run(
            'read.rulelang',
            `@bind("x", "excel useHeaders=true", "", "out.excel").\n@bind("p", "parquet", "", "out.parquet").\n@input("x"). @input("p").\nsame(X, Y) <- x(X, Y), p(X, Y).\n@output("same").\n`,
        );
        expect((await page(finished(read).run, { output: 'same/2' })).cells).toEqual([
            ['a', 'b'],
            ['a', 'd'],
        ]);
        expect(await client.request('rulelang/facts', { run: number, view: sorted, offset: 1, limit: 5 })).toEqual({
            text: 'path("a", "b").\n',
        });
        const script = pathToFileURL(join(client.folder, 'out.sh')).href;
        expect((await failure('rulelang/export', { run: number, view, format: 'csv', uri: script })).message).toContain('scripts');
        expect((await failure('rulelang/export', { run: number, view, format: 'csv', uri: 'http://x/y.csv' })).code).toBe(-32602);
    });

    test('are shown in groups, which are sorted, filtered and exported as rows are', async () => {
        const text = '@output("sale").\nsale("a", 1). sale("b", 5). sale("a", 3). sale("c", 2).\n';
        const { run: shown } = finished(await run('sales.rulelang', text));
        const grouped = { by: [0], measured: [1], filters: [{ column: 1, operator: 'less', value: '5' } as const] };
        const groups = { output: 'sale/2', grouped };
        const { output, measures } = await client.request('rulelang/grouped', { run: shown, view: groups });
        expect(output.columns.map(({ name }: { readonly name: string }) => name).slice(1)).toEqual([
            ...['count', 'count', 'sum', 'min', 'max'].map((measure, i) => (i === 0 ? measure : expect.stringMatching(`^${measure}\\(`))),
        ]);
        expect(measures[1]).toEqual({ column: 1, measure: 'sum' });
        const sorted = { ...groups, sort: [{ column: 1, descending: true }] };
        expect(await page(shown, sorted)).toEqual({
            ...{ rows: 2, matching: 2, offset: 0 },
            cells: [
                ['a', '2', '2', '4', '1', '3'],
                ['c', '1', '1', '2', '2', '2'],
            ],
        });
        const target = join(client.folder, 'groups.csv');
        await client.request('rulelang/export', { run: shown, view: sorted, format: 'csv', uri: pathToFileURL(target).href });
        expect(fs.readFileSync(target, 'utf8').split('\n').slice(1)).toEqual(['a,2,2,4,1,3', 'c,1,1,2,2,2', '']);
        expect((await failure('rulelang/explain', { run: shown, view: groups, row: 0, all: false })).message).toContain('group');
        expect((await failure('rulelang/grouped', { run: shown, view: { output: 'sale/2' } })).message).toContain('no groups');
    });

    test('are explained down to lines of data', async () => {
        const explanation: Explanation = await client.request('rulelang/explain', { run: number, view, row: 1, all: false });
        expect(explanation.fact).toMatchObject({ kind: 'fact', text: 'path("a","c")', expandable: true, deferred: false });
        expect(explanation.words).toContain('path("a","b")');
        const [derivation] = explanation.derivations;
        expect(derivation).toMatchObject({ rule: 'path(X,Z) <- path(X,Y), edge(Y,Z)', place: 'paths.rulelang:5' });
        const [before, edge] = (derivation?.premises ?? []) as [ExplainedFact, ExplainedFact];
        expect(edge).toMatchObject({ text: 'edge("b","c")', origin: { kind: 'source', label: 'edges.csv:3' }, expandable: false });
        expect(await client.request('rulelang/reveal', { run: number, node: edge.node })).toEqual({
            uri: client.uri('edges.csv'),
            range: { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } },
        });
        expect(await client.request('rulelang/reveal', { run: number, node: explanation.fact.node, derivation: 0 })).toMatchObject({
            uri: client.uri('paths.rulelang'),
            range: { start: { line: 4, character: 0 } },
        });
        const below = await client.request('rulelang/expand', { run: number, node: before.node, all: true });
        expect(below).toMatchObject([
            { place: 'paths.rulelang:4', premises: [{ text: 'start("a")', origin: { kind: 'clause' } }, { text: 'edge("a","b")' }] },
        ]);
        expect(await client.request('rulelang/reveal', { run: number, node: below[0].premises[0].node })).toMatchObject({
            range: { start: { line: 2, character: 0 } },
        });
        expect((await failure('rulelang/expand', { run: number, node: 9999, all: false })).message).toContain('no longer kept');
    });

    test('of a long recursion are explained as a chain, which is one to its end', async () => {
        const steps = Array.from({ length: 6 }, (_, i) => `e(${i}, ${i + 1}).`).join(' ');
        const rules = 'r(X) <- e(0, X).\nr(Y) <- e(X, Y), r(X).\n@output("r").\n@post("r", "orderby(-1)").\n';
        const shown = finished(await run('chain.rulelang', `${steps}\n${rules}`));
        const asked = { run: shown.run, view: { output: 'r/1' } };
        const nexts = async (row: number): Promise<string[]> => {
            const explanation: Explanation = await client.request('rulelang/explain', { ...asked, row, all: false });
            const facts: string[] = [];
            for (let [derivation] = explanation.derivations; derivation?.next !== undefined; ) {
                const next = derivation.premises.find(({ node }) => node === derivation?.next);
                facts.push(next?.text ?? '');
                [derivation] = await client.request('rulelang/expand', { run: shown.run, node: derivation.next, all: false });
            }
            return facts;
        };
        expect(await nexts(0)).toEqual(['r(5)', 'r(4)', 'r(3)', 'r(2)', 'r(1)']);
        expect(await nexts(2)).toEqual([]);
    });

    test('are explained where rules created their unknown values', async () => {
        const text =
            '@output("parent").\nperson(X) <- edge(X, _).\nparent(X, Y), person(Y) <- person(X).\n@bind("edge", "csv useHeaders=true", "", "edges.csv").\n';
        const persons = finished(await run('persons.rulelang', text));
        const parents = { ...view, output: 'parent/2' };
        const { cells } = await page(persons.run, parents);
        expect(cells).toEqual([
            ['a', { null: 'z1' }],
            ['b', { null: 'z2' }],
            ['c', { null: 'z3' }],
            [{ null: 'z1' }, { null: 'z4' }],
            [{ null: 'z2' }, { null: 'z5' }],
            [{ null: 'z3' }, { null: 'z6' }],
        ]);
        const explanation: Explanation = await client.request('rulelang/explain', { run: persons.run, view: parents, row: 4, all: false });
        expect(explanation.fact.text).toBe('parent(z2,z5)');
        expect(explanation.derivations[0]?.premises).toMatchObject([{ text: 'person(z2)' }]);
    });

    test.each<[string, string, object]>([
        ['an unknown output', 'rulelang/page', { view: { output: 'q/1' }, offset: 0, limit: 1 }],
        ['an unknown column', 'rulelang/page', { view: { ...view, sort: [{ column: 7, descending: true }] }, offset: 0, limit: 1 }],
        ['too many rows', 'rulelang/page', { view, offset: 0, limit: 1001 }],
        ['a negative offset', 'rulelang/page', { view, offset: -1, limit: 1 }],
        ['half a row', 'rulelang/page', { view, offset: 0.5, limit: 1 }],
        ['text for a number', 'rulelang/page', { view, offset: '0', limit: 1 }],
        ['a key that nobody knows', 'rulelang/page', { view, offset: 0, limit: 1, path: '/etc/passwd' }],
        ['a view with another prototype', 'rulelang/page', { view: JSON.parse('{"output":"path/2","__proto__":{}}'), offset: 0, limit: 1 }],
        ['no view', 'rulelang/page', { offset: 0, limit: 1 }],
        ['a row that is not there', 'rulelang/cell', { view, row: 3, column: 0 }],
        ['a column that is not there', 'rulelang/cell', { view, row: 0, column: 2 }],
        [
            'an unknown operator',
            'rulelang/page',
            { view: { ...view, filters: [{ column: 0, operator: 'eval', value: '' }] }, offset: 0, limit: 1 },
        ],
    ])('are not given for %s', async (_, method, params) => {
        expect([-32602, -32803]).toContain((await failure(method, { run: number, ...params })).code);
        expect((await page(number, view)).rows).toBe(3);
    });

    test('are not explained by data that has changed since', async () => {
        const { run: unexplained } = finished(await runOpen('paths.rulelang'));
        fs.writeFileSync(join(client.folder, 'edges.csv'), 'from,to\na,b\nb,x\nx,d\n');
        const { message } = await failure('rulelang/explain', { run: unexplained, view, row: 1, all: false });
        expect(message).toContain('The data has changed since this run');
    });

    test('end when the run is closed, or when too many others follow', async () => {
        const isKept = async ({ run, outputs: [output] }: Finished): Promise<boolean> => {
            const asked = { run, view: { output: output?.key }, offset: 0, limit: 1 };
            const rows = await client.request('rulelang/page', asked).then(
                (found: ResultPage) => found.rows,
                error => (error.data === 'unknown-run' ? undefined : Promise.reject(error)),
            );
            if (rows !== undefined) expect(rows).toBe(output?.rows);
            return rows !== undefined;
        };
        while (made.length < 9) finished(await runOpen('paths.rulelang'));
        expect(await Promise.all(made.slice(-9).map(isKept))).toEqual([false, ...Array(8).fill(true)]);
        const last = made.at(-1) ?? expect.unreachable();
        await client.request('rulelang/close', { run: last.run });
        expect(await isKept(last)).toBe(false);
    });
});

function childrenOf(pid: number): number[] {
    return fs
        .readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
        .trim()
        .split(' ')
        .flatMap(text => (text === '' ? [] : [Number(text)]));
}

async function gone(_: number): Promise<void> {
    await until(() => childrenOf(client.pid).length === 0);
}

function isAlive(pid: number): boolean {
    try {
        return fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(' ')[2] !== 'Z';
    } catch {
        return false;
    }
}

async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise(resolve => setTimeout(resolve, 20));
}
