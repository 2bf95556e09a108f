import { l10n, window } from 'vscode';
import { placeOfConcept } from '#extension/projects/projects.ts';
import { bodyOf, unusedName } from '#extension/surfaces/platform/saved-body.ts';
import { askName, type ConceptCommand, namesIn, open, save, withConcept } from './concept-work.ts';

export const duplicateConcept: ConceptCommand = (work, node) =>
    withConcept(work, node, async (connection, concept) => {
        const place = placeOfConcept(concept);
        const taken = await namesIn(work, place);
        const suggested = unusedName(concept.concept_name, taken);
        const name = await askName(l10n.t('Duplicate {0}', concept.concept_name), suggested, taken);
        if (name === undefined) return 'nothing to do';
        const { concept_name: from, concept_type, definition } = concept;
        const type = concept_type as 'logic' | 'sql';
        // A query does not say what it is called; rules do.
        const copy =
            type === 'sql' ? { definition } : await work.server.ask('rulelang/renamedConcept', { type, definition, from, to: name });
        if (copy.definition === undefined) {
            void window.showErrorMessage(l10n.t("The rules of '{0}' cannot be called '{1}': choose another name.", from, name));
            return 'nothing to do';
        }
        return open(work, await save(connection, place, { ...bodyOf(concept), concept_name: name, definition: copy.definition }));
    });
