import type { PredicateKey } from '#language/program/analysed-program.ts';

/** The rows of its tables behind each row of a query's result. */
export interface QueryLineage {
    /** Of `groups` the matches of a result make it together; else each match does. */
    readonly kind: 'matches' | 'groups';
    /** The relations of the tables of a match. */
    readonly inputs: readonly PredicateKey[];
    /** For each result that is this row of the answer. */
    of(row: number): readonly ResultLineage[];
}

export interface ResultLineage {
    /** Matches in all. */
    readonly count: number;
    /** The first ones: for each input the number of its row, or -1 where the match has none. */
    readonly matches: readonly Int32Array[];
}

/** The matches behind a row in the order of arrival: their number, and the row numbers of the listed ones, one match after another. */
export interface RowLineage {
    readonly count: number;
    readonly told: ArrayLike<number>;
}
