import { createHash } from 'node:crypto';
import { nearestName } from '#language/library/nearest-name.ts';
import { JsonText } from '#server/protocol/json-text.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { Scope } from '#server/store/configuration.ts';
import type { Reader, Transaction } from '#server/store/store.ts';
import { inTurns } from '#server/store/turn.ts';

export type ConceptType = 'logic' | 'sql';

/** One annotation that is added to the program when it runs, with whatever else was said about it. */
export interface BindEntry {
    readonly predicate: string;
    readonly annotation: string;
    readonly [name: string]: unknown;
}

/** `{}` where none were given. */
export interface Binds {
    readonly input?: readonly BindEntry[];
    readonly output?: readonly BindEntry[];
}

/** The parts of a concept, as it was saved. */
export interface ConceptParts {
    readonly type: ConceptType;
    readonly definition: string;
    readonly description: string;
    /** By names; a key may be any word, so ask with `Object.hasOwn`. */
    readonly pythonScripts: Readonly<Record<string, string>>;
    readonly binds: Binds;
    readonly position: JsonText | null;
    readonly group: string;
    /** With its secrets: never shown as it is. */
    readonly compute: Readonly<Record<string, unknown>> | null;
}

/** Facts from reading the definition when it was saved. */
export interface SavedReading {
    /** Names of the output's columns, in order; empty for SQL that leaves some of them to its tables. */
    readonly columns: readonly string[];
    /** Their types as answers call them, as far as the definition alone tells; absent where an older version read it. */
    readonly types?: readonly string[];
    readonly params: readonly { readonly name: string; readonly default: unknown }[];
    /** Predicates or tables that it needs from elsewhere, in the order of the text; other concepts, perhaps. */
    readonly reads: readonly string[];
    /** The script whose rows it has. */
    readonly script?: string;
    /** The module that it holds. */
    readonly module?: string;
    /** The modules that it includes. */
    readonly includes?: readonly string[];
    /** The predicates that it derives or binds to sources, for modules. */
    readonly supplies?: readonly string[];
}

export interface SavedConcept extends ConceptParts {
    /** Stays when it is renamed. */
    readonly id: string;
    readonly scope: Scope;
    readonly projectId: string;
    /** Also the name of its output predicate. */
    readonly name: string;
    readonly reading: SavedReading;
    readonly author: string;
    readonly createdAt: string;
    readonly updatedAt: string;
}

interface ConceptRow {
    readonly id: string;
    readonly scope: Scope;
    readonly project_id: string;
    readonly name: string;
    readonly concept_type: ConceptType;
    readonly definition: string;
    readonly description: string;
    readonly python_scripts: string;
    readonly binds: string;
    readonly position: string;
    readonly group: string;
    readonly compute: string;
    readonly reading: string;
    readonly author: string;
    readonly created_at: string;
    readonly updated_at: string;
}

/** The concepts of a project, oldest first. */
export async function conceptsOf(reader: Reader, scope: Scope, projectId: string): Promise<SavedConcept[]> {
    const sql = 'SELECT * FROM concepts WHERE scope = $1 AND project_id = $2 ORDER BY created_at, name';
    return await inTurns(await reader.query<ConceptRow>(sql, [scope, projectId]), savedConcept);
}

/** The concept of that name, if there is one. Upper and lower case are told apart. */
export async function conceptNamed(reader: Reader, scope: Scope, projectId: string, name: string): Promise<SavedConcept | undefined> {
    const sql = 'SELECT * FROM concepts WHERE scope = $1 AND project_id = $2 AND name = $3';
    const [row] = await reader.query<ConceptRow>(sql, [scope, projectId, name]);
    return row && savedConcept(row);
}

/** The concept of that name; `concept_not_found` where there is none. */
export async function conceptIn(reader: Reader, scope: Scope, projectId: string, name: string): Promise<SavedConcept> {
    const concept = await conceptNamed(reader, scope, projectId, name);
    if (concept !== undefined) return concept;
    const sql = 'SELECT name FROM concepts WHERE scope = $1 AND project_id = $2';
    const close = nearestName(
        name,
        (await reader.query<{ name: string }>(sql, [scope, projectId])).map(one => one.name),
    );
    const details = { concept_name: name, did_you_mean: close === undefined ? [] : [close] };
    throw apiError('concept_not_found', [name, projectId], { details });
}

