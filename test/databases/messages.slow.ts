import { describe, expect, test } from 'vitest';
import type { RowTarget } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import { runConnectors } from '#server/sources/connectors.ts';
import { ended, folderWith, start } from '../cli/command-line.ts';
import { postgresqlShop } from './shop.ts';

const postgresql = await postgresqlShop('messages', 'pw');

/** Columns of all types that have values, and what fills them. */
const COLUMNS: Readonly<Record<string, string>> = {
    small: '(random() * 65535 - 32768)::int2',
    number: '((random() - 0.5) * 2 * 10 ^ (random() * 9.3))::int4',
    big: "CASE i % 50 WHEN 0 THEN 9223372036854775807 WHEN 1 THEN '-9223372036854775808' ELSE ((random() - 0.5) * 10 ^ (random() * 18))::int8 END",
    single: '((random() - 0.5) * 10 ^ (random() * 40 - 20))::float4',
    double: "CASE i % 50 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' WHEN 2 THEN '-0' WHEN 3 THEN '5e-324' ELSE (random() - 0.5) * 10 ^ (random() * 40 - 20) END::float8",
    amount: "CASE i % 50 WHEN 0 THEN 'NaN' ELSE round(((random() - 0.5) * 10 ^ (random() * 30))::numeric, (random() * 20)::int) END",
    written: 'repeat(chr(((random() * 8 * i)::int % 300) + 1), (random() * 9)::int) || repeat(chr(92) || chr(9) || chr(10), i % 3)',
    long: "CASE i % 500 WHEN 0 THEN repeat('ä' || chr(119070), 20000) ELSE repeat('ab' || chr(10), (random() * 30)::int) END",
    digits: "CASE i % 3 WHEN 0 THEN (random() * 1000)::int::text WHEN 1 THEN random()::text ELSE '2031-04-09' END",
    blank: 'repeat(chr((random() * 90)::int + 33), i % 4)::char(6)',
    bits: '(random() * 31)::int::bit(5)',
    letters: "ARRAY[repeat('x', i % 5), 'ab']::char(4)[]",
    truth: 'random() < 0.5',
    day: "CASE i % 50 WHEN 0 THEN 'infinity' ELSE date '0001-01-01' + (random() * 4000000)::int END",
    at: "CASE i % 50 WHEN 0 THEN '-infinity' WHEN 1 THEN date_trunc('day', now()) ELSE date_trunc(CASE i % 2 WHEN 0 THEN 'second' ELSE 'microsecond' END, timestamp '1970-01-01' + (random() - 0.5) * interval '3900 years') END",
    zoned: "date_trunc(CASE i % 2 WHEN 0 THEN 'second' ELSE 'microsecond' END, timestamptz '1970-01-01' + (random() - 0.5) * interval '500 years')",
    early: "CASE i % 2 WHEN 0 THEN timestamp '0001-03-01 10:15:00 BC' ELSE '0009-03-01 10:15:00' END - random() * interval '1000 years'",
    tree: "json_build_object('a', i, 'b', json_build_array(random(), null, 'x', true))",
    flat: 'CASE i % 2 WHEN 0 THEN to_jsonb(random()::text) ELSE to_jsonb(i) END',
    uuid: 'md5(random()::text)::uuid',
    list: 'ARRAY[i, NULL, (random() * 100)::int]',
    texts: `ARRAY['a b', NULL, chr(34) || chr(92), repeat('x', i % 5)]`,
    span: "random() * interval '1000 days'",
    host: `('10.0.' || (i % 256) || '.1')::inet`,
};

const ROWS = 1500;

const cells = Object.entries(COLUMNS).map(([name, made]) => `CASE WHEN random() < 0.1 THEN NULL ELSE ${made} END AS ${name}`);
postgresql.execute(`SELECT setseed(0.61);
CREATE TABLE t AS SELECT i AS id, ${cells.join(', ')} FROM generate_series(1, ${ROWS}) AS i;
ANALYZE t;`);

