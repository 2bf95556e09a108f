import type { DerivationNode, FactNode } from './explanation.ts';

/** A step of a recursion: a fact that follows from another one of its predicate, `next`, and given facts. */
export interface ChainLink {
    readonly derivation: DerivationNode;
    readonly given: readonly FactNode[];
    readonly next: FactNode;
}

/** Steps that make a chain. */
export const CHAIN = 4;

type Derived = Pick<FactNode, 'row' | 'derivations'>;

/** The steps of one rule that lead to a fact, last ones first. A step reads the derivations of its fact when it is asked for. */
export function* chainLinks(fact: Derived): Iterable<ChainLink> {
    let first: DerivationNode | undefined;
    for (let at = fact; ; ) {
        const link = chainLink(at);
        if (link === undefined || (first !== undefined && !isSameRule(first, link.derivation))) return;
        first ??= link.derivation;
        yield link;
        at = link.next;
    }
}

function chainLink({ row, derivations }: Derived): ChainLink | undefined {
    const [derivation, ...others] = derivations;
    if (derivation === undefined || others.length > 0) return undefined;
    const given: FactNode[] = [];
    let next: FactNode | undefined;
    for (const premise of derivation.premises) {
        if (premise.kind === 'group' || premise.deferred || premise.asMatched) return undefined;
        if (premise.origin !== undefined) given.push(premise);
        else if (next !== undefined || premise.row.predicate !== row.predicate) return undefined;
        else next = premise;
    }
    return next === undefined ? undefined : { derivation, given, next };
}

export function isSameRule(left: DerivationNode, right: DerivationNode): boolean {
    return left.place === right.place && left.span.start === right.span.start;
}