/** Adds a concept, or puts it in the place of the one with its id. */
export async function putConcept(tx: Transaction, concept: SavedConcept): Promise<void> {
    await tx.run('DELETE FROM concepts WHERE id = $1', [concept.id]);
    await addConcepts(tx, [concept]);
}

/** Saves concepts whose ids are new. */
export function addConcepts(tx: Transaction, concepts: readonly SavedConcept[]): Promise<void> {
    return tx.append('concepts', concepts.map(rowOf));
}

function rowOf(concept: SavedConcept): (string | null)[] {
    return [
        concept.id,
        concept.scope,
        concept.projectId,
        concept.name,
        concept.type,
        concept.definition,
        concept.description,
        JSON.stringify(concept.pythonScripts),
        JSON.stringify(concept.binds),
        concept.position?.text ?? 'null',
        concept.group,
        JSON.stringify(concept.compute),
        JSON.stringify(concept.reading),
        concept.author,
        concept.createdAt,
        concept.updatedAt,
    ];
}

/** Returns the hash of the inputs of stored rows: text, scripts and binds of one concept. Equal ones have equal hashes. */
export function definitionHash({ type, definition, pythonScripts, binds }: ConceptParts): string {
    const scripts = Object.entries(pythonScripts).sort(([a], [b]) => (a < b ? -1 : 1));
    const annotations = [binds.input ?? [], binds.output ?? []].map(entries => entries.map(({ annotation }) => annotation));
    return createHash('sha256')
        .update(JSON.stringify([type, definition, scripts, annotations]))
        .digest('hex');
}

/**
 * Finds the names among `names` that a concept reads, with the modules of others that it includes, that are concepts too, sorted. Names of
 * tables do not tell upper from lower case.
 */
export function dependenciesAmong(
    names: readonly string[],
    others: readonly SavedReading[] = [],
): (concept: Pick<SavedConcept, 'type' | 'name' | 'reading'>) => string[] {
    const exactly = new Set(names);
    const inAnyCase = new Map<string, string[]>();
    for (const name of names) inAnyCase.set(name.toLowerCase(), [...(inAnyCase.get(name.toLowerCase()) ?? []), name]);
    const modules = new Map<string, SavedReading>();
    for (const other of others) if (other.module !== undefined && !modules.has(other.module)) modules.set(other.module, other);
    return ({ type, name, reading }) => {
        const whole = withIncluded(reading, modules);
        const supplied = new Set(whole.flatMap(({ supplies = [] }) => supplies));
        const found = new Set<string>();
        for (const read of whole.flatMap(({ reads }) => reads)) {
            if (supplied.has(read)) continue;
            const meant = type === 'sql' ? (inAnyCase.get(read.toLowerCase()) ?? []) : exactly.has(read) ? [read] : [];
            for (const one of meant) found.add(one);
        }
        found.delete(name);
        return [...found].sort();
    };
}

/** A reading and those of the modules that it includes, each once. */
function withIncluded(reading: SavedReading, modules: ReadonlyMap<string, SavedReading>): readonly SavedReading[] {
    const whole = new Set([reading]);
    for (const { includes = [] } of whole)
        for (const module of includes) {
            const included = modules.get(module);
            if (included !== undefined) whole.add(included);
        }
    return [...whole];
}

/** The names of the concepts of a project, and what reading their definitions told. */
export async function readingsOf(
    reader: Reader,
    scope: Scope,
    projectId: string,
): Promise<{ readonly name: string; readonly reading: SavedReading }[]> {
    const sql = 'SELECT name, reading FROM concepts WHERE scope = $1 AND project_id = $2';
    const rows = await reader.query<Pick<ConceptRow, 'name' | 'reading'>>(sql, [scope, projectId]);
    return await inTurns(rows, ({ name, reading }) => ({ name, reading: JSON.parse(reading) }));
}

function savedConcept(row: ConceptRow): SavedConcept {
    return {
        id: row.id,
        scope: row.scope,
        projectId: row.project_id,
        name: row.name,
        type: row.concept_type,
        definition: row.definition,
        description: row.description,
        pythonScripts: JSON.parse(row.python_scripts),
        binds: JSON.parse(row.binds),
        position: row.position === 'null' ? null : new JsonText(row.position, true),
        group: row.group,
        compute: JSON.parse(row.compute),
        reading: JSON.parse(row.reading),
        author: row.author,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
    };
}
