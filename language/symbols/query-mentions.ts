import type { PredicateMention } from './mention.ts';

/** Quoted texts, comments, and words with what stands around them. */
const PIECE = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|(\.\s*)?([A-Za-z_]\w*)(\s*\()?/g;

/**
 * The words of an embedded query that may name predicates. `base` is the offset of the query in its clause. Which of them
 * do is known to the program only: words of the query language are predicates too rarely to matter.
 */
export function* queryMentions(query: string, base: number): Iterable<PredicateMention> {
    let previous = '';
    for (const match of query.matchAll(PIECE)) {
        const [, dot, word, call] = match;
        if (word === undefined) continue;
        const start = base + match.index + (dot?.length ?? 0);
        const alias = previous.toLowerCase() === 'as';
        previous = word;
        const column = /^(.+)_\d+$/.exec(word)?.[1];
        if (column !== undefined)
            yield { kind: 'predicate', name: column, span: { start, end: start + column.length }, role: 'query-column' };
        if (dot !== undefined || call !== undefined || alias) continue;
        yield { kind: 'predicate', name: word, span: { start, end: start + word.length }, role: 'query' };
    }
}
