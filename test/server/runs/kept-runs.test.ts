import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '#server/notices/refusal.ts';
import type { RowView, RunEnd } from '#server/protocol/runs.ts';
import { readKeptRun } from '#server/runs/kept-run-file.ts';
import { LanguageClient, type RequestError } from '../../lsp/language-client.ts';

/** Values of every kind, nulls in rows and in collections, and a name that is its own enemy. */
const PROGRAM = `@param("least", 1).
@output("constructor").
@output("none").
@model("item", "['n:long', 'text:string', 'holds:boolean', 'day:date', 'at:timestamp', 'weight:double', 'parts:list<int>', 'note:string']").
item(1, "first", #T, 2031-04-09, 2031-04-09 10:11:12.345678, 12.5, [1, 2], "").
item(2, "sécond", #F, 1831-04-10, 2031-04-10 00:00:01, -3.0, [], "x").
item(9007199254740993, null, #T, 2031-04-11, 2031-04-11 00:00:01, 1.0e300, [3], null).
owner(N, Z) <- item(N, _, _, _, _, _, _, _).
constructor(N, T, B, D, A, W, P, E, Z, S) <- item(N, T, B, D, A, W, P, E), N >= ?least, owner(N, Z), S = [Z, N, "a"].
none(X) <- item(X, "none", _, _, _, _, _, _).
`;

let client: LanguageClient;
let file: string;

beforeAll(async () => {
    client = await LanguageClient.start({ trusted: true });
    file = join(client.folder, 'kept.rows');
});
afterEach(() => {
    for (const name of fs.readdirSync(client.folder)) fs.rmSync(join(client.folder, name));
});
afterAll(() => client.stop());

let documents = 0;
/** A document that no test has opened before. */
const fresh = (): string => `d${++documents}.rulelang`;

type Finished = Extract<RunEnd, { outcome: 'finished' }>;

async function run(text: string): Promise<Finished> {
    const name = fresh();
    await client.open(name, text);
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri(name) });
    const end = (await ended) as RunEnd;
    if (end.outcome !== 'finished') throw new Error(`${end.outcome}: ${end.notices.map(({ message }) => message).join('; ')}`);
    return end;
}

const uri = (): string => pathToFileURL(file).href;
const keep = (run: number, largest = 1 << 20) => client.request('rulelang/keep', { run, uri: uri(), note: 'of a', largest });

async function restore(): Promise<RunEnd> {
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/restore', { uri: uri() });
    return (await ended) as RunEnd;
}

const page = (run: number, view: RowView) => client.request('rulelang/page', { run, view, offset: 0, limit: 1000 });

async function refusal(asked: Promise<unknown>): Promise<string> {
    return await asked.then(
        () => expect.unreachable(),
        (reason: unknown) => (reason as RequestError).message,
    );
}

