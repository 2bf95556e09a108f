import { l10n, window } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { type Concept, placeOfConcept } from '#extension/projects/projects.ts';
import { bodyOf, groupOf } from '#extension/surfaces/platform/saved-body.ts';
import { attempt, type ConceptCommand, type ConceptWork, save, withConcept } from './concept-work.ts';

export const moveConcept: ConceptCommand = (work, node) =>
    withConcept(work, node, async (_, concept) => {
        const { concepts } = await work.projects.contents(placeOfConcept(concept));
        const groups = [...new Set(concepts.map(groupOf))].filter(name => name !== '' && name !== groupOf(concept)).sort();
        const none = { label: l10n.t('No group'), group: '' };
        const fresh = { label: `$(add) ${l10n.t('New group')}…`, group: undefined };
        const items = [...groups.map(name => ({ label: name, group: name })), ...(groupOf(concept) === '' ? [] : [none]), fresh];
        const chosen = await window.showQuickPick<{ label: string; group: string | undefined }>(items, {
            title: l10n.t('Move {0} to a group', concept.concept_name),
        });
        if (chosen === undefined) return 'nothing to do';
        const name = chosen.group ?? (await window.showInputBox({ title: l10n.t('New group'), ignoreFocusOut: true }));
        return name === undefined ? 'nothing to do' : moveToGroup(work, concept, name.trim());
    });

/** Puts a concept into a group, or out of all groups if the name is empty. */
export function moveToGroup(work: ConceptWork, concept: Concept, group: string): Promise<CommandOutcome> {
    return attempt(work, async connection => {
        await save(connection, placeOfConcept(concept), { ...bodyOf(concept), existing_name: concept.concept_name, group });
        return 'done';
    });
}
