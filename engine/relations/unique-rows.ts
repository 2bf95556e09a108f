import type { ClusteredIndex } from './clustered-index.ts';
import type { IndexedRows } from './hash-index.ts';

/** A clustered index on one column whose values are all different and close together: the row of each value, and no copies. */
export class UniqueRows implements ClusteredIndex {
    readonly columns: readonly number[];
    readonly rows = undefined;
    readonly isUnique = true;
    end = 0;
    readonly #relation: IndexedRows;
    readonly #least: number;
    /** The row with each value, plus one; 0 where there is none. */
    readonly #rowOf: Int32Array;

    /** The index; undefined where two rows have the same value. */
    static of(relation: IndexedRows, column: number, count: number, least: number, places: number): UniqueRows | undefined {
        const values = relation.columns[column]!;
        relation.memory.reserve(places * 4);
        const rowOf = new Int32Array(places);
        for (let row = 0; row < count; row++) {
            const place = values[row]! - least;
            if (rowOf[place] !== 0) {
                relation.memory.release(rowOf.byteLength);
                return undefined;
            }
            rowOf[place] = row + 1;
        }
        return new UniqueRows(relation, column, least, rowOf);
    }

    private constructor(relation: IndexedRows, column: number, least: number, rowOf: Int32Array) {
        this.#relation = relation;
        this.columns = [column];
        this.#least = least;
        this.#rowOf = rowOf;
    }

    get bytes(): number {
        return this.#rowOf.byteLength;
    }

    column(column: number): Int32Array {
        return this.#relation.columns[column]!;
    }

    locate1(value: number): number {
        const place = (value - this.#least) >>> 0;
        this.end = place < this.#rowOf.length ? this.#rowOf[place]! : 0;
        return this.end === 0 ? 0 : this.end - 1;
    }

    locate(key: ArrayLike<number>): number {
        return this.locate1(key[0]!);
    }

    locateAll(values: Int32Array, from: number, to: number, starts: Int32Array, ends: Int32Array): void {
        const rowOf = this.#rowOf;
        const least = this.#least;
        const places = rowOf.length;
        for (let i = 0; i < to - from; i++) {
            const place = (values[from + i]! - least) >>> 0;
            const end = place < places ? rowOf[place]! : 0;
            ends[i] = end;
            starts[i] = end === 0 ? 0 : end - 1;
        }
    }

    findAll(values: Int32Array, count: number, found: Int32Array): void {
        const rowOf = this.#rowOf;
        const least = this.#least;
        const places = rowOf.length;
        for (let i = 0; i < count; i++) {
            const place = (values[i]! - least) >>> 0;
            found[i] = place < places ? rowOf[place]! - 1 : -1;
        }
    }

    dispose(): void {
        this.#relation.memory.release(this.bytes);
    }
}
