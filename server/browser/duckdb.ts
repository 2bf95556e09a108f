import { QueryFailed } from '#engine/contracts/queries.ts';
import { say } from '#language/program/say.ts';
import type { DuckDb } from '#server/compute/duckdb.ts';

/** A browser has no DuckDB. */
export function loadDuckDb(): DuckDb {
    throw new QueryFailed(
        say`it needs DuckDB, which a page in a browser does not have; run the program on the command line or in an installed editor`,
    );
}
