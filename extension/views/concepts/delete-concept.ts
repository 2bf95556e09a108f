import { l10n, window } from 'vscode';
import { type Concept, placeOfConcept } from '#extension/projects/projects.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import { bodyOf } from '#extension/surfaces/platform/saved-body.ts';
import { attempt, type ConceptCommand, type ConceptWork, save, withConcept } from './concept-work.ts';

export const deleteConcept: ConceptCommand = (work, node) =>
    withConcept(work, node, async ({ client }, concept) => {
        if (!(await isGiven(concept))) return 'nothing to do';
        const { scope, id: project_id } = placeOfConcept(concept);
        await client.cleanupConcepts({ path: { project_id }, body: { scope, concept_names: [concept.concept_name] } });
        // Not awaited: the view shows at once that the concept is gone.
        void offerUndo(work, concept);
        return 'done';
    });

/** Whether the user gives up the rows of a concept, which do not come back with it. */
async function isGiven({ concept_name, is_populated, row_count }: Concept): Promise<boolean> {
    if (!is_populated) return true;
    const remove = l10n.t('Delete');
    const question = l10n.t("Delete '{0}' and what is stored of it ({1})?", concept_name, rowsText(row_count));
    const detail = l10n.t('Undo brings its definition back; its rows come with the next run.');
    return (await window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

async function offerUndo(work: ConceptWork, concept: Concept): Promise<void> {
    const undo = l10n.t('Undo');
    const deleted = l10n.t("'{0}' was deleted.", concept.concept_name);
    if ((await window.showInformationMessage(deleted, undo)) !== undo) return;
    await attempt(work, async connection => {
        await save(connection, placeOfConcept(concept), { ...bodyOf(concept), concept_name: concept.concept_name });
        return 'done';
    });
}
