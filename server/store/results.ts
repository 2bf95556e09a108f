import type { Reader, Transaction } from './store.ts';

/** What is known of the stored rows of a concept without reading them. */
export interface StoredResult {
    readonly conceptId: string;
    readonly executionId: string;
    /** Of the definition that made them. */
    readonly definitionHash: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly rowCount: number;
}

interface ResultRow {
    readonly concept_id: string;
    readonly execution_id: string;
    readonly definition_hash: string;
    readonly columns: string;
    readonly row_count: number;
}

/** What is stored for these concepts, by their ids; nothing for those that were never run, or not persisted. */
export async function storedResults(reader: Reader, conceptIds: readonly string[]): Promise<ReadonlyMap<string, StoredResult>> {
    const sql = 'SELECT concept_id, execution_id, definition_hash, columns, row_count FROM results WHERE list_contains($1, concept_id)';
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
            },
        ]),
    );
}

/** Takes the stored rows of concepts away. */
export async function deleteResults(tx: Transaction, conceptIds: readonly string[]): Promise<void> {
    await tx.run('DELETE FROM results WHERE list_contains($1, concept_id)', [conceptIds]);
}

/** Makes rows that the definition with the hash `from` made count as made by the one with the hash `to`. */
export async function movedDefinition(tx: Transaction, conceptId: string, from: string, to: string): Promise<void> {
    const sql = 'UPDATE results SET definition_hash = $1 WHERE concept_id = $2 AND definition_hash = $3';
    await tx.run(sql, [to, conceptId, from]);
}
