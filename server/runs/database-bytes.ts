import type { Database } from '#engine/contracts/database.ts';

/** Bytes that the rows and values of a database hold. */
export function bytesOf(database: Database): number {
    let bytes = database.dictionary.bytes;
    for (const key of database.program.predicates.keys()) {
        for (const column of database.relation(key)?.columns ?? []) bytes += column.byteLength;
    }
    return bytes;
}
