import { createRequire } from 'node:module';
import { QueryFailed } from '#engine/contracts/queries.ts';
import { say } from '#language/program/say.ts';
import { installedDuckDb } from './installed-duckdb.ts';

export type DuckDb = typeof import('@duckdb/node-api');

/** Loaded by those who need it: everything else works where there is no DuckDB for the system. */
export function loadDuckDb(): DuckDb {
    return duckDbOr(reason => new QueryFailed(say`it needs DuckDB, which is not installed here for this system: ${reason}`));
}

/** A file of the extension's package beside its modules. */
const PACKAGED = './duckdb.cjs';

/** DuckDB, or what is thrown where there is none. */
export function duckDbOr(unavailable: (reason: string) => Error): DuckDb {
    try {
        return installedDuckDb();
    } catch (error) {
        try {
            return createRequire(import.meta.url)(PACKAGED);
        } catch {
            throw unavailable((error instanceof Error && error.message.split('\n')[0]) || '');
        }
    }
}
