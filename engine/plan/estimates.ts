/** Estimates of the planner for a relation when it orders a join. */
export interface Estimate {
    readonly rows: number;
    /** Estimated number of distinct values per column; empty where nothing is known. */
    readonly distinct: readonly number[];
}

/** Rows that a lookup by these columns is expected to find. */
export function expectedRows(estimate: Estimate, arity: number, columns: readonly number[]): number {
    if (columns.length === 0) return estimate.rows;
    if (columns.length === arity) return 1;
    if (estimate.distinct.length === 0) return estimate.rows ** (1 - columns.length / arity);
    let keys = 1;
    for (const column of columns) keys *= Math.max(1, estimate.distinct[column] ?? 1);
    return estimate.rows / Math.max(1, Math.min(estimate.rows, keys));
}

const SAMPLE = 2048;

/** Counts distinct values in a sample of a column; a column that hardly repeats is taken to be as distinct as long. */
export function estimateDistinct(column: Int32Array, rows: number): number {
    if (rows === 0) return 0;
    const step = Math.max(1, Math.floor(rows / SAMPLE));
    const seen = new Set<number>();
    let sampled = 0;
    for (let row = 0; row < rows && sampled < SAMPLE; row += step) {
        seen.add(column[row]!);
        sampled++;
    }
    return seen.size * 10 > sampled * 9 ? (rows * seen.size) / sampled : seen.size;
}
