import { isWrittenPlainly, spanInText, textOf } from '#language/analysis/annotation-arguments.ts';
import { hasHeader } from '#language/analysis/binds.ts';
import { readModelText } from '#language/analysis/model-text.ts';
import { readPostText } from '#language/analysis/post-text.ts';
import { typeNamed } from '#language/library/type-names.ts';
import { type Predicate, predicateKey } from '#language/program/analysed-program.ts';
import { printType } from '#language/program/types.ts';
import { type ClauseEdit, insertion, replacement } from '../quick-fixes/fix.ts';
import type { ArgumentChange } from './argument-change.ts';
import type { AnnotationPlace, PredicatePlaces } from './predicate-places.ts';

/** The first annotation about a predicate that cannot follow a change of its columns. */
export function annotationInTheWay(places: PredicatePlaces, change: ArgumentChange): AnnotationPlace | undefined {
    return places.annotations.find(place => annotationEdits(place, places, change) === undefined);
}

/** The edits with which an annotation says the same after a change of its predicate; nothing where there are none. */
export function annotationEdits(
    place: AnnotationPlace,
    places: PredicatePlaces,
    change: ArgumentChange,
): readonly ClauseEdit[] | undefined {
    const { annotation } = place;
    switch (annotation.name) {
        case 'output':
        case 'explain':
        case 'chase':
            return [];
        case 'post':
            return postEdits(place, places, change);
        case 'model':
            return modelEdits(annotation.arguments, change);
        case 'input':
            return named(places, 'bind').length > 0 ? [] : undefined;
        case 'bind':
            return bindEdits(place, places, change);
        case 'mapping':
            return mappingEdits(annotation.arguments, change);
        default:
            return undefined;
    }
}

type Arguments = AnnotationPlace['annotation']['arguments'];

function named({ annotations }: PredicatePlaces, name: string): readonly AnnotationPlace[] {
    return annotations.filter(({ annotation }) => annotation.name === name);
}

/** Positions are one-based. Which rows a limit keeps depends on all columns in their order; so does what an extreme is of. */
function postEdits(place: AnnotationPlace, places: PredicatePlaces, change: ArgumentChange): readonly ClauseEdit[] | undefined {
    const argument = place.annotation.arguments[1];
    if (argument?.kind !== 'string' || !isWrittenPlainly(argument)) return undefined;
    const { directive, positions } = readPostText(argument.value);
    switch (directive?.kind) {
        case undefined:
        case 'prelimit':
            return undefined;
        case 'unique':
            return [];
        case 'certain':
            return change.kind === 'reorder' ? [] : undefined;
        case 'limit':
            return change.kind === 'reorder' ? limitEdits(place, places, change.order) : undefined;
        case 'min':
        case 'max':
            if (change.kind !== 'reorder') return undefined;
            break;
        case 'argmin':
        case 'argmax':
        case 'orderby':
            if (change.kind === 'remove' && positions.some(({ position }) => position === change.column + 1)) return undefined;
    }
    const edits: ClauseEdit[] = [];
    for (const { position, piece } of positions) {
        const moved = movedColumn(position - 1, change) + 1;
        if (moved === position) continue;
        edits.push(replacement(spanInText(argument, piece.start, piece.end), piece.text.startsWith('-') ? `-${moved}` : `${moved}`));
    }
    const last = positions.at(-1);
    if (directive.kind !== 'orderby' || change.kind !== 'reorder' || last === undefined || limits(places).length === 0) return edits;
    const written = new Set(positions.map(({ position }) => position - 1));
    const ties = tieOrder(change.order, written);
    if (ties === '') return edits;
    const at = spanInText(argument, last.piece.end, last.piece.end).start;
    const changed = edits.find(({ end }) => end === at);
    if (changed === undefined) return [...edits, insertion(at, `, ${ties}`)];
    return edits.map(edit => (edit === changed ? { ...edit, text: `${edit.text}, ${ties}` } : edit));
}

/** Rows that nothing orders are in the order of their columns, which an `orderby` has to say once the columns are others. */
function limitEdits(place: AnnotationPlace, places: PredicatePlaces, order: readonly number[]): readonly ClauseEdit[] | undefined {
    const orders = postsOf(places, 'orderby');
    if (orders.length === 1) return [];
    if (orders.length > 1 || place.clause.kind !== 'annotation') return undefined;
    if (limits(places)[0] !== place) return [];
    const name = textOf(place.annotation.arguments[0]) ?? '';
    return [insertion(place.clause.span.end, ` @post("${name}", "orderby(${tieOrder(order, new Set())})").`)];
}

/** The one-based new places of the columns, in their old order, but for the last and those that order rows already. */
function tieOrder(order: readonly number[], ordered: ReadonlySet<number>): string {
    const open = order.map((_, column) => column).filter(column => !ordered.has(column));
    return open
        .slice(0, -1)
        .map(column => order.indexOf(column) + 1)
        .join(', ');
}

