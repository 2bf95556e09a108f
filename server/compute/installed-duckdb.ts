import { createRequire } from 'node:module';
import type { DuckDb } from './duckdb.ts';

/** The driver among the installed packages. The worker thread of the command line has a bundle of it, with the same native parts. */
export function installedDuckDb(): DuckDb {
    return createRequire(import.meta.url)('@duckdb/node-api');
}
