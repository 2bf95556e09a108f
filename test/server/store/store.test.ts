import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DataDirectory, openDataDirectory } from '#server/store/data-directory.ts';
import { openStore, type Store } from '#server/store/store.ts';

let data: DataDirectory;
let store: Store;

beforeEach(async () => {
    data = openDataDirectory(join(fs.mkdtempSync(join(tmpdir(), 'rulelang-store-')), 'data'));
    store = await openStore(data);
});

afterEach(async () => {
    await store.close();
    fs.rmSync(data.path, { recursive: true });
});

const reopened = async (): Promise<Store> => {
    await store.close();
    store = await openStore(data);
    return store;
};

describe('statements', () => {
    test('values and rows are plain', async () => {
        await store.run('CREATE TABLE cells (t VARCHAR, n BIGINT, d DOUBLE, b BOOLEAN, h HUGEINT, l VARCHAR[])');
        await store.run('INSERT INTO cells VALUES ($1, $2, $3, $4, $5, $6)', [
            "it's\n\u0000",
            2 ** 53 - 1,
            0.1,
            true,
            2n ** 70n,
            ['a', 'b'],
        ]);
        await store.run('INSERT INTO cells VALUES ($1, $2, $3, $4, $5, $6)', [null, -1, -0.5, false, 1, []]);
        expect(await store.query('SELECT * FROM cells ORDER BY n DESC')).toEqual([
            { t: "it's\n\u0000", n: 2 ** 53 - 1, d: 0.1, b: true, h: 2n ** 70n, l: ['a', 'b'] },
            { t: null, n: -1, d: -0.5, b: false, h: 1, l: [] },
        ]);
        expect(await store.query('SELECT t FROM cells WHERE list_contains($1, n::VARCHAR)', [['-1']])).toEqual([{ t: null }]);
        expect(await store.run('DELETE FROM cells WHERE n > $1', [-5])).toBe(2);
    });

    test('many rows at once', async () => {
        await store.run('CREATE TABLE many (i BIGINT, t VARCHAR, d DOUBLE, b BOOLEAN, l VARCHAR[])');
        function* rows(): Iterable<readonly [number, string | null, number, boolean, readonly string[]]> {
            for (let i = 0; i < 10_000; i++) yield [i, i % 2 === 0 ? null : `t${i}`, i / 2, i % 3 === 0, [`${i}`]];
        }
        await store.transaction(async tx => {
            await tx.append('many', rows());
            expect(await tx.query('SELECT count(*) AS n FROM many')).toEqual([{ n: 10_000 }]);
        });
        expect(await store.query('SELECT * FROM many WHERE i = 777')).toEqual([{ i: 777, t: 't777', d: 388.5, b: true, l: ['777'] }]);
        expect(await store.query('SELECT count(t) AS texts, sum(d)::DOUBLE AS total FROM many')).toEqual([
            { texts: 5000, total: 24_997_500 },
        ]);
    });

    test.each([
        "SELECT * FROM read_text('/etc/hostname')",
        "ATTACH '/tmp/other.duckdb'",
        "COPY (SELECT 1) TO '/tmp/rulelang-out.csv'",
        'SET threads = 8',
        'SET enable_external_access = true',
        'INSTALL httpfs',
        'LOAD httpfs',
    ])('%s is refused', async sql => {
        await expect(store.run(sql)).rejects.toThrow(/disabled|locked|not found/u);
    });
});

describe('transactions', () => {
    beforeEach(() => store.run('CREATE TABLE counters (n BIGINT)'));

    test('one that throws leaves nothing, and its error comes through', async () => {
        const failing = store.transaction(async tx => {
            await tx.run('INSERT INTO counters VALUES (1)');
            throw new RangeError('enough');
        });
        await expect(failing).rejects.toThrow(new RangeError('enough'));
        expect(await store.query('SELECT * FROM counters')).toEqual([]);
    });

    test('a bad statement leaves nothing and does not stop the next', async () => {
        const failing = store.transaction(async tx => {
            await tx.run('INSERT INTO counters VALUES (1)');
            await tx.run('INSERT INTO nowhere VALUES (1)');
        });
        await expect(failing).rejects.toThrow(/nowhere/u);
        await store.run('INSERT INTO counters VALUES (2)');
        expect(await store.query('SELECT * FROM counters')).toEqual([{ n: 2 }]);
    });

    test('looking and then writing is safe', async () => {
        await store.run('INSERT INTO counters VALUES (0)');
        const increment = (): Promise<number> =>
            store.transaction(async tx => {
                const [row] = await tx.query<{ n: number }>('SELECT n FROM counters');
                await new Promise(setImmediate);
                await tx.run('UPDATE counters SET n = $1', [(row?.n ?? 0) + 1]);
                return row?.n ?? 0;
            });
        const seen = await Promise.all(Array.from({ length: 40 }, increment));
        expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => i));
    });

    test('readers see what was committed, and do not wait', async () => {
        await store.transaction(async tx => {
            await tx.run('INSERT INTO counters VALUES (1)');
            expect(await store.query('SELECT * FROM counters')).toEqual([]);
            expect(await tx.query('SELECT * FROM counters')).toEqual([{ n: 1 }]);
        });
        expect(await store.query('SELECT * FROM counters')).toEqual([{ n: 1 }]);
    });
});

describe('the file', () => {
    test('only the owner can read it, and everything is there again', async () => {
        await store.run('CREATE TABLE kept AS SELECT 1 AS one');
        expect(fs.statSync(join(data.path, 'store')).mode & 0o777).toBe(0o700);
        expect(fs.statSync(join(data.path, 'store/rulelang.duckdb')).mode & 0o777).toBe(0o600);
        expect(await (await reopened()).query('SELECT * FROM kept')).toEqual([{ one: 1 }]);
        await store.close();
        expect(fs.readdirSync(join(data.path, 'store'))).toEqual(['rulelang.duckdb', 'rulelang.duckdb.committed']);
        store = await openStore(data);
    });

    test('a second handle in one process is refused', async () => {
        await expect(openStore(data)).rejects.toThrow('is open already');
        await store.run('CREATE TABLE still AS SELECT 1 AS one');
    });
});
