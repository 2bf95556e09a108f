import type { StoredResult } from '#server/store/results.ts';
import { definitionHash, type dependenciesAmong, type SavedConcept } from './saved-concept.ts';

/**
 * A concept as callers see it, with what it reads among the concepts of its project; `result` is what is stored of its rows, `types` are those
 * of its columns before a run.
 */
export function conceptRecord(
    concept: SavedConcept,
    dependenciesOf: ReturnType<typeof dependenciesAmong>,
    result: StoredResult | undefined,
    types: readonly string[] | undefined,
) {
    const { name, reading } = concept;
    return {
        id: concept.id,
        predicate_name: name,
        concept_name: name,
        output_predicate: name,
        concept_type: concept.type,
        row_count: result?.rowCount ?? 0,
        ...shownParts(concept),
        params: reading.params.map(({ name: parameter, default: value }) => ({ name: parameter, default: value })),
        columns: columnsOf(concept, result, types),
        dependencies: dependenciesOf(concept),
        is_populated: result !== undefined,
        is_stale: result !== undefined && result.definitionHash !== definitionHash(concept),
        scope: concept.scope,
        project_id: concept.projectId,
        author: concept.author,
        created_at: concept.createdAt,
        updated_at: concept.updatedAt,
    };
}

/** Returns the saved parts of a concept beside its name and type, without secrets. */
export function shownParts({ definition, description, pythonScripts, binds, position, group, compute }: SavedConcept) {
    return {
        definition,
        description,
        python_scripts: { ...pythonScripts },
        binds: { ...binds } as Record<string, unknown>,
        position,
        group,
        compute: compute && shownCompute(compute),
    };
}

/** Columns of rows that the present definition made have the types of their values; others have the types before a run. */
export function columnsOf(
    concept: SavedConcept,
    result: StoredResult | undefined,
    types: readonly string[] | undefined,
): { name: string; type: string }[] {
    if (result !== undefined && result.definitionHash === definitionHash(concept)) return result.columns.map(column => ({ ...column }));
    const { columns } = concept.reading;
    // A query may leave its columns to its tables.
    const names = columns.length === 0 && concept.type === 'sql' && result !== undefined ? result.columns.map(({ name }) => name) : columns;
    return names.map((name, at) => ({ name, type: types?.[at] ?? 'UNKNOWN' }));
}

const SECRET = /token|key|secret|password|credential/iu;

/** The connection is written only; an option may be a secret by its name. */
function shownCompute({ connection: _, options, ...shown }: Readonly<Record<string, unknown>>): Record<string, unknown> {
    if (typeof options !== 'object' || options === null) return shown;
    return { ...shown, options: Object.fromEntries(Object.entries(options).filter(([name]) => !SECRET.test(name))) };
}
