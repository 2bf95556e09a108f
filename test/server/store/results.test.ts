import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataDirectory, openDataDirectory } from '#server/store/data-directory.ts';
import { nullNames, OrderedWriter, orderedValueJson } from '#server/store/ordered-value.ts';
import type { StoredRows } from '#server/store/result-rows.ts';
import { deleteResults, dropUnfinishedResults, type NewResult, storedResults, storedRows, storeResults } from '#server/store/results.ts';
import { openStore, type Store } from '#server/store/store.ts';

let data: DataDirectory;
let store: Store;

beforeEach(async () => {
    data = openDataDirectory(join(fs.mkdtempSync(join(tmpdir(), 'rulelang-results-')), 'data'));
    store = await openStore(data);
    for (const id of ['one', 'two'])
        await store.run(
            `INSERT INTO concepts VALUES ($1, 'user', 'p', $1, 'logic', '', '', '{}', '{}', 'null', 'g', 'null', '{}', 'ada', '', '')`,
            [id],
        );
});

afterEach(async () => {
    await store.close();
    fs.rmSync(data.path, { recursive: true });
});

const tables = async (): Promise<string[]> =>
    (await store.query<{ name: string }>(`SELECT table_name AS name FROM duckdb_tables() WHERE starts_with(table_name, 'rows_')`)).map(
        row => row.name,
    );

/** Batches of rows of integers. */
async function* batches(rows: Iterable<readonly number[]>, size = 1000): AsyncIterable<StoredRows> {
    let writer = new OrderedWriter();
    let ends: number[] = [];
    let count = 0;
    const batch = (): StoredRows => ({ rows: count, bytes: writer.taken(), ends: Int32Array.from(ends) });
    for (const row of rows) {
        for (const value of row) {
            writer.integer(BigInt(value));
            ends.push(writer.length);
        }
        if (++count < size) continue;
        yield batch();
        [writer, ends, count] = [new OrderedWriter(), [], 0];
    }
    if (count > 0) yield batch();
}

function result(conceptId: string, executionId: string, rows: readonly (readonly number[])[], width = rows[0]?.length ?? 1): NewResult {
    return {
        conceptId,
        executionId,
        definitionHash: 'hash',
        cacheKey: 'key',
        columns: Array.from({ length: width }, (_, i) => ({ name: `c${i}`, type: 'INT' })),
        programs: () => '{}',
        rowCount: rows.length,
        batches: batches(rows),
    };
}

const pairs = (count: number): number[][] => Array.from({ length: count }, (_, i) => [i, (i * 7919) % count]);
const always = { check: (): void => undefined, settle: (): void => undefined };

async function page(conceptId: string, range: Parameters<typeof storedRows>[2]): Promise<unknown> {
    const stored = (await storedResults(store, [conceptId])).get(conceptId);
    if (stored === undefined) return undefined;
    const rows = await storedRows(store, stored, range);
    return rows?.map(row => row.map(value => JSON.parse(orderedValueJson(value, nullNames()))));
}

