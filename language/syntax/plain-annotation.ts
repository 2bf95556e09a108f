import type { ClauseContent } from './parsed-clause.ts';
import { readPlainArguments } from './plain-expression.ts';
import type { Token } from './token.ts';
import { TokenCursor } from './token-cursor.ts';

/** As `readPlainRule`, for a clause that is one annotation whose arguments are strings and numbers. */
export function readPlainAnnotation(text: string, tokens: readonly Token[]): ClauseContent | undefined {
    const cursor = new TokenCursor(tokens);
    const { token } = cursor;
    if (token?.kind !== 'annotation') return undefined;
    const given = readPlainArguments(cursor);
    if (given === undefined || given.contributors !== undefined || !cursor.isKind('dot') || cursor.following !== undefined)
        return undefined;
    if (!given.values.every(({ kind }) => kind === 'string' || kind === 'integer' || kind === 'double')) return undefined;
    const span = { start: 0, end: text.length };
    const nameSpan = { start: token.start + 1, end: token.end };
    const annotation = { name: token.text.slice(1), arguments: given.values, nameSpan, span: given.span, sameLine: true };
    return { kind: 'annotation', span, annotations: [annotation] };
}
