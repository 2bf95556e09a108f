import { createHash } from 'node:crypto';
import { JsonText } from '#server/protocol/json-text.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { Scope } from '#server/store/configuration.ts';
import type { Reader, Transaction } from '#server/store/store.ts';
import { nearest } from '#server/terminal/nearest.ts';

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

/** What a concept is made of, as it was saved. */
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

/** What reading the definition told when it was saved. */
export interface SavedReading {
    /** Names of the output's columns, in order; empty for SQL. */
    readonly columns: readonly string[];
    readonly params: readonly { readonly name: string; readonly default: unknown }[];
    /** Predicates or tables that it needs from elsewhere, in the order of the text; other concepts, perhaps. */
    readonly reads: readonly string[];
    /** The script whose rows it has. */
    readonly script?: string;
    /** The module that it holds. */
    readonly module?: string;
    /** The modules that it includes. */
    readonly includes?: readonly string[];
    /** Where modules are concerned: the predicates that it derives or binds to sources. */
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
    return (await reader.query<ConceptRow>(sql, [scope, projectId])).map(savedConcept);
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
    const close = nearest(
        name,
        (await reader.query<{ name: string }>(sql, [scope, projectId])).map(one => one.name),
    );
    const details = { concept_name: name, did_you_mean: close === undefined ? [] : [close] };
    throw apiError('concept_not_found', [name, projectId], { details });
}

/** Adds a concept, or puts it in the place of the one with its id. */
export async function putConcept(tx: Transaction, concept: SavedConcept): Promise<void> {
    await tx.run('DELETE FROM concepts WHERE id = $1', [concept.id]);
    await tx.append('concepts', [
        [
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
        ],
    ]);
}

/** What stored rows were made from: text, scripts and binds of one concept. Equal ones have equal hashes. */
export function definitionHash({ type, definition, pythonScripts, binds }: ConceptParts): string {
    const scripts = Object.entries(pythonScripts).sort(([a], [b]) => (a < b ? -1 : 1));
    const annotations = [binds.input ?? [], binds.output ?? []].map(entries => entries.map(({ annotation }) => annotation));
    return createHash('sha256')
        .update(JSON.stringify([type, definition, scripts, annotations]))
        .digest('hex');
}

/**
 * The names among those that a concept reads, with the modules of others that it includes, that are concepts too, sorted. Names of tables
 * do not tell upper from lower case.
 */
export function dependenciesOf(
    { type, name, reading }: SavedConcept,
    names: Iterable<string>,
    others: readonly SavedReading[] = [],
): string[] {
    const key = (text: string): string => (type === 'sql' ? text.toLowerCase() : text);
    const whole = withIncluded(reading, others);
    const supplied = new Set(whole.flatMap(({ supplies = [] }) => supplies));
    const read = new Set(whole.flatMap(({ reads }) => reads.filter(one => !supplied.has(one)).map(key)));
    return [...names].filter(other => other !== name && read.has(key(other))).sort();
}

/** A reading and those of the modules that it includes, each once. */
function withIncluded(reading: SavedReading, others: readonly SavedReading[]): readonly SavedReading[] {
    const whole = [reading];
    for (const { includes = [] } of whole)
        for (const module of includes) {
            const included = others.find(other => other.module === module);
            if (included !== undefined && !whole.includes(included)) whole.push(included);
        }
    return whole;
}

/** The names of the concepts of a project, and what reading their definitions told. */
export async function readingsOf(
    reader: Reader,
    scope: Scope,
    projectId: string,
): Promise<{ readonly name: string; readonly reading: SavedReading }[]> {
    const sql = 'SELECT name, reading FROM concepts WHERE scope = $1 AND project_id = $2';
    const rows = await reader.query<Pick<ConceptRow, 'name' | 'reading'>>(sql, [scope, projectId]);
    return rows.map(({ name, reading }) => ({ name, reading: JSON.parse(reading) }));
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
        position: row.position === 'null' ? null : new JsonText(row.position),
        group: row.group,
        compute: JSON.parse(row.compute),
        reading: JSON.parse(row.reading),
        author: row.author,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
    };
}
