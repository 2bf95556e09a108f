import { l10n, window } from 'vscode';
import { tabsOf } from '#extension/projects/moved-tabs.ts';
import { type Concept, placeOfConcept } from '#extension/projects/projects.ts';
import { askName, type ConceptCommand, withConcept } from './concept-work.ts';

export const renameConcept: ConceptCommand = (work, node) =>
    withConcept(work, node, async ({ client }, concept) => {
        const { concepts } = await work.projects.contents(placeOfConcept(concept));
        const taken = concepts.map(({ concept_name }) => concept_name);
        const title = l10n.t('Rename {0}', concept.concept_name);
        const name = await askName(title, concept.concept_name, taken, promptOf(concept, concepts));
        if (name === undefined || name === concept.concept_name) return 'nothing to do';
        const { scope, id } = placeOfConcept(concept);
        const tabs = tabsOf(concept, work.isDraft);
        if (tabs.isDirty) {
            void window.showErrorMessage(l10n.t("'{0}' has unsaved changes: save or discard them first.", concept.concept_name));
            return 'nothing to do';
        }
        await client.renameConcept({ path: { project_id: id }, body: { name: concept.concept_name, new_name: name, scope } });
        await tabs.follow(name);
        return 'done';
    });

function promptOf(concept: Concept, concepts: readonly Concept[]): string {
    const users = concepts.filter(({ dependencies }) => dependencies.includes(concept.concept_name));
    if (users.length === 0) return l10n.t('No other concept reads it.');
    return l10n.t('It is renamed in those that read it, too: {0}', users.map(({ concept_name }) => concept_name).join(', '));
}
