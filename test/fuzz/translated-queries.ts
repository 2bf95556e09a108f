import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { parseSelect } from '#language/sql/parse-select.ts';
import { loadSqlite } from '#server/sources/sqlite/load-sqlite.ts';
import { sqlTranslation } from '#server/translate/sql/sql-program.ts';
import { observe } from '../support/conformance.ts';
import { readExpectation } from '../support/expected-facts.ts';
import { CREATES, insertOf, MODELS, ONE_NULL, randomQuery, randomRows, TABLES } from '../support/random-query.ts';
import type { Search } from './search.ts';

/** A query as a program has the rows that SQLite and DuckDB find, over tables full of NULLs; tells whether it became rules. */
export const translatedQueries: Search<'rules' | 'query'> = {
    name: 'translated-queries',
    text: seed => [...randomRows(seed), ...randomQuery(seed)].join('\n'),
    async check(text) {
        const lines = text.split('\n');
        const facts = lines.filter(line => /^[tu]\(/u.test(line));
        const query = lines.filter(line => !facts.includes(line)).join('\n');
        const script = CREATES + facts.map(insertOf).join('');
        const [wanted, same] = [await rowsIn(sqlite(), script, query), await rowsIn(duckDb(), script, query)];
        // Shorter cases are not all queries.
        if (wanted === undefined || same === undefined || !parseSelect(query).ok) return undefined;
        expect(distinct(wanted), 'SQLite and DuckDB').toEqual(distinct(same));
        const translation = sqlTranslation(query, TABLES);
        if (translation === undefined) throw new Error('No translation');
        const program = [MODELS, ONE_NULL, ...facts, translation.program].join('\n');
        const { facts: found, reports } = await observe(
            { folder: import.meta.dirname, expectation: readExpectation('') },
            program,
            evaluate,
        );
        const rows = (found.get('result') ?? []).map(row => rowText(row.map(cell => (/^z\d+$/u.test(cell) ? null : cell))));
        expect({ rows: distinct(rows), reports }, translation.program).toEqual({ rows: distinct(wanted), reports: [] });
        // Where SQL gives each row once, so does the program.
        if (new Set(wanted).size === wanted.length) expect(rows.length, translation.program).toBe(wanted.length);
        return translation.beyond === undefined ? 'rules' : 'query';
    },
};

function distinct(rows: readonly string[]): string[] {
    return [...new Set(rows)].sort();
}

/** Numbers and texts as they are compared. */
function rowText(row: readonly unknown[]): string {
    return JSON.stringify(
        row.map(cell => {
            if (cell === null) return null;
            const text = String(cell).replaceAll('"', '');
            return /^-?[\d.]+(?:e-?\d+)?$/u.test(text) ? Number(Number(text).toFixed(9)) : text;
        }),
    );
}

type FindRows = (script: string, query: string) => Promise<unknown[][]>;

/** Each has a database for all cases. */
const sqlite = once(async (): Promise<FindRows> => {
    const database = await loadSqlite(undefined);
    return async (script, query) => {
        database.run(script);
        const statement = database.prepare(query);
        const rows: unknown[][] = [];
        while (statement.step()) rows.push(statement.get(null, { useBigInt: true }));
        statement.free();
        return rows;
    };
});
const duckDb = once(async (): Promise<FindRows> => {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    return async (script, query) => {
        await connection.run(script);
        return (await connection.runAndReadAll(query)).getRows();
    };
});

function once<T>(make: () => T): () => T {
    let made: T | undefined;
    return () => {
        made ??= make();
        return made;
    };
}

/** Undefined for what is no query. */
async function rowsIn(database: Promise<FindRows>, script: string, query: string): Promise<string[] | undefined> {
    const find = await database;
    return await find(script, query).then(
        rows => rows.map(rowText),
        () => undefined,
    );
}
