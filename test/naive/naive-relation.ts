import type { Rows } from '#engine/relations/rows.ts';
import type { ValueId } from '#engine/values/value-id.ts';

export type Tuple = readonly ValueId[];

export function tupleKey(tuple: Tuple): string {
    return tuple.join(',');
}

/** A set of tuples, kept in the order of arrival. */
export class NaiveRelation {
    readonly arity: number;
    readonly #tuples = new Map<string, Tuple>();

    constructor(arity: number) {
        this.arity = arity;
    }

    get tuples(): readonly Tuple[] {
        return [...this.#tuples.values()];
    }

    /** True when the tuple is new. */
    add(tuple: Tuple): boolean {
        const key = tupleKey(tuple);
        if (this.#tuples.has(key)) return false;
        this.#tuples.set(key, tuple);
        return true;
    }

    /** Replaces the whole set; true when it changed. */
    replace(tuples: Iterable<Tuple>): boolean {
        const before = new Set(this.#tuples.keys());
        this.#tuples.clear();
        for (const tuple of tuples) this.add(tuple);
        return before.size !== this.#tuples.size || [...before].some(key => !this.#tuples.has(key));
    }

    rows(): Rows {
        return rowsOf(this.arity, this.tuples);
    }
}

function rowsOf(arity: number, tuples: readonly Tuple[]): Rows {
    const numbers = new Map(tuples.map((tuple, row) => [tupleKey(tuple), row]));
    return {
        arity,
        count: tuples.length,
        columns: Array.from({ length: arity }, (_, column) => Int32Array.from(tuples, tuple => tuple[column]!)),
        find: row => numbers.get(tupleKey(Array.from(row))) ?? -1,
        match: (columns, values, found) => {
            for (const [row, tuple] of tuples.entries()) if (columns.every((column, i) => tuple[column] === values[i])) found(row);
        },
    };
}