function limits(places: PredicatePlaces): readonly AnnotationPlace[] {
    return postsOf(places, 'limit');
}

function postsOf(places: PredicatePlaces, kind: string): readonly AnnotationPlace[] {
    return named(places, 'post').filter(({ annotation }) => readPostText(textOf(annotation.arguments[1]) ?? '').directive?.kind === kind);
}

/** The column in which the values of a column that stays are then. */
function movedColumn(column: number, change: ArgumentChange): number {
    switch (change.kind) {
        case 'append':
            return column;
        case 'remove':
            return column > change.column ? column - 1 : column;
        case 'reorder':
            return change.order.includes(column) ? change.order.indexOf(column) : column;
    }
}

/** Fields are `'name:type'`, one for each column. */
function modelEdits([form, fields, description]: Arguments, change: ArgumentChange): readonly ClauseEdit[] | undefined {
    if (fields?.kind !== 'string' || !isWrittenPlainly(fields)) return undefined;
    const model = readModelText(textOf(form) ?? '', fields.value, textOf(description));
    const quoted = [...fields.value.matchAll(/'[^']*'/g)].map(({ index, 0: text }) => ({ start: index, end: index + text.length, text }));
    if (!model.plainForm || quoted.length !== model.fields.length) return undefined;
    const edit = (start: number, end: number, text: string): ClauseEdit => replacement(spanInText(fields, start, end), text);
    switch (change.kind) {
        case 'reorder':
            if (quoted.length !== change.order.length) return undefined;
            return quoted.flatMap((field, at) => {
                const other = quoted[change.order[at] ?? at];
                return other === undefined || other === field ? [] : [edit(field.start, field.end, other.text)];
            });
        case 'remove': {
            const { column } = change;
            const [own, next, before] = [quoted[column], quoted[column + 1], quoted[column - 1]];
            const removed = model.fields[column];
            if (own === undefined || removed?.key !== undefined) return undefined;
            if (model.placeholders.some(({ text }) => text === removed?.name.text)) return undefined;
            if (next !== undefined) return [edit(own.start, next.start, '')];
            return before === undefined ? undefined : [edit(before.end, own.end, '')];
        }
        case 'append': {
            const last = quoted.at(-1);
            const { field } = change;
            if (field === undefined || last === undefined || quoted.length !== change.column) return undefined;
            const names = new Set(model.fields.map(({ name }) => name.text));
            let name = field.name;
            for (let count = 2; names.has(name); count++) name = `${field.name}${count}`;
            return [edit(last.end, last.end, `, '${name}:${field.type}'`)];
        }
    }
}

/**
 * Keeps the columns of an input file with their names when arguments move. Existing mappings follow by themselves; other moved columns get
 * new ones. Output binds refuse, since their readers outside go by position.
 */
function bindEdits(place: AnnotationPlace, places: PredicatePlaces, change: ArgumentChange): readonly ClauseEdit[] | undefined {
    if (change.kind !== 'reorder' || named(places, 'bind').length !== 1 || place.clause.kind !== 'annotation') return undefined;
    const name = textOf(place.annotation.arguments[0]) ?? '';
    const predicate = place.document.analysed.predicates.get(predicateKey(name, change.order.length));
    const [bind] = predicate?.inputBinds ?? [];
    if (predicate === undefined || bind === undefined || !hasHeader(bind) || bind.options.has('selectedColumns')) return undefined;
    const lines: string[] = [];
    for (const [at, column] of change.order.entries()) {
        if (at === column || predicate.columns[column]?.mapped !== undefined) continue;
        const mapping = mappingText(predicate, column, at);
        if (mapping === undefined) return undefined;
        lines.push(` ${mapping}`);
    }
    return lines.length === 0 ? [] : [insertion(place.clause.span.end, lines.join(''))];
}

/** A column of a file at a new place of its predicate, with the type that it has already. */
function mappingText({ name, columns }: Predicate, column: number, at: number): string | undefined {
    const { header, type, cast } = columns[column] ?? {};
    if (header === undefined || type === undefined || header.trim() !== header || /^$|["\\$]/u.test(header)) return undefined;
    if (columns.findIndex(other => other.header === header) !== column) return undefined;
    const written = cast ? printType(type) : 'string';
    return typeNamed(written)?.kind === (cast ? type.kind : 'string')
        ? `@mapping("${name}", ${at}, "${header}", "${written}").`
        : undefined;
}

/** Positions are zero-based. Without a header, which a bind asks for, a mapping says nothing but the type. */
function mappingEdits([, position]: Arguments, change: ArgumentChange): readonly ClauseEdit[] | undefined {
    if (position?.kind !== 'integer' || change.kind !== 'reorder') return undefined;
    const column = Number(position.value);
    const moved = movedColumn(column, change);
    return moved === column ? [] : [replacement(position.span, `${moved}`)];
}
