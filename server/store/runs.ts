import type { Scope } from './configuration.ts';
import type { Reader, Store, Transaction } from './store.ts';

/** A run of a concept that has ended. */
export interface EndedRun {
    /** The run that made the rows; null where there are none. */
    readonly executionId: string | null;
    readonly state: 'succeeded' | 'failed' | 'stopped' | 'timed_out';
    /** When its turn came, ISO 8601. */
    readonly startedAt: string;
    readonly seconds: number;
    readonly rowCount: number | null;
    /** The rows were those of an earlier run. */
    readonly isCached: boolean;
    readonly isPersisted: boolean;
    /** Names of the parameters that it was given: values may be secrets. */
    readonly parameters: readonly string[];
    readonly error: { readonly code: string; readonly message: string } | null;
}

export interface RunOfConcept extends EndedRun {
    readonly conceptName: string;
    readonly conceptType: string;
}

/** Runs of a project that are remembered. */
const KEPT_RUNS = 200;

/** Remembers a run of a concept that is still there; the oldest of its project are forgotten. */
export function keepRun(
    store: Store,
    { scope, projectId, conceptId }: { readonly scope: Scope; readonly projectId: string; readonly conceptId: string },
    run: EndedRun,
): Promise<void> {
    return store.transaction(async tx => {
        const sql = `SELECT (SELECT coalesce(max(number), 0) FROM runs WHERE scope = $1 AND project_id = $2)::INTEGER AS number
            FROM concepts WHERE id = $3`;
        const [last] = await tx.query<{ number: number }>(sql, [scope, projectId, conceptId]);
        if (last === undefined) return;
        const number = last.number + 1;
        await tx.run('INSERT INTO runs VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)', [
            scope,
            projectId,
            number,
            conceptId,
            run.executionId,
            run.state,
            run.startedAt,
            run.seconds,
            run.rowCount,
            run.isCached,
            run.isPersisted,
            JSON.stringify(run.parameters),
            run.error?.code ?? null,
            run.error?.message ?? null,
        ]);
        await tx.run('DELETE FROM runs WHERE scope = $1 AND project_id = $2 AND number <= $3', [scope, projectId, number - KEPT_RUNS]);
    });
}

interface RunRow {
    readonly name: string;
    readonly concept_type: string;
    readonly execution_id: string | null;
    readonly state: EndedRun['state'];
    readonly started_at: string;
    readonly seconds: number;
    readonly row_count: number | null;
    readonly is_cached: boolean;
    readonly is_persisted: boolean;
    readonly parameters: string;
    readonly error_code: string | null;
    readonly error_message: string | null;
}

/** The last runs of a project, the latest first, under the names that its concepts have now. */
export async function runsOf(reader: Reader, scope: Scope, projectId: string, count: number): Promise<RunOfConcept[]> {
    const sql = `SELECT c.name, c.concept_type, r.* FROM runs r JOIN concepts c ON c.id = r.concept_id
        WHERE r.scope = $1 AND r.project_id = $2 ORDER BY r.number DESC LIMIT $3::BIGINT`;
    return (await reader.query<RunRow>(sql, [scope, projectId, count])).map(row => ({
        conceptName: row.name,
        conceptType: row.concept_type,
        executionId: row.execution_id,
        state: row.state,
        startedAt: row.started_at,
        seconds: row.seconds,
        rowCount: row.row_count,
        isCached: row.is_cached,
        isPersisted: row.is_persisted,
        parameters: JSON.parse(row.parameters),
        error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    }));
}

/** Forgets the runs of concepts. */
export async function forgetRuns(tx: Transaction, conceptIds: readonly string[]): Promise<void> {
    await tx.run('DELETE FROM runs WHERE list_contains($1, concept_id)', [conceptIds]);
}
