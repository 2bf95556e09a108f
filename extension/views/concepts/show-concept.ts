import { type ConceptCommand, withConcept } from './concept-work.ts';

export const showConcept: ConceptCommand = (work, node) =>
    withConcept(work, node, async (_, concept) => {
        work.panels.show(concept);
        return 'done';
    });
