import type { Memory } from '../values/memory.ts';

/** How many matches a batch has at most: the vectors of a rule stay in the cache. */
export const BATCH_SIZE = 1024;

/**
 * The vectors of a run, each with room for one value of every match in a batch. Rules run one after another, so that all of
 * them use the same ones.
 */
export class Vectors {
    readonly #memory: Memory;
    readonly #vectors: Int32Array[] = [];

    constructor(memory: Memory) {
        this.#memory = memory;
    }

    /** Hands out vectors that are different from each other, but not from those of other rules. */
    hand(): () => Int32Array {
        let used = 0;
        return () => this.#at(used++);
    }

    #at(number: number): Int32Array {
        let vector = this.#vectors[number];
        if (vector === undefined) {
            this.#memory.reserve((BATCH_SIZE + 1) * 4);
            // Some write one more than there are matches.
            vector = new Int32Array(BATCH_SIZE + 1);
            this.#vectors.push(vector);
        }
        return vector;
    }
}

/** Writes `from[at[0]]`, `from[at[1]]`… */
export function gather(into: Int32Array, from: Int32Array, at: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) into[i] = from[at[i]!]!;
}

/** Writes the places of the values that are not negative, or of those that are, and returns how many these are. */
export function choose(values: Int32Array, count: number, isPositive: boolean, into: Int32Array): number {
    let chosen = 0;
    for (let i = 0; i < count; i++) {
        into[chosen] = i;
        if (values[i]! >= 0 === isPositive) chosen++;
    }
    return chosen;
}

/** Writes the places where two vectors hold the same, and returns how many these are. */
export function chooseEqual(left: Int32Array, right: Int32Array, count: number, into: Int32Array): number {
    let chosen = 0;
    for (let i = 0; i < count; i++) {
        into[chosen] = i;
        if (left[i] === right[i]) chosen++;
    }
    return chosen;
}

/** Keeps what the vectors hold at the chosen places, which ascend. */
export function keep(vectors: readonly Int32Array[], chosen: Int32Array, count: number): void {
    for (const vector of vectors) gather(vector, vector, chosen, count);
}
