import { printAtomText, printItemText } from '#language/program/print.ts';
import type { Atom, Expression, Item } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import type { Match } from './find-matches.ts';
import { holeName, isRest } from './holes.ts';
import type { Bindings } from './match-terms.ts';
import type { Pattern } from './read-search.ts';

/** Texts for parts of a clause, relative to it, in its order. */
export type ClauseEdits = readonly { readonly span: Span; readonly text: string }[];

/** The edits that put the replacement in place of a match; nothing where a body would have no items left. */
export function replaced({ clause, head, items, bindings }: Match, replacement: Pattern): ClauseEdits | undefined {
    const newItems = replacement.items?.map(item => printItemText(filledItem(item, bindings))).join(', ');
    const newHead = replacement.head && printAtomText(filledAtom(replacement.head, bindings));
    if (clause.kind === 'fact') {
        const isRule = newItems !== undefined && newItems !== '';
        return head === undefined || newHead === undefined
            ? undefined
            : [{ span: head, text: isRule ? `${newHead} <- ${newItems}` : newHead }];
    }
    if (clause.kind !== 'rule' || clause.body.kind !== 'items') return undefined;
    const heads = head === undefined || newHead === undefined ? [] : [{ span: head, text: newHead }];
    const body = bodyEdits(clause.body.items, items, newItems ?? '');
    return body && [...heads, ...body];
}

/** The text takes the place of the first of the items; where there is none of them, it comes behind the body. */
function bodyEdits(all: readonly Item[], gone: readonly number[], text: string): ClauseEdits | undefined {
    const [first] = gone;
    const last = all.at(-1);
    if (first === undefined || last === undefined) {
        if (text === '' || last === undefined) return [];
        return [{ span: { start: last.span.end, end: last.span.end }, text: `, ${text}` }];
    }
    const removed = new Set(text === '' ? gone : gone.slice(1));
    const kept = all.findIndex((_, i) => !removed.has(i));
    const firstKept = all[kept];
    if (firstKept === undefined) return undefined;
    const edits: { readonly span: Span; readonly text: string }[] = [];
    if (kept > 0) edits.push({ span: { start: all[0]?.span.start ?? 0, end: firstKept.span.start }, text: '' });
    for (const [i, { span }] of all.entries()) {
        if (i === first && text !== '') edits.push({ span, text });
        else if (i > kept && removed.has(i)) edits.push({ span: { start: all[i - 1]?.span.end ?? 0, end: span.end }, text: '' });
    }
    return edits;
}

function filledItem(item: Item, bindings: Bindings): Item {
    switch (item.kind) {
        case 'atom':
            return { ...item, atom: filledAtom(item.atom, bindings) };
        case 'expression':
            return { ...item, expression: filled(item.expression, bindings) };
        case 'domain':
            return item;
    }
}

function filledAtom(atom: Atom, bindings: Bindings): Atom {
    const bound = bindings.get(holeName(atom.predicate) ?? '');
    return {
        ...atom,
        predicate: bound?.kind === 'predicate' ? bound.name : atom.predicate,
        arguments: filledAll(atom.arguments, bindings),
    };
}

function filledAll(terms: readonly Expression[], bindings: Bindings): Expression[] {
    return terms.flatMap(term => {
        const bound = isRest(term) ? bindings.get('$...') : undefined;
        return bound?.kind === 'terms' ? bound.terms : [filled(term, bindings)];
    });
}

function filled(expression: Expression, bindings: Bindings): Expression {
    switch (expression.kind) {
        case 'variable': {
            const bound = bindings.get(holeName(expression.name) ?? expression.name);
            return bound?.kind === 'term' ? bound.term : expression;
        }
        case 'list':
        case 'set':
            return { ...expression, items: filledAll(expression.items, bindings) };
        case 'unary':
            return { ...expression, operand: filled(expression.operand, bindings) };
        case 'binary':
            return { ...expression, left: filled(expression.left, bindings), right: filled(expression.right, bindings) };
        case 'call':
        case 'skolem':
            return { ...expression, arguments: filledAll(expression.arguments, bindings) };
        case 'aggregate': {
            const contributors = expression.contributors?.flatMap(one => {
                const term = filled(one, bindings);
                return term.kind === 'variable' ? [term] : [];
            });
            return {
                ...expression,
                arguments: filledAll(expression.arguments, bindings),
                ...(contributors !== undefined && { contributors }),
            };
        }
        default:
            return expression;
    }
}
