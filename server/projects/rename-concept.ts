import { apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import { moment } from '#server/store/moment.ts';
import { movedDefinition } from '#server/store/results.ts';
import type { Transaction } from '#server/store/store.ts';
import { type ConceptTexts, conceptText, readingOf } from './concept-texts.ts';
import { renameInDashboards } from './renamed-dashboards.ts';
import { type BindEntry, conceptsOf, definitionHash, dependenciesAmong, putConcept, type SavedConcept } from './saved-concept.ts';

/**
 * Gives a concept another name: in its own texts and in those of the concepts that read it, whose names are given back, sorted.
 * Stored rows move along, and tiles of dashboards show it under its new name. With `replaced`, its own texts are about to be replaced and stay. Refused where a text cannot have the
 * name: `name_conflict` for that of a concept, `validation_error` for one that no predicate can have, or that a predicate within
 * one of the texts has.
 */
export async function renameConcept(
    tx: Transaction,
    texts: ConceptTexts,
    target: SavedConcept,
    newName: string,
    ownTexts: 'renamed' | 'replaced',
): Promise<string[]> {
    if (target.name === newName) return [];
    const all = await conceptsOf(tx, target.scope, target.projectId);
    if (all.some(({ name }) => name === newName)) throw apiError('name_conflict', [newName], { details: { concept_name: newName } });
    const dependenciesOf = dependenciesAmong([target.name]);
    const dependents = all.filter(concept => dependenciesOf(concept).length > 0);
    const own = await texts.rename(conceptText(target), target.name, newName);
    const change = { from: target.name, to: newName };
    if (own.kind === 'renamed') await putRenamed(tx, target, own, change);
    else if (ownTexts === 'renamed') throw noName('new_name', target.name, own.kind);
    for (const dependent of dependents) {
        const renamed = await texts.rename(conceptText(dependent), target.name, newName);
        if (renamed.kind !== 'renamed') throw noName(ownTexts === 'renamed' ? 'new_name' : 'concept_name', dependent.name, renamed.kind);
        await putRenamed(tx, dependent, renamed, change);
    }
    await renameInDashboards(tx, target, newName);
    return dependents.map(({ name }) => name).sort();
}

type Renamed = Extract<Awaited<ReturnType<ConceptTexts['rename']>>, { kind: 'renamed' }>;

async function putRenamed(
    tx: Transaction,
    before: SavedConcept,
    { text, read }: Renamed,
    { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
    const name = before.name === from ? to : before.name;
    const { input = [], output = [] } = before.binds;
    const entry = (one: BindEntry, i: number): BindEntry => ({
        ...one,
        predicate: one.predicate === from ? to : one.predicate,
        annotation: text.binds[i] ?? one.annotation,
    });
    const binds = {
        ...(before.binds.input !== undefined && { input: input.map(entry) }),
        ...(before.binds.output !== undefined && { output: output.map((one, i) => entry(one, input.length + i)) }),
    };
    const { definition } = text;
    const reading = readingOf(read, name, before);
    const after = { ...before, name, definition, binds, reading, updatedAt: moment(before.updatedAt) };
    await putConcept(tx, after);
    await movedDefinition(tx, after.id, definitionHash(before), definitionHash(after));
}

/** A name that the texts of a concept cannot take. */
function noName(path: string, concept: string, reason: 'no-name' | 'taken'): Error {
    if (reason === 'no-name')
        return invalidFields([
            { path, issue: 'bad_format', expected: `the name of a predicate, for '${concept}' is a program`, actual: 'string' },
        ]);
    return invalidFields([
        { path, issue: 'not_allowed', expected: `another one, for '${concept}' has a predicate of that name`, actual: 'string' },
    ]);
}
