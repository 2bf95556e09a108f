import type { SharedBlocks } from '../sources/shared-blocks.ts';

/** Threads that help the one that does a run, as the host has them. What they find is the same whatever their number. */
export interface RunTeam {
    /** How many rows there must be, and must be expected still, where other numbers are to be tried. */
    readonly much?: number;
    /** Has all threads follow sources. `own` is what this one does of it. */
    follow(work: FollowWork, own: (block: number) => FollowedBlock): SharedBlocks<FollowedBlock>;
}

/**
 * The input for following the sources of a recursion of pairs such as `path(X,Z) <- path(X,Y), edge(Y,Z)`. It has plain numbers that other
 * threads can get.
 */
export interface FollowWork {
    /** The first values of each source: those from `starts[source]` to `starts[source + 1]`, each once. */
    readonly values: Int32Array;
    readonly starts: Int32Array;
    readonly rules: readonly FollowedRule[];
    /** Sources that are followed together. */
    readonly block: number;
    /** Rows are only counted. */
    readonly counts: boolean;
}

/** The relation that says what a value leads to, by the first of its columns. */
export type FollowedRule = readonly [Int32Array, Int32Array];

/** The values that follow from the sources of a block. */
export interface FollowedBlock {
    /** By source. */
    readonly counts: Int32Array;
    /** Of the sources one after another, in the order in which they were found; empty where they are only counted. */
    readonly values: Int32Array;
}
