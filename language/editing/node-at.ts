import { lastClauseStartingAt, type OpenDocument, type TextRange } from '#language/document/open-document.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { isAggregateName } from '#language/program/aggregates.ts';
import type { Clause } from '#language/program/program.ts';
import { introduces, mentionsOfClause } from '#language/symbols/document-symbols.ts';
import type { Mention } from '#language/symbols/mention.ts';

/** A mention at an offset, with its clause and its place in the file. */
export interface NodeAt {
    readonly mention: Mention;
    readonly clause: Clause;
    readonly range: TextRange;
}

/**
 * Finds the smallest mention around an offset, or else the one that ends at it. Names read as in the program: an item is a call if no
 * predicate of the program has its name.
 */
export function nodeAt(document: OpenDocument, offset: number): NodeAt | undefined {
    const clause = document.clauseAt(offset);
    const found = clause && nodeIn(document, clause, offset);
    if (found !== undefined) return found;
    const { clauses } = document.analysed.program;
    const other = clauses[lastClauseStartingAt(clauses, offset)];
    return other === undefined || other === clause ? undefined : nodeIn(document, other, offset);
}

function nodeIn(document: OpenDocument, clause: Clause, offset: number): NodeAt | undefined {
    const at = offset - clause.place.offset;
    let best: Mention | undefined;
    for (const mention of mentionsOfClause(document, clause)) {
        if (mention.span.start > at) break;
        if (mention.span.end < at || !isMeant(document, mention)) continue;
        if (best === undefined || isBetter(mention, best, at)) best = mention;
    }
    return best && nodeOf(document, clause, best);
}

function nodeOf(document: OpenDocument, clause: Clause, mention: Mention): NodeAt {
    const base = clause.place.offset;
    const range = { start: base + mention.span.start, end: base + mention.span.end };
    return { mention: asRead(document, mention), clause, range };
}

/** Words of queries count where they name a predicate of the program. */
function isMeant(document: OpenDocument, mention: Mention): boolean {
    if (mention.kind !== 'predicate' || (mention.role !== 'query' && mention.role !== 'query-column')) return true;
    return introduces(document, mention.name);
}

function isBetter(mention: Mention, best: Mention, at: number): boolean {
    const holds = at < mention.span.end;
    const bestHolds = at < best.span.end;
    if (holds !== bestHolds) return holds;
    return mention.span.end - mention.span.start <= best.span.end - best.span.start;
}

/** An item is a predicate when the program introduces its name or no function has it (1.1). */
export function asRead(document: OpenDocument, mention: Mention): Mention {
    if (mention.kind !== 'predicate' || (mention.role !== 'item' && mention.role !== 'negated')) return mention;
    const { name, span } = mention;
    if (introduces(document, name)) return mention;
    if (isAggregateName(name)) return { kind: 'aggregate', name, span };
    return functionNamed(name, document.analysed.libraryPrefixes) === undefined ? mention : { kind: 'call', name, span };
}
