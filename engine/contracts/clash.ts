import type { AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import type { ValueId } from '../values/value-id.ts';

/** A fact that an equality head or a constraint has matched, with the values that it had then. */
export interface MatchedFact {
    readonly predicate: PredicateKey;
    readonly values: readonly ValueId[];
}

/** Two values that an equality head has made equal, and why. */
export interface Merge {
    readonly rule: AnalysedRule;
    readonly facts: readonly MatchedFact[];
    readonly values: readonly [ValueId, ValueId];
}

/** A match of an equality head whose two values cannot be equal. */
export interface Clash extends Merge {
    /** The current values: two different constants. */
    readonly sides: readonly [ValueId, ValueId];
    /** Why the values are these constants, where they were nulls; known where the run keeps heights. */
    readonly earlier: readonly Merge[];
}

/** Merges, and for each value the indexes of those that it took part in. */
export interface MergeIndex {
    readonly all: readonly Merge[];
    readonly of: ReadonlyMap<ValueId, readonly number[]>;
}

/** The merges that lead from one value to another, breadth first. */
export function mergesBetween({ all, of }: MergeIndex, from: ValueId, to: ValueId): readonly Merge[] {
    const before = new Map<ValueId, { readonly value: ValueId; readonly merge: Merge } | undefined>([[from, undefined]]);
    for (const value of before.keys()) {
        if (value === to) break;
        for (const index of of.get(value) ?? []) {
            const merge = all[index]!;
            for (const next of merge.values) if (!before.has(next)) before.set(next, { value, merge });
        }
    }
    const path: Merge[] = [];
    for (let step = before.get(to); step !== undefined; step = before.get(step.value)) path.push(step.merge);
    return path.reverse();
}

/** Ends a run inside the engine (RT040). */
export class EqualityClash extends Error {
    readonly clash: Clash;

    constructor(clash: Clash) {
        super('Two different constants were to be equal');
        this.clash = clash;
    }
}
