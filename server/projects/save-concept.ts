import { randomUUID } from 'node:crypto';
import { apiError, invalidText } from '#server/protocol/platform/api-error.ts';
import type { Scope } from '#server/store/configuration.ts';
import { moment } from '#server/store/moment.ts';
import type { Store, Transaction } from '#server/store/store.ts';
import { conceptName } from './concept-name.ts';
import type { ReadConceptText } from './concept-text.ts';
import { type ConceptTexts, conceptText, readingOf } from './concept-texts.ts';
import { projectIn } from './project.ts';
import { renameConcept } from './rename-concept.ts';
import { type ConceptParts, conceptIn, conceptNamed, putConcept, type SavedConcept } from './saved-concept.ts';

/** The concept to save. Absent parts of an existing concept keep their values. */
export interface ConceptSaving extends Pick<ConceptParts, 'type' | 'definition'> {
    readonly scope: Scope;
    readonly projectId: string;
    readonly author: string;
    /** The name that it is to have; a query needs one. */
    readonly name: string | undefined;
    /** The concept that is to be changed, and renamed where its name is another. */
    readonly existingName: string | undefined;
    readonly parts: Partial<Omit<ConceptParts, 'type' | 'definition'>>;
}

const USUAL: Omit<ConceptParts, 'type' | 'definition'> = {
    description: '',
    pythonScripts: {},
    binds: {},
    position: null,
    group: 'group_id',
    compute: null,
};

/**
 * Creates a concept, or changes the one of that name; an equal one stays as it is. The definition is read and not run. Throws
 * `project_not_found`, `concept_not_found`, `name_conflict`, and the codes of wrong definitions.
 */
export async function saveConcept(
    store: Store,
    texts: ConceptTexts,
    saving: ConceptSaving,
): Promise<{ readonly concept: SavedConcept; readonly created: boolean }> {
    const { scope, projectId, existingName, parts: given } = saving;
    const read = await texts.read(conceptText({ ...saving, binds: given.binds ?? {} }));
    return store.transaction(async tx => {
        await projectIn(tx, scope, projectId);
        const existing = existingName === undefined ? undefined : await conceptIn(tx, scope, projectId, existingName);
        if (saving.name !== undefined) await refuseTaken(tx, saving.name, existing);
        const name = nameOf(read, saving.name);
        await refuseTaken(tx, name, existing);
        const current = existing ?? (await conceptNamed(tx, scope, projectId, name));
        const parts = { ...(current ?? USUAL), ...given, type: saving.type, definition: saving.definition };
        const isWholeRead = given.binds !== undefined || current === undefined;
        const reading = readingOf(isWholeRead ? read : await texts.read(conceptText(parts)), name, parts);
        if (current !== undefined && current.name !== name) await renameConcept(tx, texts, current, name, 'replaced');
        if (current !== undefined && current.name === name && isSame(current, parts)) return { concept: current, created: false };
        const createdAt = current?.createdAt ?? moment();
        const concept = {
            ...parts,
            id: current?.id ?? randomUUID(),
            scope,
            projectId,
            name,
            reading,
            author: current?.author ?? saving.author,
            createdAt,
            updatedAt: current === undefined ? createdAt : moment(current.updatedAt),
        };
        await putConcept(tx, concept);
        return { concept, created: current === undefined };
    });
}

/** Another concept than the one that is changed may not have the name. */
async function refuseTaken(tx: Transaction, name: string, existing: SavedConcept | undefined): Promise<void> {
    if (existing === undefined || existing.name === name) return;
    const other = await conceptNamed(tx, existing.scope, existing.projectId, name);
    if (other !== undefined) throw apiError('name_conflict', [name], { details: { concept_name: name } });
}

function nameOf(read: ReadConceptText, wanted: string | undefined): string {
    switch (read.kind) {
        case 'refused':
            throw invalidText(read.code, read.diagnostics);
        case 'logic':
            return conceptName(wanted, read.value);
        case 'sql':
            if (wanted === undefined) throw new TypeError('a query has no name of its own');
            return wanted;
    }
}

function isSame(current: SavedConcept, parts: ConceptParts): boolean {
    const told = ({ type, definition, description, pythonScripts, binds, position, group, compute }: ConceptParts): string =>
        JSON.stringify([type, definition, description, pythonScripts, binds, position?.text, group, compute]);
    return told(current) === told(parts);
}
