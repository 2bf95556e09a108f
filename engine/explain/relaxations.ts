import type { PartialMatcher, Relaxation } from './partial-match.ts';
import type { AtomItem, RuleItem } from './rule-body.ts';

/** One thing that a rule could do without. */
export type Suspect =
    | { readonly kind: 'item'; readonly item: RuleItem }
    /** An argument of an atom; without an item, of the head. */
    | { readonly kind: 'argument'; readonly item?: AtomItem; readonly column: number }
    | { readonly kind: 'exchange'; readonly item?: AtomItem; readonly columns: readonly [number, number] };

/** Arguments of one atom that are exchanged in all ways. */
const EXCHANGED = 6;

/** Everything that a rule could do without, in text order; `asked` tells the columns of the head that have a value. */
export function* suspectsOf(matcher: PartialMatcher, asked: readonly boolean[]): Iterable<Suspect> {
    for (const item of matcher.items) {
        yield { kind: 'item', item };
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

/** What the items of a rule could do without two of, which always includes an atom's whole. */
export function* pairsOfItems({ items }: PartialMatcher): Iterable<readonly [RuleItem, RuleItem]> {
    yield* pairsOf(items);
}

export function relaxationOf(...suspects: readonly Suspect[]): Relaxation {
    const skipped = new Set(suspects.flatMap(suspect => (suspect.kind === 'item' ? [suspect.item] : [])));
    const opened = suspects.find(suspect => suspect.kind === 'argument');
    const exchanged = suspects.find(suspect => suspect.kind === 'exchange');
    return { skipped, ...(opened === undefined ? {} : { opened }), ...(exchanged === undefined ? {} : { exchanged }) };
}

function* exchangesOf(item: AtomItem): Iterable<Suspect> {
    const columns = item.terms.map((_, column) => column).slice(0, EXCHANGED);
    for (const [first, second] of pairsOf(columns)) {
        if (item.terms[first]?.term === undefined && item.terms[second]?.term === undefined) continue;
        yield { kind: 'exchange', item, columns: [first, second] };
    }
}

function* pairsOf<T>(all: readonly T[]): Iterable<readonly [T, T]> {
    for (const [i, first] of all.entries()) for (const second of all.slice(i + 1)) yield [first, second];
}
