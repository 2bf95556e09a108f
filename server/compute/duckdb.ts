import { createRequire } from 'node:module';
import { QueryFailed } from '#engine/queries.ts';
import { say } from '#language/program/say.ts';

export type DuckDb = typeof import('@duckdb/node-api');

/** Loaded by those who need it: everything else works where there is no DuckDB for the system. */
export function loadDuckDb(): DuckDb {
    try {
        return createRequire(import.meta.url)('@duckdb/node-api');
    } catch (error) {
        const reason = error instanceof Error ? error.message.split('\n')[0] : '';
        throw new QueryFailed(say`it needs the package @duckdb/node-api, which cannot be loaded: ${reason}`);
    }
}
