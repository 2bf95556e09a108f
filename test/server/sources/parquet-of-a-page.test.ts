import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readParquetFooter } from '#engine/sources/parquet-footer.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { termText } from '#engine/values/text.ts';
import { MIXED } from '#language/program/types.ts';
import files, { mountFiles } from '#server/browser/file-system.ts';
import { readParquet as readInPage } from '#server/browser/parquet-reader.ts';
import { openFileDatabase } from '#server/compute/closed-database.ts';
import { type ParquetScan, readParquet } from '#server/compute/parquet-reader.ts';
import { folderWith } from '../../cli/command-line.ts';
import { duckDbScript } from '../../support/duckdb-script.ts';

/** Two rows of values at the edges of their types. */
const ROWS = [
    `1.10::DECIMAL(10, 2), 12345678901234567890123456789012345678::DECIMAL(38, 0), 5::DECIMAL(3, 0), -9007199254740993::DECIMAL(18, 0),
18446744073709551615::UBIGINT, 'nan'::DOUBLE, '-inf'::FLOAT, DATE '10000-01-01', TIMESTAMP '12000-01-01 00:00:00', [1.5]`,
    `-0.05, -9223372036854775808, NULL, 999999999999999999, 7::UBIGINT, 0.1, 0.1, DATE '9999-12-31', TIMESTAMP '0001-01-01 00:00:00', [NULL]`,
];

const WAYS = [undefined, 'digits', 'double'] as const;

test.each(WAYS)('a page reads as DuckDB does: %s', async as => {
    const path = join(folderWith({}), 'x.parquet');
    await duckDbScript(`COPY (SELECT ${ROWS[0]} UNION ALL SELECT ${ROWS[1]}) TO '${path}' (FORMAT parquet)`);
    const bytes = new Uint8Array(readFileSync(path));
    mountFiles([['/x.parquet', bytes]]);
    const handle = `/proc/self/fd/${files.openSync('/x.parquet', files.constants.O_RDONLY)}`;
    const { columns } = readParquetFooter({ size: bytes.length, readAt: (into, at) => copied(bytes, into, at) }, expect.fail);
    const wanted = columns.map(({ scale, excess }, at) => ({ at, ...(as && (scale ?? excess) !== undefined && { as }) }));
    const read = async (reader: typeof readParquet, from: string): Promise<string[]> => {
        const database = await openFileDatabase([from]);
        const dictionary = new Dictionary();
        const told: string[] = [];
        const scan: ParquetScan = { path: from, columns: columns.length, wanted, comparedColumn: () => undefined };
        await reader(database, scan, dictionary, {
            nullFor: () => dictionary.freshNull('x'),
            unread: (column, text, row) => {
                told.push(`${column} of ${row}: ${text}`);
                return dictionary.freshNull('x');
            },
            add: (ids, count) => {
                for (let row = 0; row < count; row++)
                    told.push(ids.map(column => termText(dictionary, column[row] ?? 0, MIXED, () => 'z')).join());
            },
        });
        database.close();
        return told.sort();
    };
    const expected = await read(readParquet, path);
    expect(expected).toHaveLength(as === undefined ? 8 : 6);
    expect(await read(readInPage, handle)).toEqual(expected);
});

function copied(bytes: Uint8Array, into: Uint8Array, at: number): number {
    const piece = bytes.subarray(at, at + into.length);
    into.set(piece);
    return piece.length;
}
