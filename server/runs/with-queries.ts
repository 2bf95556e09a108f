import type { Database } from '#engine/contracts/database.ts';
import { withQueryLacks } from '#engine/explain/query-questions.ts';
import { sqlEngine } from '#server/compute/sql-engine.ts';

/** Whether rules of a database have queries that an answer may ask. */
export function hasQueries({ program }: Database): boolean {
    return program.rules.some(({ tables }) => tables !== undefined);
}

/** Gives an answer once what it asked about the queries of these databases is known. One thread makes the answers the same each time. */
export async function withQueries<T>(
    databases: readonly Database[],
    maxMemory: number,
    checkpoint: () => void,
    answer: () => T,
): Promise<T> {
    const asked = databases.filter(hasQueries);
    if (asked.length === 0) return answer();
    const queries = sqlEngine({ memory: maxMemory / 2, threads: 1 });
    try {
        return await withQueryLacks(asked, queries, checkpoint, answer);
    } finally {
        queries.close();
    }
}
