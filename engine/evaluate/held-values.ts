import type { Relation } from '../relations/relation.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';

/** A relation with this many rows for each value looked for is searched by indexes, a smaller one row by row. */
const ROWS_PER_LOOKUP = 8;

interface Columns {
    /** Rows that have been looked at. */
    rows: number;
    /** By column, whether some row holds a value that may be replaced. */
    readonly replaceable: boolean[];
}

/** Finds the rows that hold a value: through an index on each column where few values are looked for, else in one pass. */
export class HeldValues {
    readonly #dictionary: Dictionary;
    readonly #columns = new WeakMap<Relation, Columns>();

    constructor(dictionary: Dictionary) {
        this.#dictionary = dictionary;
    }

    /** The rows with one of the replaced values in some column, in ascending order. */
    rowsOf(relation: Relation, replaced: readonly ValueId[]): Int32Array {
        const columns = this.#replaceable(relation);
        const found = new Set<number>();
        const note = (row: number): void => {
            if (!relation.isGone(row)) found.add(row);
        };
        if (replaced.length * ROWS_PER_LOOKUP < relation.count) {
            for (const column of columns) {
                const index = relation.index([column]);
                index.extend(relation.count);
                for (const value of replaced) for (let row = index.first1(value); row >= 0; row = index.next[row]!) note(row);
            }
        } else {
            for (const column of columns) {
                const values = relation.columns[column]!;
                for (let row = 0; row < relation.count; row++) {
                    const value = values[row]!;
                    if (value >= 0 && this.#dictionary.resolve(value) !== value) note(row);
                }
            }
        }
        return Int32Array.from(found).sort();
    }

    /** The relation has got other rows. */
    forget(relation: Relation): void {
        this.#columns.delete(relation);
    }

    /** The columns in which some row holds a null or a collection. */
    #replaceable(relation: Relation): number[] {
        const known = this.#columns.get(relation) ?? { rows: 0, replaceable: relation.columns.map(() => false) };
        this.#columns.set(relation, known);
        for (const [column, values] of relation.columns.entries()) {
            for (let row = known.rows; row < relation.count && !known.replaceable[column]; row++) {
                const value = values[row]!;
                known.replaceable[column] = this.#dictionary.isNull(value) || this.#dictionary.isCollection(value);
            }
        }
        known.rows = relation.count;
        return known.replaceable.flatMap((replaceable, column) => (replaceable ? [column] : []));
    }
}
