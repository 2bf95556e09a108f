import type { ClusteredIndex } from './clustered-index.ts';
import type { IndexedRows } from './hash-index.ts';

/**
 * A clustered index on one column whose values are close together: where the rows of each value start, by the value itself.
 * Rows are laid out by counting, which is two passes without hashes; rows that come sorted stay where they are.
 */
export class DirectClusters implements ClusteredIndex {
    readonly columns: readonly number[];
    readonly isUnique = false;
    end = 0;
    readonly #relation: IndexedRows;
    readonly #values: Int32Array;
    readonly #count: number;
    readonly #least: number;
    readonly #isSorted: boolean;
    readonly #starts: Int32Array;
    readonly #copies = new Map<number, Int32Array>();
    #rows: Int32Array | undefined;

    /** `least` is the smallest value, and `places` says how many there are up to the largest one. */
    constructor(relation: IndexedRows, column: number, count: number, least: number, places: number, isSorted: boolean) {
        this.#relation = relation;
        this.columns = [column];
        this.#values = relation.columns[column]!;
        this.#count = count;
        this.#least = least;
        this.#isSorted = isSorted;
        relation.memory.reserve((places + 1) * 4);
        this.#starts = new Int32Array(places + 1);
        this.#countRows();
    }

    get bytes(): number {
        return this.#starts.byteLength + (this.#copies.size + (this.#rows === undefined ? 0 : 1)) * this.#count * 4;
    }

    /** The first position of each value between the least and the largest one, and of what comes after. */
    get starts(): Int32Array {
        return this.#starts;
    }

    get rows(): Int32Array | undefined {
        if (this.#isSorted) return undefined;
        if (this.#rows === undefined) {
            const rows = this.#reserved();
            const cursors = this.#cursors();
            const values = this.#values;
            const least = this.#least;
            for (let row = 0; row < rows.length; row++) rows[cursors[values[row]! - least]!++] = row;
            this.#relation.memory.release(cursors.byteLength);
            this.#rows = rows;
        }
        return this.#rows;
    }

    column(column: number): Int32Array {
        const source = this.#relation.columns[column]!;
        if (this.#isSorted) return source;
        let copy = this.#copies.get(column);
        if (copy === undefined) {
            copy = this.#reserved();
            const cursors = this.#cursors();
            const values = this.#values;
            const least = this.#least;
            for (let row = 0; row < copy.length; row++) copy[cursors[values[row]! - least]!++] = source[row]!;
            this.#relation.memory.release(cursors.byteLength);
            this.#copies.set(column, copy);
        }
        return copy;
    }

    locate1(value: number): number {
        const place = (value - this.#least) >>> 0;
        const starts = this.#starts;
        if (place >= starts.length - 1) {
            this.end = 0;
            return 0;
        }
        this.end = starts[place + 1]!;
        return starts[place]!;
    }

    locate(key: ArrayLike<number>): number {
        return this.locate1(key[0]!);
    }

    locateAll(values: Int32Array, from: number, to: number, starts: Int32Array, ends: Int32Array): void {
        const firsts = this.#starts;
        const least = this.#least;
        const places = firsts.length - 1;
        for (let i = 0; i < to - from; i++) {
            const place = (values[from + i]! - least) >>> 0;
            const isWithin = place < places;
            starts[i] = isWithin ? firsts[place]! : 0;
            ends[i] = isWithin ? firsts[place + 1]! : 0;
        }
    }

    findAll(values: Int32Array, count: number, found: Int32Array): void {
        const firsts = this.#starts;
        const least = this.#least;
        const places = firsts.length - 1;
        for (let i = 0; i < count; i++) {
            const place = (values[i]! - least) >>> 0;
            found[i] = place < places && firsts[place]! < firsts[place + 1]! ? firsts[place]! : -1;
        }
    }

    dispose(): void {
        this.#relation.memory.release(this.bytes);
    }

    #countRows(): void {
        const starts = this.#starts;
        const values = this.#values;
        const least = this.#least;
        const count = this.#count;
        for (let row = 0; row < count; row++) starts[values[row]! - least]!++;
        let start = 0;
        for (let place = 0; place < starts.length; place++) {
            const rows = starts[place]!;
            starts[place] = start;
            start += rows;
        }
    }

    #reserved(): Int32Array {
        this.#relation.memory.reserve(this.#count * 4);
        return new Int32Array(this.#count);
    }

    /** Returns for each value the place of its next row. */
    #cursors(): Int32Array {
        this.#relation.memory.reserve(this.#starts.byteLength);
        return this.#starts.slice();
    }
}