describe('rows that are kept', () => {
    test('come back as they were, are sorted, filtered and searched, and are for their owner alone', async () => {
        const end = await run(PROGRAM);
        const { bytes } = await keep(end.run);
        const status = fs.statSync(file);
        const [program, ...others] = fs.readdirSync(client.folder).filter(name => name !== 'kept.rows');
        expect([program, others]).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.program$/u), []]);
        const beside = fs.statSync(join(client.folder, program ?? ''));
        expect(status.size + beside.size).toBe(bytes);
        expect([status.mode & 0o777, beside.mode & 0o777]).toEqual([0o600, 0o600]);

        const back = await restore();
        expect(back).toEqual({ ...end, run: back.run, note: 'of a' });
        const key = end.outputs[0]?.key ?? '';
        const columns = Array.from({ length: 10 }, (_, column) => column);
        const views: RowView[] = [
            { output: key },
            { output: 'none/1' },
            { output: key, search: 'SÉC' },
            { output: key, search: 'z2' },
            ...columns.flatMap((column): RowView[] => [
                { output: key, sort: [{ column, descending: true }] },
                { output: key, sort: [{ column, descending: false }] },
                { output: key, filters: [{ column, operator: 'unknown', value: '' }] },
                { output: key, filters: [{ column, operator: 'greater', value: '2031-04-09' }] },
                { output: key, filters: [{ column, operator: 'contains', value: '2' }] },
            ]),
        ];
        for (const view of views) expect(await page(back.run, view), JSON.stringify(view)).toEqual(await page(end.run, view));
        const cell = { view: { output: key }, row: 2, column: 9 };
        expect(await client.request('rulelang/cell', { run: back.run, ...cell })).toEqual(
            await client.request('rulelang/cell', { run: end.run, ...cell }),
        );
    });

    test('are not explained without a new run', async () => {
        const end = await run('@output("p").\np(1).\n');
        await keep(end.run);
        const { run: back } = await restore();
        const asked = { run: back, view: { output: 'p/1' }, row: 0, all: false };
        expect(await refusal(client.request('rulelang/explain', asked))).toMatch(/Run the program again/u);
        expect(await refusal(client.request('rulelang/whyNot', { run: back, question: 'p(2)' }))).toMatch(/Run the program again/u);
        expect((await page(back, { output: 'p/1' })).cells).toEqual([['1']]);
    });

    test('are written whole or not at all', async () => {
        const end = await run('@output("p").\np("a text").\n');
        expect(await refusal(keep(end.run, 100))).toMatch(/more than are kept/u);
        expect(fs.readdirSync(client.folder)).toEqual([]);
        expect(await refusal(client.request('rulelang/keep', { run: end.run, uri: `${uri()}/no/x`, note: '', largest: 10_000 }))).toMatch(
            /kept\.rows/u,
        );
        expect((await page(end.run, { output: 'p/1' })).cells).toEqual([['a text']]);
    });

    test('that are damaged are refused with a word, wherever they are', async () => {
        const end = await run('@output("p").\np("a text").\np("another").\n');
        await keep(end.run);
        const whole = fs.readFileSync(file);
        const damaged = (at: number): Uint8Array => {
            const bytes = Uint8Array.from(whole);
            bytes[at] = (bytes[at] ?? 0) ^ 4;
            return bytes;
        };
        const files = [
            new Uint8Array(0),
            whole.subarray(0, 20),
            whole.subarray(0, whole.length - 1),
            Buffer.concat([whole, whole]),
            ...[0, 17, whole.length >> 1, whole.length - 40, whole.length - 1].map(damaged),
        ];
        for (const bytes of files) expect(() => readKeptRun(bytes)).toThrow(Refusal);
        fs.writeFileSync(file, damaged(17));
        expect(await restore()).toMatchObject({ outcome: 'failed', notices: [{ message: expect.stringMatching(/kept rows/u) }] });
        fs.rmSync(file);
        expect(await restore()).toMatchObject({ outcome: 'failed', notices: [{ message: expect.stringMatching(/kept\.rows/u) }] });
        fs.writeFileSync(file, whole);
        expect((await restore()).outcome).toBe('finished');
    });

    test('are written while others are answered', async () => {
        const end = await run('@output("n").\nn(0).\nn(M) <- n(N), N < 200000, M = N + 1.\n');
        const keeping = keep(end.run, 1 << 30);
        const order: string[] = [];
        await Promise.all([keeping.then(() => order.push('kept')), page(end.run, { output: 'n/1' }).then(() => order.push('page'))]);
        expect(order[0]).toBe('page');
    });
});

