import type { Span } from '#language/program/span.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TextEdit } from '../format-edits.ts';
import { openingAfter, termsInside } from '../quick-fixes/clause-parts.ts';
import { type ClauseEdit, inDocument, insertion, replacement } from '../quick-fixes/fix.ts';
import { annotationEdits } from './argument-annotations.ts';
import type { AtomPlace, PredicatePlaces } from './predicate-places.ts';
import { termDocumentation } from './term-documentation.ts';

/** A change to the columns of a predicate. Columns are zero-based. */
export type ArgumentChange =
    | { readonly kind: 'remove'; readonly column: number }
    /** For each column, the one whose values it has then; each column once. */
    | { readonly kind: 'reorder'; readonly order: readonly number[] }
    /** A column behind the last one; each atom has its own term for it, and a model the field, where its type is known. */
    | {
          readonly kind: 'append';
          readonly column: number;
          term(place: AtomPlace): string;
          readonly field?: { readonly name: string; readonly type: string };
      };

/** The edits, by file, that make a change in all places of a predicate; nothing where one of them cannot be changed. */
export function argumentEdits(
    places: PredicatePlaces,
    name: string,
    change: ArgumentChange,
): ReadonlyMap<string, readonly TextEdit[]> | undefined {
    const edits = new Map<string, TextEdit[]>();
    const add = ({ file }: AtomPlace['document'], more: readonly TextEdit[]): void => {
        const known = edits.get(file);
        if (known === undefined) edits.set(file, [...more]);
        else known.push(...more);
    };
    for (const place of places.atoms) {
        const changed = atomEdits(place, change);
        if (changed === undefined) return undefined;
        add(
            place.document,
            changed.map(edit => inDocument(place.clause, edit)),
        );
    }
    for (const place of places.annotations) {
        const changed = annotationEdits(place, places, change);
        if (changed === undefined) return undefined;
        add(
            place.document,
            changed.map(edit => inDocument(place.clause, edit)),
        );
    }
    const clauses = new Map([...places.atoms, ...places.annotations].map(({ document, clause }) => [clause, document]));
    for (const [clause, document] of clauses) add(document, termDocumentation(document, clause, name, change));
    return edits;
}

function atomEdits({ document, clause, atom, role }: AtomPlace, change: ArgumentChange): readonly ClauseEdit[] | undefined {
    const text = clauseText(document, clause);
    const tokens = tokenize(text);
    const open = openingAfter(tokens, atom.nameSpan.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    if (inside === undefined || inside.spans.length !== atom.arguments.length) return undefined;
    const { spans, close } = inside;
    switch (change.kind) {
        case 'remove': {
            const { column } = change;
            const own = spans[column];
            const next = spans[column + 1];
            if (own === undefined) return [];
            if (next !== undefined) return [{ start: own.start, end: next.start, text: '' }];
            return [{ start: spans[column - 1]?.end ?? own.start, end: own.end, text: '' }];
        }
        case 'reorder':
            return reordered(text, spans, change.order);
        case 'append': {
            const { column } = change;
            const before = spans[column - 1];
            const term = change.term({ document, clause, atom, role });
            if (term === '_' && spans.length < column) return [];
            if (spans.length < column) return undefined;
            return before === undefined ? [insertion(close.start, term)] : [insertion(before.end, `, ${term}`)];
        }
    }
}

/** Trailing columns that an atom leaves out stay left out where nothing comes behind them. */
function reordered(text: string, spans: readonly Span[], order: readonly number[]): readonly ClauseEdit[] {
    const last = order.findLastIndex(column => column < spans.length);
    const terms = order.slice(0, last + 1).map(column => {
        const span = spans[column];
        return span === undefined ? '_' : text.slice(span.start, span.end);
    });
    const end = spans.at(-1)?.end ?? 0;
    const more = terms.slice(spans.length);
    const edits = spans.flatMap((span, at) => (order[at] === at ? [] : [replacement(span, terms[at] ?? '_')]));
    const kept = edits.at(-1);
    if (more.length === 0) return edits;
    const behind = more.map(term => `, ${term}`).join('');
    return kept?.end === end ? [...edits.slice(0, -1), { ...kept, text: kept.text + behind }] : [...edits, insertion(end, behind)];
}
