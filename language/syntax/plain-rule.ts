import type { Annotation, Atom, Item } from '#language/program/program.ts';
import { spanning } from '#language/program/span.ts';
import { trimmed } from '#language/program/trimmed.ts';
import type { ClauseContent } from './parsed-clause.ts';
import { callOf, continued, type PlainArguments, readPlainArguments, readPlainExpression } from './plain-expression.ts';
import type { Token } from './token.ts';
import { TokenCursor } from './token-cursor.ts';

/**
 * Reads a rule without annotations from its tokens and without the grammar, as far as its heads are atoms and its items are
 * atoms, negated atoms and plain expressions. Anything else, also anything wrong, is undefined and left to the grammar,
 * which reads the same rule, more slowly.
 */
export function readPlainRule(text: string, tokens: readonly Token[]): ClauseContent | undefined {
    const cursor = new TokenCursor(tokens);
    const atoms: Atom[] = [];
    do {
        const atom = readHeadAtom(cursor);
        if (atom === undefined) return undefined;
        atoms.push(atom);
    } while (cursor.take(','));
    if (!cursor.isKind('arrow')) return undefined;
    cursor.next();
    const items: Item[] = [];
    do {
        const item = readItem(cursor);
        if (item === undefined) return undefined;
        items.push(item);
    } while (cursor.take(','));
    const [firstAtom, lastAtom] = [atoms[0], atoms.at(-1)];
    const [firstItem, lastItem] = [items[0], items.at(-1)];
    if (!cursor.isKind('dot') || cursor.following !== undefined) return undefined;
    if (firstAtom === undefined || lastAtom === undefined || firstItem === undefined || lastItem === undefined) return undefined;
    return {
        kind: 'rule',
        span: { start: 0, end: text.length },
        annotations: NO_ANNOTATIONS,
        head: { kind: 'atoms', atoms: trimmed(atoms), span: spanning(firstAtom.span, lastAtom.span) },
        body: { kind: 'items', items: trimmed(items), span: spanning(firstItem.span, lastItem.span) },
    };
}

const NO_ANNOTATIONS: readonly Annotation[] = [];

function readHeadAtom(cursor: TokenCursor): Atom | undefined {
    const { token } = cursor;
    if (token?.kind !== 'name' || !/^[a-z]\w*$/.test(token.text)) return undefined;
    const given = readPlainArguments(cursor);
    return given && atomOf(token, given);
}

function atomOf({ text: predicate, start, end }: Token, { values, contributors, span }: PlainArguments): Atom | undefined {
    return contributors === undefined ? { predicate, arguments: values, nameSpan: { start, end }, span } : undefined;
}

function readItem(cursor: TokenCursor): Item | undefined {
    const { token: first } = cursor;
    const negated = cursor.take('not');
    const { token } = cursor;
    if (first === undefined || token === undefined) return undefined;
    if (negated && token.kind !== 'name') return undefined;
    if (token.kind !== 'name') return expressionItem(cursor, first, readPlainExpression(cursor, true));
    // The name of the script function makes the whole body another one.
    if (token.text === 'python:run') return undefined;
    const given = readPlainArguments(cursor);
    if (given === undefined) return undefined;
    const isWhole = cursor.is(',') || cursor.ended;
    if (negated && !isWhole) return undefined;
    if (isWhole && given.contributors === undefined) {
        const atom = atomOf(token, given);
        return atom && { kind: 'atom', negated, atom, span: spanning(first, given.span) };
    }
    const call = negated ? undefined : callOf(token, given);
    return expressionItem(cursor, first, call && continued(cursor, call, 0, true));
}

function expressionItem(cursor: TokenCursor, first: Token, expression: ReturnType<typeof readPlainExpression>): Item | undefined {
    const last = cursor.previous;
    return expression && last && { kind: 'expression', expression, span: spanning(first, last) };
}