test('what a run was made of is kept with its rows: its program once, without passwords, its parameters and its sources', async () => {
    fs.writeFileSync(join(client.folder, 'own.csv'), 'a,b\n1,2\n');
    const text = (comment: string): string => `% ${comment}
@param("least", 1).
@param("door", "").
@bind("own", "csv useHeaders='true'", ".", "own.csv").
@qbind("item", "postgresql host='localhost', username='me', password='hunter22'", "shop", "SELECT 1 AS n").
@qbind("other", "postgresql host='localhost', username='me', password='\${door}'", "shop", "SELECT 1 AS n").
@output("p").
p(X) <- own(X, _), X >= ?least.
`;
    const kept = async (program: string, name: string) => {
        await client.open('a.rulelang', program);
        const ended = client.next('rulelang/runEnded');
        await client.request('rulelang/run', { uri: client.uri('a.rulelang'), parameters: { least: 1, door: 'def', apiToken: 'abc' } });
        const end = (await ended) as Finished;
        expect(end).toMatchObject({ outcome: 'finished' });
        const path = join(client.folder, name);
        await client.request('rulelang/keep', { run: end.run, uri: pathToFileURL(path).href, note: '', largest: 1 << 20 });
        return readKeptRun(fs.readFileSync(path)).about.inputs;
    };
    const [first, again] = [await kept(text('one'), 'first.rows'), await kept(text('one'), 'again.rows')];
    expect(again).toEqual(first);
    expect(first).toEqual({
        program: expect.stringMatching(/^[0-9a-f]{64}$/u),
        given: { least: 1 },
        sources: [
            { name: 'own.csv', stamp: expect.stringMatching(/^8 \d+$/u), bytes: 8, digest: expect.stringMatching(/^[0-9a-f]{64}$/u) },
            { name: 'shop' },
        ],
    });
    const programs = (): string[] => fs.readdirSync(client.folder).filter(name => name.endsWith('.program'));
    expect(programs()).toEqual([`${first?.program}.program`]);
    const stored = fs.readFileSync(join(client.folder, programs()[0] ?? ''), 'utf8');
    expect(stored).toMatch(/password='\$\{PASSWORD\}'/u);
    expect(stored).not.toContain('hunter22');
    expect((await kept(text('two'), 'other.rows'))?.program).not.toBe(first?.program);
    expect(programs()).toHaveLength(2);
});

test('rows of two runs that are kept are compared, and what differs is searched and sorted as any rows', async () => {
    const first = await run('@output("p").\np("ann", 1). p("bob", 2). p("eve", 3).\n');
    const [before, after] = ['before.rows', 'after.rows'].map(name => pathToFileURL(join(client.folder, name)).href);
    await client.request('rulelang/keep', { run: first.run, uri: before, note: 'of a', largest: 1 << 20 });
    await client.open('b.rulelang', '@output("p").\np("ann", 1). p("bob", 5). p("joe", 3).\n');
    const ran = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri('b.rulelang') });
    const second = (await ran) as RunEnd;
    await client.request('rulelang/keep', { run: second.run, uri: after, note: 'of b', largest: 1 << 20 });
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/compare', { before, after });
    const end = (await ended) as Finished;
    expect(end).toMatchObject({
        outcome: 'finished',
        note: 'of b',
        outputs: [{ key: 'p/2', rows: 4, difference: { added: 1, removed: 1, changed: 1 } }],
        difference: {
            changes: [
                { kind: 'changed', before: 'p("bob", 2).', after: 'p("bob", 5).' },
                { kind: 'changed', before: 'p("eve", 3).', after: 'p("joe", 3).' },
            ],
            sources: [],
            known: true,
        },
    });
    expect(end.notices.map(({ message }) => message)).toEqual([expect.stringMatching(/1 added, 1 removed, 1 changed: the same p_0/u)]);
    expect((await page(end.run, { output: 'p/2' })).cells).toEqual([
        ['changed, was', 'bob', '2'],
        ['changed, is now', 'bob', '5'],
        ['added', 'joe', '3'],
        ['removed', 'eve', '3'],
    ]);
    const added = { output: 'p/2', filters: [{ column: 0, operator: 'equals' as const, value: 'added' }] };
    expect((await page(end.run, added)).cells).toEqual([['added', 'joe', '3']]);
});
