import { spanInText, textOf } from '#language/analysis/annotation-arguments.ts';
import { readModelText } from '#language/analysis/model-text.ts';
import { readPostText } from '#language/analysis/post-text.ts';
import type { Expression } from '#language/program/program.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TextEdit } from '../format-edits.ts';
import { openingAfter, termsInside } from '../quick-fixes/clause-parts.ts';
import { type ClauseEdit, inDocument, insertion, replacement } from '../quick-fixes/fix.ts';
import type { AnnotationPlace, AtomPlace, PredicatePlaces } from './predicate-places.ts';
import { termDocumentation } from './term-documentation.ts';

/** What happens to the columns of a predicate; `swap` exchanges a column with the next one. Columns are zero-based. */
export type ArgumentChange =
    | { readonly kind: 'remove'; readonly column: number }
    | { readonly kind: 'swap'; readonly column: number }
    /** A column behind the last one; each atom has its own term for it. */
    | { readonly kind: 'append'; readonly column: number; term(place: AtomPlace): string };

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
        const changed = annotationEdits(place, change);
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
    const { column } = change;
    const own = spans[column];
    const next = spans[column + 1];
    const before = spans[column - 1];
    switch (change.kind) {
        case 'remove':
            if (own === undefined) return [];
            if (next !== undefined) return [{ start: own.start, end: next.start, text: '' }];
            return [{ start: before?.end ?? own.start, end: own.end, text: '' }];
        case 'swap': {
            if (own === undefined) return [];
            const ownText = text.slice(own.start, own.end);
            if (next === undefined) return [replacement(own, `_, ${ownText}`)];
            return [replacement(own, text.slice(next.start, next.end)), replacement(next, ownText)];
        }
        case 'append': {
            const term = change.term({ document, clause, atom, role });
            if (term === '_' && spans.length < column) return [];
            if (spans.length < column) return undefined;
            return before === undefined ? [insertion(close.start, term)] : [insertion(before.end, `, ${term}`)];
        }
    }
}

/** The first annotation about a predicate that cannot follow a change of its columns. */
export function annotationInTheWay({ annotations }: PredicatePlaces, change: ArgumentChange): AnnotationPlace | undefined {
    return annotations.find(place => annotationEdits(place, change) === undefined);
}

function annotationEdits({ annotation }: AnnotationPlace, change: ArgumentChange): readonly ClauseEdit[] | undefined {
    switch (annotation.name) {
        case 'output':
        case 'explain':
        case 'chase':
            return [];
        case 'post':
            return postEdits(annotation.arguments, change);
        case 'model':
            return modelEdits(annotation.arguments, change);
        default:
            return undefined;
    }
}

type Arguments = AnnotationPlace['annotation']['arguments'];

/** Positions are one-based. Which rows a limit keeps depends on all columns in their order; so does what an extreme is of. */
function postEdits([, argument]: Arguments, change: ArgumentChange): readonly ClauseEdit[] | undefined {
    if (argument?.kind !== 'string') return undefined;
    const { directive, positions } = readPostText(argument.value);
    if (directive?.kind === 'unique') return [];
    if (directive?.kind === 'certain') return change.kind === 'swap' ? [] : undefined;
    if (directive === undefined || directive.kind === 'limit' || directive.kind === 'prelimit') return undefined;
    if (change.kind !== 'swap' && directive.kind !== 'orderby') return undefined;
    if (change.kind === 'remove' && positions.some(({ position }) => position === change.column + 1)) return undefined;
    const edits: ClauseEdit[] = [];
    for (const { position, piece } of positions) {
        const moved = movedColumn(position - 1, change) + 1;
        const span = spanInText(argument, piece.start, piece.end);
        if (moved !== position) edits.push(replacement(span, piece.text.startsWith('-') ? `-${moved}` : `${moved}`));
    }
    return isPlainly(argument) ? edits : undefined;
}

/** The column in which the values of a column that stays are then. */
function movedColumn(column: number, change: ArgumentChange): number {
    switch (change.kind) {
        case 'append':
            return column;
        case 'remove':
            return column > change.column ? column - 1 : column;
        case 'swap':
            if (column === change.column) return column + 1;
            return column === change.column + 1 ? column - 1 : column;
    }
}

/** Fields are `'name:type'`, one for each column. */
function modelEdits([form, fields, description]: Arguments, { kind, column }: ArgumentChange): readonly ClauseEdit[] | undefined {
    if (fields?.kind !== 'string' || !isPlainly(fields) || kind === 'append') return undefined;
    const model = readModelText(textOf(form) ?? '', fields.value, textOf(description));
    const quoted = [...fields.value.matchAll(/'[^']*'/g)].map(({ index, 0: text }) => ({ start: index, end: index + text.length, text }));
    const [own, next, before] = [quoted[column], quoted[column + 1], quoted[column - 1]];
    if (!model.plainForm || quoted.length !== model.fields.length || own === undefined) return undefined;
    const edit = (start: number, end: number, text: string): ClauseEdit => replacement(spanInText(fields, start, end), text);
    if (kind === 'swap') {
        return next === undefined ? undefined : [edit(own.start, own.end, next.text), edit(next.start, next.end, own.text)];
    }
    const removed = model.fields[column];
    if (removed?.key !== undefined || model.placeholders.some(({ text }) => text === removed?.name.text)) return undefined;
    if (next !== undefined) return [edit(own.start, next.start, '')];
    return before === undefined ? undefined : [edit(before.end, own.end, '')];
}

/** The string says what is written, character by character. */
function isPlainly(argument: Extract<Expression, { kind: 'string' }>): boolean {
    return argument.span.end - argument.span.start === argument.value.length + 2;
}
