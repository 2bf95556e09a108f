import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { folderWith } from '../../cli/command-line.ts';
import { duckDbScript } from '../../support/duckdb-script.ts';
import { describeEdges, describeWritten, type EdgeTable } from '../../support/edge-values.ts';
import { sqliteScript } from '../../support/sqlite-script.ts';
import { workbookOf } from '../../support/workbook.ts';

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

const FILES = { access: accessTo, folder: () => folderWith({}) };

const TABLES: readonly EdgeTable[] = [
    {
        ...FILES,
        source: 'csv',
        bind: { source: 'csv useHeaders=true', outer: '', inner: 'x.csv' },
        put: (folder, edges) => {
            const lines = [edges.map(({ name }) => name), edges.map(({ literal }) => literal)].map(cells => `${cells.join(',')}\n`);
            writeFileSync(join(folder, 'x.csv'), lines.join(''));
        },
    },
    {
        ...FILES,
        source: 'json',
        bind: { source: 'json', outer: '', inner: 'x.json' },
        put: (folder, edges) => {
            const members = edges.map(({ name, literal }) => `"${name}": ${literal}`);
            writeFileSync(join(folder, 'x.json'), `[{${members.join(', ')}}]`);
        },
    },
    {
        ...FILES,
        source: 'parquet',
        bind: { source: 'parquet', outer: '', inner: 'x.parquet' },
        put: async (folder, edges) => {
            const columns = edges.map(({ name, literal }) => `${literal} AS ${name}`);
            await duckDbScript(`COPY (SELECT ${columns.join(', ')}) TO '${join(folder, 'x.parquet')}' (FORMAT parquet)`);
        },
    },
    {
        ...FILES,
        source: 'excel',
        bind: { source: 'excel', outer: '', inner: 'x.xlsx' },
        put: (folder, edges) =>
            writeFileSync(join(folder, 'x.xlsx'), workbookOf({ S: `<x:row>${edges.map(({ literal }) => literal).join('')}</x:row>` })),
    },
    {
        ...FILES,
        source: 'sqlite',
        bind: { source: 'sqlite', outer: 'x.db', inner: 'x' },
        put: async (folder, edges) => {
            const parts = edges.map(({ name, literal }) => [name, ...(/^(.*?): (.*)$/u.exec(literal) ?? []).slice(1)] as const);
            await sqliteScript(
                join(folder, 'x.db'),
                `CREATE TABLE x (${parts.map(([name, type]) => `${name} ${type}`).join(', ')}); INSERT INTO x VALUES (${parts.map(([, , text]) => text).join(', ')})`,
            );
        },
    },
];

for (const table of TABLES) describeEdges(table);

/** How each type writes; days before 1900 are none of Excel. */
const WRITTEN: readonly (readonly [EdgeTable['source'], source: string, inner: string, refused?: readonly string[]])[] = [
    ['csv', 'csv multiline=true', 'x.csv'],
    ['csv', "csv multiline=true, nullString='', useHeaders=true", 'x.csv'],
    ['csv', "csv multiline=true, nullString=''", 'x.csv'],
    ['csv', "csv multiline=true, decimal=',', thousands='.', delimiter=';'", 'x.csv'],
    ['csv', "csv multiline=true, decimal=',', quoteMode=all", 'x.csv.gz'],
    ['json', 'json', 'x.json'],
    ['json', 'json', 'x.ndjson'],
    ['parquet', 'parquet', 'x.parquet'],
    ['excel', 'excel useHeaders=true', 'x.xlsx', ['0001-01-01', '9223372036854775807', '9007199254740993', '9999-12-31 23:59:59.999999']],
    ['sqlite', 'sqlite', 'x'],
];

for (const [source, text, inner, refused = []] of WRITTEN)
    describeWritten({
        ...FILES,
        source,
        bind: { source: text, outer: source === 'sqlite' ? 'x.db' : '', inner },
        refused,
        leavesBlanks: source === 'excel',
    });
