import type { Rule } from './program.ts';
import type { Span } from './span.ts';

/** A SQL query in a clause: the body of its rule, or the text that its relation function reads (10.5). */
export interface EmbeddedSql {
    readonly text: string;
    readonly span: Span;
    /** The place of each unit of the text in the clause, if escapes move them. */
    readonly places?: readonly number[];
}

export function sqlOf({ body }: Pick<Rule, 'body'>): EmbeddedSql | undefined {
    switch (body.kind) {
        case 'query':
            return body.language === 'sql' ? { text: body.text, span: body.span } : undefined;
        case 'relation-function': {
            const { input } = body.call;
            if (input.kind === 'predicate') return undefined;
            const { text, span, places } = input;
            return { text, span: { start: span.start + 1, end: span.end - 1 }, ...(places && { places }) };
        }
        case 'items':
        case 'script':
            return undefined;
    }
}

/** Maps a part of the text to its span in the clause. */
export function spanInSql({ span, places }: EmbeddedSql, { start, end }: Span): Span {
    if (places === undefined) return { start: span.start + start, end: span.start + end };
    return { start: places[start] ?? span.end, end: places[end] ?? span.end };
}
