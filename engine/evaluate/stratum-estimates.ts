import type { PredicateKey } from '#language/program/analysed-program.ts';
import { type Estimate, estimateDistinct } from '../plan/estimates.ts';
import type { Relation } from '../relations/relation.ts';

/** Cardinalities that differ from the planned ones by this factor ask for another join order. */
const REPLAN_FACTOR = 10;
/** The estimate for a relation that the stratum itself fills. */
const UNKNOWN_ROWS = 1000;

/** How large the relations of a stratum are thought to be, which decides in which order its rules join. */
export class StratumEstimates {
    readonly #own: ReadonlyMap<PredicateKey, Relation>;
    readonly #lower: ReadonlyMap<PredicateKey, Relation>;
    readonly #estimates = new Map<PredicateKey, Estimate>();

    /** `own` are the relations that the rules fill, `lower` the complete ones. */
    constructor(own: ReadonlyMap<PredicateKey, Relation>, lower: ReadonlyMap<PredicateKey, Relation>) {
        this.#own = own;
        this.#lower = lower;
    }

    of(key: PredicateKey): Estimate | undefined {
        return this.#estimates.get(key);
    }

    /** Looks at the relations as they are. Own ones are guessed to be as large as the others until they have rows. */
    update(): void {
        this.#estimates.clear();
        let most = UNKNOWN_ROWS;
        for (const [key, relation] of this.#lower) {
            most = Math.max(most, relation.count);
            this.#estimates.set(key, estimateOf(relation));
        }
        for (const [key, { to }] of this.#own) this.#estimates.set(key, { rows: to > 0 ? to : most, distinct: [] });
    }

    /** Whether own relations have become much larger or smaller than was thought; looks at rounds that are powers of two only. */
    areFarOff(round: number): boolean {
        if ((round & (round - 1)) !== 0) return false;
        return [...this.#own].some(([key, { count }]) => {
            const planned = this.#estimates.get(key)!.rows;
            return count > planned * REPLAN_FACTOR || count * REPLAN_FACTOR < planned;
        });
    }
}

/** A sample is taken only when a join asks for it. */
function estimateOf(relation: Relation): Estimate {
    const { count, columns } = relation;
    let distinct: number[] | undefined;
    return {
        rows: count,
        get distinct() {
            distinct ??= columns.map(column => estimateDistinct(column, count));
            return distinct;
        },
    };
}