describe('stored results', () => {
    test('are replaced as a whole', async () => {
        expect(await storeResults(store, [result('one', 'x1', pairs(5))], always)).toEqual(new Set(['one']));
        expect(await page('one', { offset: 1, count: 2 })).toEqual([
            [1, 4],
            [2, 3],
        ]);
        await storeResults(store, [result('one', 'x2', [[9]])], always);
        expect(await page('one', { offset: 0, count: 10 })).toEqual([[9]]);
        expect(await tables()).toHaveLength(1);
        expect((await storedResults(store, ['one'])).get('one')).toMatchObject({ executionId: 'x2', rowCount: 1, cacheKey: 'key' });
    });

    test('without rows, and without columns', async () => {
        await storeResults(store, [result('one', 'x1', [], 2), result('two', 'x1', [[]], 0)], always);
        expect(await page('one', { offset: 0, count: 10 })).toEqual([]);
        expect(await page('two', { offset: 0, count: 10 })).toEqual([[]]);
    });

    test('in other orders, with equal rows in their stored order', async () => {
        const rows = [
            [1, 2, 0],
            [2, 1, 1],
            [1, 1, 2],
            [2, 2, 3],
            [1, 2, 4],
        ];
        await storeResults(store, [result('one', 'x1', rows)], always);
        const last = async (order: readonly { column: number; descending: boolean }[]): Promise<unknown> =>
            ((await page('one', { offset: 1, count: 3, order })) as number[][]).map(row => row[2]);
        expect(await last([{ column: 0, descending: false }])).toEqual([2, 4, 1]);
        expect(await last([{ column: 0, descending: true }])).toEqual([3, 0, 2]);
        expect(
            await last([
                { column: 1, descending: true },
                { column: 0, descending: false },
            ]),
        ).toEqual([4, 3, 2]);
    });

    test('large ones keep a few orders in tables, which go with them', async () => {
        const rows = pairs(25_000).map(([a = 0, b = 0]) => [a, b, a % 7, b % 3]);
        await storeResults(store, [result('one', 'x1', rows)], always);
        const expected = [...rows].sort((x, y) => (y[2] ?? 0) - (x[2] ?? 0) || (x[1] ?? 0) - (y[1] ?? 0));
        const order = [
            { column: 2, descending: true },
            { column: 1, descending: false },
        ];
        for (const offset of [0, 12_345, 24_990])
            expect(await page('one', { offset, count: 10, order })).toEqual(expected.slice(offset, offset + 10));
        expect(await tables()).toHaveLength(2);
        for (let i = 0; i < 12; i++)
            await page('one', {
                offset: 0,
                count: 1,
                order: [
                    { column: i % 4, descending: i % 2 === 0 },
                    { column: (i + 1) % 4, descending: i > 5 },
                ],
            });
        expect((await tables()).length).toBeLessThanOrEqual(9);
        await store.transaction(tx => deleteResults(tx, ['one']));
        expect(await tables()).toEqual([]);
        expect(await page('one', { offset: 0, count: 1 })).toBeUndefined();
    });

    test('of a concept that is gone are not kept', async () => {
        await store.run(`DELETE FROM concepts WHERE id = 'two'`);
        expect(await storeResults(store, [result('one', 'x1', pairs(2)), result('two', 'x1', pairs(2))], always)).toEqual(new Set(['one']));
        expect(await tables()).toHaveLength(1);
    });

    test('that end before all is there change nothing', async () => {
        await storeResults(store, [result('one', 'x1', [[1]])], always);
        let left = 2;
        const check = (): void => {
            if (--left < 0) throw new Error('stopped');
        };
        await expect(storeResults(store, [result('one', 'x2', pairs(200_000))], { ...always, check })).rejects.toThrow('stopped');
        expect(await page('one', { offset: 0, count: 9 })).toEqual([[1]]);
        expect(await tables()).toHaveLength(1);
    });

    test('others work while rows are stored', async () => {
        const storing = storeResults(store, [result('one', 'x1', pairs(200_000))], always);
        let written = 0;
        for (let done = false; !done; written++) {
            await store.run(`UPDATE concepts SET author = 'bob' WHERE id = 'two'`);
            expect(await page('one', { offset: 0, count: 1 })).toSatisfy(
                (rows: unknown) => rows === undefined || JSON.stringify(rows) === '[[0,0]]',
            );
            done = await Promise.race([storing.then(() => true), new Promise<boolean>(resolve => setTimeout(() => resolve(false), 1))]);
        }
        expect(written).toBeGreaterThan(3);
    });

    test('what a killed process left is taken away', async () => {
        await storeResults(store, [result('one', 'x1', pairs(25_000))], always);
        await page('one', { offset: 0, count: 1, order: [{ column: 1, descending: false }] });
        await store.run('CREATE TABLE rows_0123 (n INTEGER)');
        await store.close();
        store = await openStore(data);
        await dropUnfinishedResults(store);
        expect(await tables()).toHaveLength(2);
        expect(await page('one', { offset: 24_999, count: 5 })).toEqual([[24_999, (24_999 * 7919) % 25_000]]);
    });

    test('that are replaced while they are read say so', async () => {
        await storeResults(store, [result('one', 'x1', pairs(3))], always);
        const old = (await storedResults(store, ['one'])).get('one');
        if (old === undefined) throw new Error('nothing stored');
        await storeResults(store, [result('one', 'x2', pairs(3))], always);
        expect(await storedRows(store, old, { offset: 0, count: 1 })).toBeUndefined();
    });
});
