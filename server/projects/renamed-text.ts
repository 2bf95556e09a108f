import { renameTable } from '#language/sql/rename-table.ts';
import { isPredicateName } from '#language/tools/build-bind.ts';
import { conceptDefinition } from '#language/tools/concept-definition.ts';
import { renamePredicate } from '#language/tools/rename-predicate.ts';
import { type ConceptText, type ReadConceptText, readConceptText } from './concept-text.ts';

/** The texts of a concept with another name for a predicate, or why they cannot have it. */
export type RenamedText =
    | { readonly kind: 'renamed'; readonly text: ConceptText; readonly read: ReadConceptText }
    /** A program cannot call a predicate so, or calls another one so. */
    | { readonly kind: 'no-name' | 'taken' };

/** Gives a predicate, or a table, another name in the texts of a concept. */
export function renamedText({ type, definition, binds }: ConceptText, from: string, to: string): RenamedText {
    if (type === 'logic') {
        if (!isPredicateName(to)) return { kind: 'no-name' };
        const own = conceptDefinition(definition);
        if (own.ok && own.value.heads.includes(to)) return { kind: 'taken' };
    }
    const text = {
        type,
        definition: type === 'sql' ? renameTable(definition, from, to) : renamePredicate(definition, from, to),
        binds: binds.map(bind => renamePredicate(bind, from, to)),
    };
    return { kind: 'renamed', text, read: readConceptText(text) };
}
