import type { PartialMatcher, Suspect } from './partial-match.ts';
import type { AtomItem, RuleItem } from './rule-body.ts';

/** Arguments of one atom that are exchanged in all ways. */
const EXCHANGED = 6;

/** Everything that a rule could do without, in text order; `asked` tells the columns of the head that have a value. */
export function* suspectsOf(matcher: PartialMatcher, asked: readonly boolean[]): Iterable<Suspect> {
    for (const item of matcher.items) {
        yield itemSuspect(item);
        if (item.kind !== 'atom') {
            if (item.kind === 'negation') yield* exchangesOf(item);
            continue;
        }
        for (const [column, { term }] of item.terms.entries()) if (term !== undefined) yield { kind: 'argument', item, column };
        yield* exchangesOf(item);
    }
    const columns = asked.flatMap((isAsked, column) => (isAsked ? [column] : []));
    for (const column of columns) if (matcher.head[column] !== undefined) yield { kind: 'argument', column };
    for (const pair of pairsOf(columns.slice(0, EXCHANGED))) yield { kind: 'exchange', columns: pair };
}

export function itemSuspect(item: RuleItem): Suspect {
    return { kind: 'item', item };
}

function* exchangesOf(item: AtomItem): Iterable<Suspect> {
    const columns = item.terms.map((_, column) => column).slice(0, EXCHANGED);
    for (const [first, second] of pairsOf(columns)) {
        if (item.terms[first]?.term === undefined && item.terms[second]?.term === undefined) continue;
        yield { kind: 'exchange', item, columns: [first, second] };
    }
}

export function* pairsOf<T>(all: readonly T[]): Iterable<readonly [T, T]> {
    for (const [i, first] of all.entries()) for (const second of all.slice(i + 1)) yield [first, second];
}
