import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundTable } from '#extension/sources/bound-table.ts';
import { columnProfile } from '#extension/sources/column-profile.ts';
import { sampleRows } from '#extension/sources/sample-rows.ts';
import type { Database, Source } from '#extension/sources/source.ts';
import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import { type Services, startServices } from '../api/services.ts';
import { sqliteScript } from '../support/sqlite-script.ts';

/** Rows and figures of tables, through services that read them. */
let services: Services;
let client: PlatformClient;
beforeAll(async () => {
    services = await startServices();
    client = platformClient({ baseUrl: services.base, token: services.token, fetch });
});
afterAll(() => services.stop());

const { signal } = new AbortController();
async function connected(databaseType: string, databaseName: string, more: Partial<Database> = {}): Promise<Source> {
    const database = { databaseType, host: services.folder, databaseName, username: '', password: '', ...more };
    const { sources, errorMessage } = await client.connectSource({ body: { database } });
    expect(errorMessage).toBeNull();
    const [source] = sources;
    if (source === undefined) throw new Error('nothing was connected');
    return source;
}
const rowsOf = async (source: Source, limit = 200) => {
    const { rows, more, distinct } = await sampleRows(client, await boundTable(client, source), limit, signal);
    return { rows, more, distinct };
};
const profileOf = async (source: Source, column: string) => columnProfile(client, await boundTable(client, source), column, signal);

test('of a file all rows come in their order, those that are the same, too', async () => {
    writeFileSync(join(services.folder, 'parts.csv'), 'part,price,a "b"\nnut,10,x\nbolt,9,\nbolt,9,\nscrew,,y\n');
    const source = await connected('csv', 'parts.csv');
    expect(await rowsOf(source)).toEqual({
        rows: [
            ['nut', '10', 'x'],
            ['bolt', '9', ''],
            ['bolt', '9', ''],
            ['screw', '', 'y'],
        ],
        more: false,
        distinct: false,
    });
    expect(await rowsOf(source, 3)).toMatchObject({ rows: { length: 3 }, more: true });
    expect(await profileOf(source, 'price')).toEqual({
        column: 'price',
        type: 'int',
        rows: 4,
        more: false,
        distinctRows: false,
        nulls: 0,
        empty: 1,
        distinct: 2,
        least: '9',
        most: '10',
        top: [
            { value: '9', count: 2 },
            { value: '10', count: 1 },
        ],
    });
    expect(await profileOf(source, 'part')).toMatchObject({ empty: 0, distinct: 3, least: 'bolt', most: 'screw', shortest: 3, longest: 5 });
    expect(await profileOf(source, 'a "b"')).toMatchObject({ empty: 2, distinct: 2, top: [{ value: 'x' }, { value: 'y' }] });
});

test('a file whose columns no query within a bind can name is read as it is', async () => {
    writeFileSync(join(services.folder, 'odd.csv'), "it's,n\na,1\na,1\nb,2\n");
    const source = await connected('csv', 'odd.csv');
    expect(await rowsOf(source)).toEqual({
        rows: [
            ['a', '1'],
            ['b', '2'],
        ],
        more: false,
        distinct: true,
    });
    expect(await rowsOf(source, 1)).toEqual({ rows: [['a', '1']], more: true, distinct: true });
    expect(await profileOf(source, "it's")).toMatchObject({
        rows: 2,
        distinctRows: true,
        nulls: 0,
        empty: 0,
        distinct: 2,
        least: 'a',
        most: 'b',
    });
});

test('separators and columns that were chosen stay as they are', async () => {
    writeFileSync(join(services.folder, 'tabs.csv'), 'a\tb\n1\tx\n2\ty\n');
    const source = await connected('csv', 'tabs.csv', { options: { delimiter: '\t' }, selectedColumns: ['b'] });
    expect((await rowsOf(source)).rows).toEqual([['x'], ['y']]);
});

test('nested values of JSON are texts', async () => {
    writeFileSync(join(services.folder, 'nested.json'), '[{"a":1,"b":{"c":2}},{"a":2.5},{"a":2.5}]');
    const source = await connected('json', 'nested.json');
    expect((await rowsOf(source)).rows).toEqual([
        [1, '{"c":2}'],
        [2.5, null],
        [2.5, null],
    ]);
    expect(await profileOf(source, 'b')).toMatchObject({ rows: 3, nulls: 2, distinct: 1 });
    expect(await profileOf(source, 'a')).toMatchObject({ least: '1', most: '2.5', distinct: 2 });
});

test('a database counts its own rows', async () => {
    await sqliteScript(
        join(services.folder, 'shop.db'),
        `CREATE TABLE "the orders" (id INTEGER PRIMARY KEY, "it's" TEXT, paid BOOLEAN);
INSERT INTO "the orders" VALUES (1, 'a', 1), (2, NULL, 0), (3, '', 1), (4, 'abc', NULL);`,
    );
    const source = await connected('sqlite', 'shop.db');
    expect((await rowsOf(source, 2)).rows.map(row => row.slice(0, 2))).toEqual([
        [1, 'a'],
        [2, null],
    ]);
    expect(await profileOf(source, "it's")).toMatchObject({ rows: 4, nulls: 1, empty: 1, distinct: 2, shortest: 1, longest: 3 });
    expect(await profileOf(source, 'paid')).toMatchObject({ nulls: 1, distinct: 2 });
});
