import type { Clause, Item } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { type Bindings, matchAtom, matchItem } from './match-terms.ts';
import type { Pattern } from './read-search.ts';

/** A place in a clause that is as the pattern says. */
export interface Match {
    readonly clause: Clause;
    /** The atom of the head or fact, where the pattern has one. */
    readonly head?: Span;
    /** The indexes of the items of the body, in the order of the text. */
    readonly items: readonly number[];
    readonly bindings: Bindings;
}

/** Matches that are looked for in one clause, and steps of looking for them: a body of many equal atoms has very many. */
const MOST = 200;
const MOST_STEPS = 20_000;

/** The matches of a clause, each with other parts of it. */
export function* matchesIn(clause: Clause, { head, items }: Pattern): Generator<Match> {
    if (clause.kind === 'fact') {
        const bindings = head === undefined || items !== undefined ? undefined : matchAtom(head, clause.atom, new Map());
        if (bindings !== undefined) yield { clause, head: clause.atom.span, items: [], bindings };
        return;
    }
    if (clause.kind !== 'rule' || items === undefined || clause.body.kind !== 'items') return;
    const { body } = clause;
    const heads = clause.head.kind === 'atoms' ? clause.head.atoms : [];
    const starts =
        head === undefined
            ? [{ bindings: new Map() as Bindings }]
            : heads.flatMap(atom => startOf(matchAtom(head, atom, new Map()), atom.span));
    const seen = new Set<string>();
    const budget = { steps: MOST_STEPS };
    for (const { bindings, ...start } of starts) {
        for (const found of chosenItems(items, body.items, bindings, [], budget)) {
            const chosen = [...found.items].sort((a, b) => a - b);
            const key = `${'head' in start ? start.head.start : ''} ${chosen.join(' ')}`;
            if (seen.has(key)) continue;
            if (seen.size >= MOST) return;
            seen.add(key);
            yield { clause, ...start, items: chosen, bindings: found.bindings };
        }
    }
}

function startOf(bindings: Bindings | undefined, head: Span): { readonly bindings: Bindings; readonly head: Span }[] {
    return bindings === undefined ? [] : [{ bindings, head }];
}

/** The ways in which different items of a body are the items of a pattern. */
function* chosenItems(
    patterns: readonly Item[],
    items: readonly Item[],
    bindings: Bindings,
    chosen: readonly number[],
    budget: { steps: number },
): Generator<{ readonly items: readonly number[]; readonly bindings: Bindings }> {
    const pattern = patterns[chosen.length];
    if (pattern === undefined) {
        yield { items: chosen, bindings };
        return;
    }
    for (const [i, item] of items.entries()) {
        if (chosen.includes(i) || budget.steps-- <= 0) continue;
        const next = matchItem(pattern, item, bindings);
        if (next !== undefined) yield* chosenItems(patterns, items, next, [...chosen, i], budget);
    }
}

/** From the first part of a match to the last. */
export function spanOf({ clause, head, items }: Match): Span {
    const parts = clause.kind === 'rule' && clause.body.kind === 'items' ? items.flatMap(i => bodySpan(clause.body, i)) : [];
    const all = [...(head === undefined ? [] : [head]), ...parts];
    return { start: Math.min(...all.map(({ start }) => start)), end: Math.max(...all.map(({ end }) => end)) };
}

function bodySpan(body: Extract<Clause, { kind: 'rule' }>['body'], index: number): Span[] {
    const item = body.kind === 'items' ? body.items[index] : undefined;
    return item === undefined ? [] : [item.span];
}
