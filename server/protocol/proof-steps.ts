import type { ExplainedDerivation, ExplainedFact } from './runs.ts';

/** A fact of an explanation; `node` tells it from others. */
export type ProofFact<N> = Pick<ExplainedFact, 'kind' | 'text' | 'verbalization' | 'deferred' | 'expandable'> & { readonly node: N };

/** A derivation of a fact with its premises. */
export type ProofDerivation<N> = Pick<ExplainedDerivation, 'rule' | 'absent' | 'gives'> & { readonly premises: readonly ProofFact<N>[] };

/** A fact of a proof, with what it follows from. */
export interface ProofStep {
    readonly fact: string;
    /** The fact as its model describes it; the fact itself without one. */
    readonly words: string;
    /** Texts of the rules that give it; none for what is given. */
    readonly rules: readonly string[];
    /** Numbers of the steps that it rests on, from 1. */
    readonly premises: readonly number[];
    /** Facts that must not hold, and contributions to an aggregate. */
    readonly remarks: readonly string[];
    /** It rests on more, which is not among the steps. */
    readonly isCut: boolean;
}

/** Limits of a proof for a model: its facts, and the premises of one of them. */
const MOST_STEPS = 60;
const MOST_PREMISES = 20;

/** The steps of a proof from the fact that it is of: what is nearest to it first. A fact is one step, however often it is used. */
export async function proofSteps<N>(
    fact: ProofFact<N>,
    expand: (node: N) => Promise<readonly ProofDerivation<N>[]> | readonly ProofDerivation<N>[],
): Promise<readonly ProofStep[]> {
    const facts = [fact];
    const numbers = new Map([[fact.node, 1]]);
    const steps: ProofStep[] = [];
    // The list grows while it is gone over.
    for (const { node, kind, text, verbalization, expandable, deferred } of facts) {
        const all = expandable && !deferred ? await expand(node) : [];
        const derivations = kind === 'group' ? all : all.slice(0, 1);
        const premises = new Set<number>();
        let isCut = false;
        for (const premise of derivations.flatMap(derivation => derivation.premises)) {
            const known = numbers.get(premise.node);
            if (premises.size === MOST_PREMISES || (known === undefined && facts.length === MOST_STEPS)) {
                isCut = true;
                continue;
            }
            premises.add(known ?? facts.push(premise));
            numbers.set(premise.node, known ?? facts.length);
        }
        const remarks = derivations.flatMap(({ absent = [], gives = [] }) => [...absent.map(other => `not ${other}`), ...gives]);
        steps.push({
            fact: text,
            words: verbalization,
            rules: [...new Set(derivations.map(({ rule }) => rule))],
            premises: [...premises],
            remarks: remarks.slice(0, MOST_PREMISES),
            isCut,
        });
    }
    return steps;
}
