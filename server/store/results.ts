import { gunzipSync, gzipSync } from 'node:zlib';
import { dropForgottenRows, dropRows, readRows, rowsTable, type SortColumn, type StoredRows, stageRows } from './result-rows.ts';
import type { Reader, Store, Transaction } from './store.ts';

/** Facts about the stored rows of a concept, without reading the rows. */
export interface StoredResult {
    readonly conceptId: string;
    readonly executionId: string;
    /** Of the definition that made them. */
    readonly definitionHash: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly rowCount: number;
    /** Equal for runs that must give the same rows. */
    readonly cacheKey: string;
}

interface ResultRow {
    readonly concept_id: string;
    readonly execution_id: string;
    readonly definition_hash: string;
    readonly columns: string;
    readonly row_count: number;
    readonly cache_key: string;
}

/** Returns the stored results of these concepts, by their ids; none for concepts that never ran, or whose rows are not persisted. */
export async function storedResults(reader: Reader, conceptIds: readonly string[]): Promise<ReadonlyMap<string, StoredResult>> {
    const sql =
        'SELECT concept_id, execution_id, definition_hash, columns, row_count, cache_key FROM results WHERE list_contains($1, concept_id)';
    const rows = await reader.query<ResultRow>(sql, [conceptIds]);
    return new Map(
        rows.map(row => [
            row.concept_id,
            {
                conceptId: row.concept_id,
                executionId: row.execution_id,
                definitionHash: row.definition_hash,
                columns: JSON.parse(row.columns),
                rowCount: row.row_count,
                cacheKey: row.cache_key,
            },
        ]),
    );
}

/** Takes the stored rows of concepts away. */
export async function deleteResults(tx: Transaction, conceptIds: readonly string[]): Promise<void> {
    for (const result of (await storedResults(tx, conceptIds)).values()) await dropRows(tx, tableOf(result));
    for (const table of ['results', 'result_programs'])
        await tx.run(`DELETE FROM ${table} WHERE list_contains($1, concept_id)`, [conceptIds]);
}

/** Makes rows that the definition with the hash `from` made count as made by the one with the hash `to`. */
export async function movedDefinition(tx: Transaction, conceptId: string, from: string, to: string): Promise<void> {
    const sql = 'UPDATE results SET definition_hash = $1 WHERE concept_id = $2 AND definition_hash = $3';
    await tx.run(sql, [to, conceptId, from]);
}

/** A result with its rows, which are read once. */
export interface NewResult extends StoredResult {
    /** The programs that made it, in the form that explanations read. */
    readonly programs: () => string;
    readonly batches: AsyncIterable<StoredRows>;
}

/**
 * Puts results in the place of what was stored for their concepts, all of them at once, and gives the ids of those concepts that are still
 * there. Nothing changes before all rows have come; `check` throws to end it before, and is not asked again once `settle` was called.
 */
export async function storeResults(
    store: Store,
    results: readonly NewResult[],
    { check, settle }: { readonly check: () => void; readonly settle: () => void },
): Promise<ReadonlySet<string>> {
    if (results.length === 0) {
        settle();
        return new Set();
    }
    try {
        for (const result of results) await stageRows(store, tableOf(result), result.columns.length, result.batches, check);
        return await store.transaction(async tx => {
            check();
            settle();
            const sql = 'SELECT id FROM concepts WHERE list_contains($1, id)';
            const there = await tx.query<{ id: string }>(sql, [results.map(({ conceptId }) => conceptId)]);
            const ids = new Set(there.map(({ id }) => id));
            await deleteResults(tx, [...ids]);
            for (const result of results) {
                if (ids.has(result.conceptId)) {
                    await tx.append('results', [rowOf(result)]);
                    await tx.append('result_programs', [[result.conceptId, result.executionId, gzipSync(result.programs())]]);
                } else await dropRows(tx, tableOf(result));
            }
            return ids;
        });
    } catch (error) {
        const staged = store.transaction(async tx => {
            for (const result of results) await dropRows(tx, tableOf(result));
        });
        // What stays is taken away at the next start.
        await staged.catch(() => undefined);
        throw error;
    }
}

/** Returns the programs of a stored result; undefined if they were not kept. */
export async function programsOf(reader: Reader, { conceptId, executionId }: StoredResult): Promise<string | undefined> {
    const sql = 'SELECT programs FROM result_programs WHERE concept_id = $1 AND execution_id = $2';
    const [row] = await reader.query<{ programs: Uint8Array }>(sql, [conceptId, executionId]);
    return row && gunzipSync(row.programs).toString();
}

function rowOf({ conceptId, executionId, definitionHash, cacheKey, columns, rowCount }: StoredResult) {
    return [conceptId, executionId, definitionHash, cacheKey, JSON.stringify(columns), rowCount, new Date().toISOString()];
}

function tableOf({ executionId, conceptId }: Pick<StoredResult, 'executionId' | 'conceptId'>): string {
    return rowsTable(executionId, conceptId);
}

/** Rows of a stored result from an offset on, each as the bytes of its values; undefined where others have been stored meanwhile. */
export async function storedRows(
    store: Store,
    result: StoredResult,
    range: { readonly offset: number; readonly count: number; readonly order?: readonly SortColumn[] },
): Promise<Uint8Array[][] | undefined> {
    return whileStored(store, result, table => readRows(store, table, range));
}

/** Reads the rows of a stored result; undefined if another result replaced it meanwhile. */
export async function whileStored<T>(
    store: Store,
    result: StoredResult,
    read: (table: { readonly table: string; readonly width: number; readonly rowCount: number }) => Promise<T>,
): Promise<T | undefined> {
    try {
        return await read({ table: tableOf(result), width: result.columns.length, rowCount: result.rowCount });
    } catch (error) {
        const now = (await storedResults(store, [result.conceptId])).get(result.conceptId);
        if (now?.executionId === result.executionId) throw error;
        return undefined;
    }
}

/** Takes away what a process left behind that was ended while it stored rows. Asked once, before anything is stored. */
export function dropUnfinishedResults(store: Store): Promise<void> {
    return store.transaction(async tx => {
        const named = await tx.query<{ concept_id: string; execution_id: string }>('SELECT concept_id, execution_id FROM results');
        await dropForgottenRows(tx, new Set(named.map(row => rowsTable(row.execution_id, row.concept_id))));
    });
}
