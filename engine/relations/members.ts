import type { IndexedRows } from './hash-index.ts';
import { spanOf } from './span.ts';

/** Bits take at most so many bytes per row, which is what a table takes. */
const BYTES_PER_ROW = 8;
const LEAST_BYTES = 1 << 12;

/**
 * The ids, or pairs of ids, of a complete relation with one or two columns, as bits: one row of bits for each first id, numbered as they
 * come. Made only if that takes no more memory than a table of the rows.
 */
export class Members {
    readonly #relation: IndexedRows;
    /** For pairs, the number of each first id plus one, by the id less `#first`. */
    readonly #numbers: Int32Array | undefined;
    readonly #first: number;
    readonly #least: number;
    readonly #places: number;
    /** Words for each first id. */
    readonly #width: number;
    readonly #bits: Int32Array;

    /** The members of a relation whose first `count` rows are all; undefined where bits would take too much. */
    static of(relation: IndexedRows, count: number): Members | undefined {
        const { columns, memory } = relation;
        const most = Math.max(LEAST_BYTES, count * BYTES_PER_ROW);
        const values = columns.at(-1);
        if (values === undefined || columns.length > 2) return undefined;
        const { least, places } = spanOf(values, count);
        const width = Math.ceil(places / 32);
        if (columns.length === 1) return width * 4 > most ? undefined : new Members(relation, count, undefined, 0, least, places, 1);
        const keys = columns[0]!;
        const span = spanOf(keys, count);
        if (span.places * 4 > most || width * 4 > most) return undefined;
        memory.reserve(span.places * 4);
        const numbers = new Int32Array(span.places);
        let number = 0;
        for (let row = 0; row < count; row++) {
            const place = keys[row]! - span.least;
            if (numbers[place] === 0) numbers[place] = ++number;
        }
        if (number * width * 4 <= most) return new Members(relation, count, numbers, span.least, least, places, number);
        memory.release(numbers.byteLength);
        return undefined;
    }

    private constructor(
        relation: IndexedRows,
        count: number,
        numbers: Int32Array | undefined,
        first: number,
        least: number,
        places: number,
        rowsOfBits: number,
    ) {
        this.#relation = relation;
        this.#numbers = numbers;
        this.#first = first;
        this.#least = least;
        this.#places = places;
        this.#width = Math.ceil(places / 32);
        relation.memory.reserve(this.#width * rowsOfBits * 4);
        const bits = new Int32Array(this.#width * rowsOfBits);
        this.#bits = bits;
        const values = relation.columns.at(-1)!;
        const keys = relation.columns[0]!;
        const width = this.#width;
        for (let row = 0; row < count; row++) {
            const place = values[row]! - least;
            const word = (numbers === undefined ? 0 : (numbers[keys[row]! - first]! - 1) * width) + (place >>> 5);
            bits[word]! |= 1 << place;
        }
    }

    get bytes(): number {
        return this.#bits.byteLength + (this.#numbers?.byteLength ?? 0);
    }

    /** Writes 0 for each of many ids, or pairs of ids, that the relation has, and -1 for the others. */
    findAll(first: Int32Array, second: Int32Array | undefined, count: number, found: Int32Array): void {
        if (second === undefined) this.#findIds(first, count, found);
        else this.#findPairs(first, second, count, found);
    }

    dispose(): void {
        this.#relation.memory.release(this.bytes);
    }

    #findIds(ids: Int32Array, count: number, found: Int32Array): void {
        const bits = this.#bits;
        const least = this.#least;
        const places = this.#places;
        for (let i = 0; i < count; i++) {
            const place = (ids[i]! - least) >>> 0;
            found[i] = place < places ? ((bits[place >>> 5]! >>> place) & 1) - 1 : -1;
        }
    }

    #findPairs(a: Int32Array, b: Int32Array, count: number, found: Int32Array): void {
        const bits = this.#bits;
        const numbers = this.#numbers!;
        const first = this.#first;
        const least = this.#least;
        const places = this.#places;
        const width = this.#width;
        for (let i = 0; i < count; i++) {
            const place = (b[i]! - least) >>> 0;
            const key = (a[i]! - first) >>> 0;
            const number = key < numbers.length ? numbers[key]! : 0;
            found[i] = number > 0 && place < places ? ((bits[(number - 1) * width + (place >>> 5)]! >>> place) & 1) - 1 : -1;
        }
    }
}
