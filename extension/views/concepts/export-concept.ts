import { type ConceptCommand, saveFile, withConcept } from './concept-work.ts';

export const exportConcept: ConceptCommand = (work, node) =>
    withConcept(work, node, async (_, { concept_name, concept_type, definition }) => {
        const isSql = concept_type === 'sql';
        const filters: Record<string, string[]> = isSql ? { SQL: ['sql'] } : { Rulelang: ['rulelang'] };
        return saveFile(`${concept_name}.${isSql ? 'sql' : 'rulelang'}`, filters, definition);
    });
