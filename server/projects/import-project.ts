import { randomUUID } from 'node:crypto';
import { say } from '#language/program/say.ts';
import type { JsonText } from '#server/protocol/json-text.ts';
import { ApiError, apiError } from '#server/protocol/platform/api-error.ts';
import type { ApiErrorCode } from '#server/protocol/platform/errors.ts';
import type { Scope } from '#server/store/configuration.ts';
import { moment } from '#server/store/moment.ts';
import type { Store, Transaction } from '#server/store/store.ts';
import { conceptName } from './concept-name.ts';
import { type ConceptTexts, conceptText, readingOf } from './concept-texts.ts';
import { addDashboard } from './dashboard.ts';
import { putProject } from './project.ts';
import { addConcepts, type ConceptParts, type SavedReading } from './saved-concept.ts';

/** A project as an export has it. */
export interface ImportedProject {
    readonly name: string;
    readonly description: string;
    readonly metadata: JsonText;
    readonly concepts: readonly { readonly name: string; readonly parts: ConceptParts }[];
    /** Definitions as JSON texts. */
    readonly dashboards: readonly { readonly name: string; readonly definition: string }[];
}

/** The author and the target of an import. */
interface Import {
    readonly scope: Scope;
    readonly author: string;
}

/** Makes new projects of exported ones, all or none, and gives their ids. `export_invalid` where a concept is none. */
export async function importProjects(
    store: Store,
    texts: ConceptTexts,
    projects: readonly ImportedProject[],
    importing: Import,
): Promise<string[]> {
    const readings: SavedReading[][] = [];
    for (const { concepts } of projects) readings.push(await readAll(texts, concepts));
    return store.transaction(async tx => {
        const ids: string[] = [];
        for (const [i, project] of projects.entries()) ids.push(await addProject(tx, project, readings[i] ?? [], importing));
        return ids;
    });
}

/** Codes of definitions that are wrong in themselves. */
const UNREADABLE: ReadonlySet<ApiErrorCode> = new Set([
    'program_invalid',
    'sql_invalid',
    'python_not_standalone',
    'script_not_found',
    'no_output_predicate',
    'ambiguous_output_predicate',
]);

async function readAll(texts: ConceptTexts, concepts: ImportedProject['concepts']): Promise<SavedReading[]> {
    const readings: SavedReading[] = [];
    const names = new Set<string>();
    for (const { name, parts } of concepts) {
        try {
            const read = await texts.read(conceptText(parts));
            if (read.kind === 'logic') conceptName(name, read.value);
            readings.push(readingOf(read, name, parts));
        } catch (error) {
            if (!(error instanceof ApiError) || !UNREADABLE.has(error.code)) throw error;
            throw apiError('export_invalid', [], { details: { concept_name: name, reason: error.message } });
        }
        if (names.has(name)) throw apiError('export_invalid', [], { details: { concept_name: name, reason: say`it is there twice` } });
        names.add(name);
    }
    return readings;
}

async function addProject(
    tx: Transaction,
    { name, description, metadata, concepts, dashboards }: ImportedProject,
    readings: readonly SavedReading[],
    { scope, author }: Import,
): Promise<string> {
    const projectId = randomUUID();
    const now = moment();
    await putProject(tx, { id: projectId, scope, name, description, metadata, author, createdAt: now, updatedAt: now });
    const saved = concepts.map(({ name: own, parts }, i) => {
        const reading = readings[i];
        if (reading === undefined) throw new RangeError('a concept was not read');
        return { ...parts, id: randomUUID(), scope, projectId, name: own, reading, author, createdAt: now, updatedAt: now };
    });
    await addConcepts(tx, saved);
    for (const dashboard of dashboards) await addDashboard(tx, { scope, projectId }, dashboard);
    return projectId;
}
