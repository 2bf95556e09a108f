import type { ExplainedDerivation, ExplainedFact, WireOrigin } from '#server/protocol/runs.ts';
import type { Absence, NodePlace } from '#server/protocol/why-not.ts';

/** The places that the parts of an explanation name: the services tell them by their labels, and open none. */
export interface ExplainedPlaces {
    fact(fact: ExplainedFact | undefined): void;
    derivations(node: number, derivations: readonly ExplainedDerivation[]): void;
    absence(absence: Absence): void;
    place(place: NodePlace | undefined): void;
    /** Where a fact was given or a rule stands; where the rule of one of the derivations of a fact does. */
    of(node: number, derivation: number | undefined): WireOrigin | undefined;
}

export function explainedPlaces(): ExplainedPlaces {
    const origins = new Map<number, WireOrigin>();
    const rules = new Map<number, readonly string[]>();
    const keep = (node: number, origin: WireOrigin | undefined): void => {
        if (origin !== undefined) origins.set(node, origin);
    };
    const fact: ExplainedPlaces['fact'] = given => {
        if (given !== undefined) keep(given.node, given.origin);
    };
    const place: ExplainedPlaces['place'] = named => {
        if (named !== undefined) keep(named.node, named);
    };
    return {
        fact,
        place,
        derivations(node, derivations) {
            rules.set(
                node,
                derivations.map(({ place }) => place),
            );
            for (const { premises } of derivations) premises.forEach(fact);
        },
        absence({ reasons, edits = [] }) {
            for (const { rule, holds, lacks } of [...reasons, ...edits]) {
                place(rule?.place);
                for (const premise of holds) fact(premise.fact);
                for (const lack of lacks) {
                    fact(lack.fact);
                    lack.places.forEach(place);
                    for (const near of lack.near) place(near.place);
                }
            }
        },
        of(node, derivation) {
            if (derivation === undefined) return origins.get(node);
            const label = rules.get(node)?.[derivation];
            return label === undefined ? undefined : { label, kind: 'clause' };
        },
    };
}
