import type { DerivationNode, FactNode } from './explanation.ts';

/** A step of a recursion: a fact that follows from another one of its predicate, `next`, and given facts. */
export interface ChainLink {
    readonly derivation: DerivationNode;
    readonly given: readonly FactNode[];
    readonly next: FactNode;
}

/** The step that gives a fact, if it is one of a chain. Reads the derivations of this fact alone. */
export function chainLink({ row, derivations }: FactNode): ChainLink | undefined {
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

/** Whether two steps are by one rule. */
export function isSameRule(left: DerivationNode, right: DerivationNode): boolean {
    return left.place === right.place && left.span.start === right.span.start;
}
