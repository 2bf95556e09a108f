import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { CONNECTED_TYPES } from '#language/library/connected-sources.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import { peekSource, runConnectors } from '#server/sources/connectors.ts';
import { folderWith } from '../../cli/command-line.ts';
import { type DescribedSource, describeSource } from '../../support/describe-source.ts';
import { duckDbScript } from '../../support/duckdb-script.ts';
import { sqliteScript } from '../../support/sqlite-script.ts';
import { workbookOf } from '../../support/workbook.ts';

const DESCRIBED: readonly DescribedSource[] = [
    {
        type: 'csv',
        options: 'useHeaders=true',
        put: (folder, inner, rows) =>
            writeFileSync(join(folder, inner), ['name,size', ...rows.map(row => row.join(','))].map(line => `${line}\n`).join('')),
        inner: word => `${word}.csv`,
        hasLines: true,
    },
    {
        type: 'json',
        put: (folder, inner, rows) => writeFileSync(join(folder, inner), JSON.stringify(rows.map(([name, size]) => ({ name, size })))),
        inner: word => `${word}.json`,
        hasLines: true,
    },
    {
        type: 'parquet',
        put: async (folder, inner, rows) => {
            const values = rows.map(([name, size]) => `('${name}', '${size}')`).join(', ');
            const isWhole = rows.every(([, size]) => typeof size === 'number');
            const size = isWhole ? 'size::INTEGER AS size' : 'size';
            await duckDbScript(
                `COPY (SELECT name, ${size} FROM (VALUES ${values}) AS t(name, size)) TO '${join(folder, inner)}' (FORMAT parquet)`,
            );
        },
        inner: word => `${word}.parquet`,
        hasLines: false,
    },
    {
        type: 'excel',
        options: 'useHeaders=true',
        put: (folder, inner, rows) => writeFileSync(join(folder, inner), workbookOf({ People: [['name', 'size'], ...rows] })),
        inner: word => `${word}.xlsx`,
        hasLines: true,
    },
    {
        type: 'text',
        put: (folder, inner, rows) => writeFileSync(join(folder, inner), rows.map(([name]) => `${name}\n`).join('')),
        inner: word => `${word}.txt`,
        hasLines: true,
        numbersLines: true,
    },
    {
        type: 'sqlite',
        put: (folder, inner, rows) => putTable(join(folder, 'data.db'), inner, rows),
        outer: 'data.db',
        inner: word => word,
        hasLines: false,
    },
];

async function putTable(path: string, table: string, rows: readonly (readonly [string, number | string])[]): Promise<void> {
    const values = rows.map(([name, size]) => `('${name}', '${size}')`).join(', ');
    await sqliteScript(
        path,
        `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (name TEXT, size INTEGER); INSERT INTO ${table} VALUES ${values}`,
    );
}

/** Those that need a server: `test/databases` describes them. */
const DATABASES = ['postgresql', 'mysql', 'mariadb'];
/** What only is read: `binary-file.test.ts` describes it. */
const READ = 'binary';

for (const described of DESCRIBED) describeSource(described);

test('every type that is connected is described', () => {
    expect([...DESCRIBED.map(({ type }) => type), READ, ...DATABASES].sort()).toEqual([...CONNECTED_TYPES].sort());
});

const folder = folderWith({ 'in.json': '[{"b": 2, "a": "x"}]', 'cut.json': '[{"b": 2, "a": "x"}, {"c"' });
const access = {
    grants: { ...NO_GRANTS, readRoots: [folder] },
    programFile: join(folder, 'p.rulelang'),
    currentFolder: folder,
    parameters: () => undefined,
};

function bindTo(type: string, file: string): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "${type}", "", "${file}").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

test('JSON shows its columns only as a whole: those of a front say nothing about their order', async () => {
    expect((await peekSource(bindTo('json', 'in.json'), access))?.columns).toEqual([
        { name: 'a', type: { kind: 'string' } },
        { name: 'b', type: { kind: 'int' } },
    ]);
    expect(await peekSource(bindTo('json', 'cut.json'), access)).toBeUndefined();
});

test.each(['oracle', 'http_csv', 'iceberg', 'api', 'rdf'])('there is no connector for %s', type => {
    const bind = bindTo(type, 'x');
    expect(runConnectors(access).source(bind)).toBeUndefined();
    expect(runConnectors(access).sink(bind)).toBeUndefined();
});
