import { expect, test } from 'vitest';
import { Dictionary } from '#engine/values/dictionary.ts';
import { openClosedDatabase } from '#server/compute/closed-database.ts';
import { columnReader } from '#server/compute/result-values.ts';

/** Texts of all lengths around that up to which vectors hold them, some of many pages, with signs of one to four bytes. */
const TEXTS = `CASE WHEN i % 13 = 0 THEN NULL
    WHEN i % 977 = 0 THEN repeat('long 𝄞 ', 200 + i)
    WHEN i % 3 = 0 THEN left('ä€𝄞 some text and more of it', i % 29)
    WHEN i % 3 = 1 THEN left('plain text of ASCII signs', i % 26) || i % 100
    ELSE 'customer_' || hash(i) % 500 || '_name' END`;

test.each([
    ['of a heap', `SELECT ${TEXTS} FROM range(20000) AS t(i)`],
    ['of a table', 'SELECT x FROM texts'],
    ['of a table, in another order', 'SELECT x FROM texts ORDER BY hash(x)'],
    ['that are packed', "SELECT x || '' FROM (SELECT x FROM texts WHERE length(x) > 20)"],
    ['that are unknown', 'SELECT NULL::VARCHAR FROM range(5000)'],
    ['that are empty', "SELECT '' FROM range(5000)"],
])('texts %s are read as the driver gives them', async (_, query) => {
    const { duckdb, connection, close } = await openClosedDatabase(
        { memory: 2 ** 29, threads: 2 },
        `CREATE TABLE texts AS SELECT ${TEXTS} AS x FROM range(20000) AS t(i)`,
    );
    try {
        const dictionary = new Dictionary();
        const read = columnReader(dictionary, { freshNull: () => dictionary.freshNull('test') }, duckdb);
        const result = await connection.stream(query);
        let rows = 0;
        for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
            const ids = new Int32Array(chunk.rowCount);
            read(chunk.getColumnVector(0), chunk.rowCount, ids);
            const found = Array.from(ids, id => (dictionary.isNull(id) ? null : dictionary.stringOf(id)));
            expect(found).toEqual(chunk.getColumnValues(0));
            rows += chunk.rowCount;
        }
        expect(rows).toBeGreaterThan(1000);
    } finally {
        close();
    }
});
