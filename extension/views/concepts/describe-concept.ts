import { l10n, window } from 'vscode';
import { placeOfConcept } from '#extension/projects/projects.ts';
import { bodyOf } from '#extension/surfaces/platform/saved-body.ts';
import { type ConceptCommand, save, withConcept } from './concept-work.ts';

export const describeConcept: ConceptCommand = (work, node) =>
    withConcept(work, node, async (connection, concept) => {
        const title = l10n.t('What {0} means', concept.concept_name);
        const description = await window.showInputBox({ title, value: concept.description, ignoreFocusOut: true });
        if (description === undefined || description === concept.description) return 'nothing to do';
        const body = { ...bodyOf(concept), existing_name: concept.concept_name, description };
        await save(connection, placeOfConcept(concept), body);
        return 'done';
    });
