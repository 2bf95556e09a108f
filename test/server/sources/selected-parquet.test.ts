import { join } from 'node:path';
import { test } from 'vitest';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { folderWith } from '../../cli/command-line.ts';
import { compareSelections, SELECTED_TERMS } from '../../support/compare-selections.ts';
import { duckDbScript } from '../../support/duckdb-script.ts';

const { integers, doubles, texts, dates, timestamps, booleans } = SELECTED_TERMS;

/** One row for each of so many, with values in turn. */
const ROWS = 300;

function values(list: readonly string[], type: string, step: number): string {
    const literals = list.map(text => `'${text.replace(/^"|"$/gu, '').replaceAll('\\\\', '\\').replaceAll("'", "''")}'`);
    return `([${[...literals, 'NULL'].join(', ')}])[1 + (i * ${step}) % ${list.length + 1}]::${type}`;
}

test('what is asked of a Parquet file changes no answer', async () => {
    const folder = folderWith({});
    const columns = [
        values(integers, 'BIGINT', 1),
        values(['0', '1', '-1', '5', '6', '2147483647'], 'INTEGER', 1),
        values([...doubles, 'NaN', 'inf'], 'DOUBLE', 1),
        values(['0.1', '-0.1', '2.5', '5.5'], 'FLOAT', 1),
        values(['0.1', '2.5', '5.5', '5'], 'DECIMAL(10, 2)', 1),
        values(texts, 'VARCHAR', 1),
        values(dates, 'DATE', 1),
        values(timestamps, 'TIMESTAMP', 1),
        values(['true', 'false'], 'BOOLEAN', 1),
        "'00000000-0000-0000-0000-00000000000' || (i % 3)",
    ].map((value, i) => `${value} AS c${i}`);
    await duckDbScript(
        `COPY (SELECT ${columns.join(', ')} FROM range(${ROWS}) AS t(i)) TO '${join(folder, 't.parquet')}' (FORMAT parquet)`,
    );
    const grants = { ...NO_GRANTS, readRoots: [folder] };
    const access: SourceAccess = { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
    const types = ['long', 'int', 'double', 'double', 'double', 'string', 'date', 'timestamp', 'boolean', 'string'];
    const terms = [
        integers,
        integers,
        [...doubles, ...integers],
        doubles,
        doubles,
        texts,
        dates,
        [...timestamps, ...dates],
        booleans,
        texts,
    ];
    const described = types.map((type, i) => ({ name: `c${i}`, type, terms: terms[i] ?? [] }));
    await compareSelections({ bind: '"parquet", "", "t.parquet"', access, columns: described }, 40);
});
