import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { PlanStep } from '../plan/plan.ts';
import type { VariantContext } from './variant-context.ts';
import { chooseEqual, keep } from './vectors.ts';

/** The rest of a rule, run for so many matches at once. */
export type BatchStep = (count: number) => void;

/** The vectors that hold the values of variables, and of `nameOfRow`. */
export type Places = ReadonlyMap<string, Int32Array>;

/** State that the steps of a batch share while they are compiled. */
export interface BatchContext extends VariantContext {
    /** Actions at each start of the rule, and at its end. */
    readonly atStart: (() => void)[];
    readonly atEnd: (() => void)[];
    /** A vector that no other step of the rule has. */
    readonly take: () => Int32Array;
    /** Returns the variables that the steps after this one read. */
    readonly neededAfter: (step: PlanStep) => ReadonlySet<string>;
    /** The steps after this one. */
    readonly compileAfter: (step: PlanStep, places: Places) => BatchStep;
    /** As in `PlanBatches`. */
    readonly appended: ReadonlySet<PredicateKey>;
}

/** Under this name the numbers of the rows of a literal are kept, where outputs need them. */
export function nameOfRow(literal: number): string {
    return `row ${literal}`;
}

/** The vectors that steps after this one read, by name, but for constants: these hold the same value throughout. */
export function livePlaces(step: PlanStep, places: Places, { neededAfter, variant }: BatchContext): Map<string, Int32Array> {
    const constants = new Set(variant.rule.constants.map(({ variable }) => variable));
    const needed = neededAfter(step);
    return new Map([...places].filter(([name]) => needed.has(name) && !constants.has(name)));
}

/** Keeps the matches for which the vectors of each pair hold the same, and returns how many these are. */
export function compileChecks(
    pairs: readonly (readonly [Int32Array, Int32Array])[],
    live: Iterable<Int32Array>,
    chosen: Int32Array,
): (count: number) => number {
    const all = [...new Set([...live, ...pairs.flat()])];
    return count => {
        let kept = count;
        for (const [left, right] of pairs) {
            const equal = chooseEqual(left, right, kept, chosen);
            if (equal < kept) keep(all, chosen, equal);
            kept = equal;
        }
        return kept;
    };
}
