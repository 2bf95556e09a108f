import { l10n, window } from 'vscode';
import { lookedAt } from '#extension/host/last-editor.ts';
import { readConceptUri } from '#extension/projects/concept-uri.ts';
import { type ConceptCommand, conceptOf } from './concept-work.ts';

/** Not an attempt: the panel of the rows shows how the run ends. */
export const runConcept: ConceptCommand = async (work, node) => {
    const document = lookedAt()?.document;
    if (node === undefined && document !== undefined && readConceptUri(document.uri) !== undefined && document.isDirty)
        await document.save();
    if (node === undefined && document !== undefined && work.isDraft(document.uri))
        window.setStatusBarMessage(`$(info) ${l10n.t('The draft is not saved: what was saved last is run.')}`, 5_000);
    const concept = await conceptOf(work, node);
    return concept === undefined ? 'nothing to do' : work.panels.run(concept);
};
