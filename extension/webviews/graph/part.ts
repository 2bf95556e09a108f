import type { NamedPredicate } from '#server/protocol/graphs.ts';

/** The visible part of a program's graph: all of it without a focus. */
export interface Part {
    readonly focus?: NamedPredicate;
    readonly depth: number;
    readonly expanded: readonly NamedPredicate[];
}

/** The first depth around a predicate: its neighbours. */
const FIRST_DEPTH = 1;

export const WHOLE: Part = { depth: FIRST_DEPTH, expanded: [] };

export function partAround(focus: NamedPredicate): Part {
    return { focus, depth: FIRST_DEPTH, expanded: [] };
}

/** A step to another part; one that is about a node has its predicate. */
type Step =
    | { readonly kind: 'whole' }
    | { readonly kind: 'depth'; readonly depth: number }
    | { readonly kind: 'expand' | 'focus'; readonly predicate: NamedPredicate };

export function afterStep(part: Part, step: Step): Part {
    switch (step.kind) {
        case 'whole':
            return WHOLE;
        case 'depth':
            return { ...part, depth: step.depth };
        case 'expand':
            return { ...part, expanded: [...part.expanded, step.predicate] };
        case 'focus':
            return partAround(step.predicate);
    }
}
