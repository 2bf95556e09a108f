import type { ValueId } from '../values/value-id.ts';

/**
 * Distinguishes new rows of a relation from existing ones: a set of them, as a value with a key of two ids before it. The key of pairs is
 * their first id and 0, that of single ids is 0 and 0.
 */
export interface Membership {
    readonly bytes: number;
    /** Adds a row, and says whether it is new: then it is the next row of the relation. */
    add(key0: ValueId, key1: ValueId, value: ValueId): boolean;
    /** Adds several rows with one key, and writes the values of those that are new to `into` from `at` on. Returns how many these are. */
    addAll(key0: ValueId, key1: ValueId, values: Int32Array, start: number, end: number, into: Int32Array, at: number): number;
    dispose(): void;
}