/** The rows of a source as texts, and what it reports, where rows are taken many at a time, or one by one. */
async function readIn(bind: string, type: Type | undefined, isTogether: boolean) {
    const [found] = analyse(readProgram(bind, 'p.rulelang').value).binds;
    const access = {
        grants: { ...NO_GRANTS, hosts: [{ host: '127.0.0.1' }] },
        programFile: '/p.rulelang',
        currentFolder: '/',
        parameters: () => undefined,
    };
    const dictionary = new Dictionary();
    const names = ['id', ...Object.keys(COLUMNS)];
    const rows: string[] = [];
    const told: string[] = [];
    let sizes = 0;
    const addRow = (idAt: (column: number) => number): void => {
        const texts = names.map((_, column) => {
            const id = idAt(column);
            return dictionary.isNull(id) ? 'null' : `${dictionary.kind(id)} ${textOf(dictionary, id, MIXED, () => 'null')}`;
        });
        rows.push(texts.join('\u0000'));
    };
    const target: RowTarget = {
        dictionary,
        columns: names.map(name => ({ name, type: type ?? MIXED, cast: type !== undefined })),
        add: row => addRow(column => row[column] ?? 0),
        ...(isTogether && {
            addRows: (columns, count) => {
                sizes = Math.max(sizes, count);
                for (let row = 0; row < count; row++) addRow(column => columns[column]?.[row] ?? 0);
            },
        }),
        checkpoint: () => undefined,
        report: ({ code, message }) => told.push(`${code} ${message}`),
    };
    if (found === undefined) return expect.fail('There is no bind');
    await runConnectors(access).source(found)?.load(target);
    return { rows, told, isMany: sizes > 1 };
}

const PLACE = `"postgresql host='127.0.0.1', port=${postgresql.port}, username='${postgresql.owner}', password='pw'", "${postgresql.database}"`;

describe.each([
    ['a table', `@bind("p", ${PLACE}, "t").`],
    ['a query', `@qbind("p", ${PLACE}, "SELECT * FROM t WHERE id > 7").`],
])('%s', (_, bind) => {
    test.each([undefined, 'string', 'int', 'long', 'double', 'boolean', 'date', 'timestamp', 'json'] as const)(
        'gives the same values of all types together and one by one, as %s',
        async kind => {
            const type = kind && { kind };
            const together = await readIn(bind, type, true);
            const apart = await readIn(bind, type, false);
            expect([together.isMany, apart.isMany]).toEqual([true, false]);
            expect(together.rows.length).toBeGreaterThan(ROWS - 10);
            expect(together.told).toEqual(apart.told);
            for (const [i, row] of together.rows.entries()) expect(row).toBe(apart.rows[i]);
        },
    );
});

test('rows are the same through TLS', async () => {
    // Connections without a certificate are as before.
    postgresql.administer(`COPY (SELECT '') TO PROGRAM 'openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 2 -keyout server.key -out server.crt';
ALTER SYSTEM SET ssl = on;
SELECT pg_reload_conf();`);
    await expect.poll(() => postgresql.administer('SHOW ssl;').trim(), { timeout: 300_000 }).toBe('on');
    const inClear = await readIn(`@bind("p", ${PLACE}, "t").`, undefined, true);
    const encrypted = await readIn(`@bind("p", ${PLACE.replace("'pw'", "'pw', sslmode='require'")}, "t").`, undefined, true);
    expect(encrypted).toEqual(inClear);
    await expect(readIn(`@bind("p", ${PLACE.replace("'pw'", "'pw', sslmode='verify-full'")}, "t").`, undefined, true)).rejects.toThrow(
        /cannot be trusted/u,
    );
});

test('rows are the same where they are copied into a table, and where a policy has them inserted', async () => {
    const names = ['id', ...Object.keys(COLUMNS)].filter(name => name !== 'early');
    // What this program has no values for, or other ones, is none of the rows that were there.
    const exact = names.filter(name => !['single', 'double', 'amount', 'day', 'at', 'tree', 'blank'].includes(name));
    postgresql.execute(`CREATE TABLE copied (LIKE t); ALTER TABLE copied DROP early; CREATE TABLE inserted (LIKE copied); ALTER TABLE inserted ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY p ON inserted FOR ALL USING (true) WITH CHECK (true);`);
    const variables = names.map((_, i) => `V${i}`).join(', ');
    const all = ['id', ...Object.keys(COLUMNS)].map(name => (name === 'early' ? '_' : `V${names.indexOf(name)}`)).join(', ');
    const program = ['copied', 'inserted'].map(
        table => `@output("${table}"). @bind("${table}", ${PLACE}, "${table}"). ${table}(${variables}) <- t(${all}).\n`,
    );
    const folder = folderWith({ 'p.rulelang': `@bind("t", ${PLACE}, "t").\n${program.join('')}` });
    const { code, stderr } = await ended(
        start(folder, ['run', 'p.rulelang', '--limit', '0', '--allow-net', `127.0.0.1:${postgresql.port}`]),
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('RT021')]);
    const rowOf = (table: string, columns: readonly string[]) => `row(${columns.map(name => `${table}.${name}`).join(', ')})::text`;
    const same = (left: string, right: string, columns: readonly string[]) =>
        postgresql
            .execute(`SELECT count(*) FROM ${left} JOIN ${right} USING (id) WHERE ${rowOf(left, columns)} = ${rowOf(right, columns)};`)
            .trim();
    expect(same('copied', 'inserted', names)).toBe(String(ROWS));
    expect(same('copied', 't', exact)).toBe(String(ROWS));
});
