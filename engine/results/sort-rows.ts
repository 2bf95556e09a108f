import type { Rows } from '../relations/rows.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { compareValues } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';
import { type ColumnKeys, columnKeys } from './column-keys.ts';

export interface SortKey {
    readonly column: number;
    readonly descending: boolean;
}

/** Below this, comparing is faster than counting 65,536 digits. */
const FEW = 2048;

/**
 * The rows, as row numbers, sorted stably by the keys, the first being the major one; values compare in the total order
 * of 3.4. Each key sorts only the rows that are equal in the keys before it. Many rows are sorted by radix over 64 bits of
 * their values, and compared where these are equal, so that a million rows take a fraction of a second.
 */
export function sortRows(dictionary: Dictionary, relation: Rows, rows: Int32Array, keys: readonly SortKey[]): Int32Array {
    const sorted = rows.slice();
    let ties: Ties = sorted.length < 2 ? [] : [0, sorted.length];
    for (const { column, descending } of keys) {
        if (ties.length === 0) break;
        ties = new ColumnSort(dictionary, relation.columns[column]!, descending, sorted).sort(ties);
    }
    return sorted;
}

/** Start and end of ranges with more than one row, in order. */
type Ties = number[];

/** Sorts ranges of rows in place by one column. */
class ColumnSort {
    readonly #dictionary: Dictionary;
    readonly #column: Int32Array;
    readonly #descending: boolean;
    readonly #rows: Int32Array;

    constructor(dictionary: Dictionary, column: Int32Array, descending: boolean, rows: Int32Array) {
        this.#dictionary = dictionary;
        this.#column = column;
        this.#descending = descending;
        this.#rows = rows;
    }

    /** Sorts within each range, and returns the ranges that hold equal values after it. */
    sort(ranges: Ties): Ties {
        const ties: Ties = [];
        for (let i = 0; i < ranges.length; i += 2) {
            const [start, end] = [ranges[i]!, ranges[i + 1]!];
            if (!this.#isConstant(start, end)) this.#sortRange(start, end, 0);
            this.#addTies(start, end, ties);
        }
        return ties;
    }

    #sortRange(start: number, end: number, textFrom: number): void {
        if (end - start < FEW) {
            this.#compareRange(start, end);
            return;
        }
        const range = this.#rows.slice(start, end);
        const keys = columnKeys(this.#dictionary, this.#column, range, textFrom);
        if (this.#descending) invert(keys);
        const positions = radixSort(keys);
        for (let i = 0; i < positions.length; i++) this.#rows[start + i] = range[positions[i]!]!;
        for (let i = 0; i < positions.length; ) {
            let next = i + 1;
            while (next < positions.length && sameKey(keys, positions[i]!, positions[next]!)) next++;
            if (next > i + 1 && !this.#isConstant(start + i, start + next)) {
                // Of strings that are equal so far the next bytes decide, of nulls what they were made from. Other values are compared.
                const isPart = next - i < positions.length;
                if (this.#isNull(start + i)) this.#sortNulls(start + i, start + next);
                else if (isPart && this.#isText(start + i)) this.#sortRange(start + i, start + next, keys.textTo);
                else this.#compareRange(start + i, start + next);
            }
            i = next;
        }
    }

    /** Sorts invented nulls of one source by what they were made from. */
    #sortNulls(start: number, end: number): void {
        const dictionary = this.#dictionary;
        const range = this.#rows.slice(start, end);
        const positions = Int32Array.from(range, (_, i) => i);
        const { length } = dictionary.nullArgumentsOf(this.#valueAt(start));
        let ties: Ties = [0, range.length];
        for (let i = 0; i < length && ties.length > 0; i++) {
            const made = Int32Array.from(range, row => dictionary.nullArgumentsOf(this.#column[row]!)[i]!);
            ties = new ColumnSort(dictionary, made, this.#descending, positions).sort(ties);
        }
        for (let i = 0; i < positions.length; i++) this.#rows[start + i] = range[positions[i]!]!;
    }

    #compareRange(start: number, end: number): void {
        const sign = this.#descending ? -1 : 1;
        const column = this.#column;
        const order = (left: number, right: number): number => sign * compareValues(this.#dictionary, column[left]!, column[right]!);
        if (end - start === 2) {
            const [left, right] = [this.#rows[start]!, this.#rows[start + 1]!];
            if (order(left, right) > 0) this.#rows.set([right, left], start);
        } else this.#rows.set([...this.#rows.subarray(start, end)].sort(order), start);
    }

    #addTies(start: number, end: number, ties: Ties): void {
        for (let i = start; i < end; ) {
            const value = this.#valueAt(i);
            let next = i + 1;
            while (next < end && this.#valueAt(next) === value) next++;
            if (next > i + 1) ties.push(i, next);
            i = next;
        }
    }

    #isConstant(start: number, end: number): boolean {
        const value = this.#valueAt(start);
        for (let i = start + 1; i < end; i++) if (this.#valueAt(i) !== value) return false;
        return true;
    }

    #isNull(position: number): boolean {
        return this.#dictionary.kind(this.#valueAt(position)) === 'null';
    }

    #isText(position: number): boolean {
        return this.#dictionary.kind(this.#valueAt(position)) === 'string';
    }

    #valueAt(position: number): ValueId {
        return this.#column[this.#rows[position]!]!;
    }
}

function invert({ high, low }: ColumnKeys): void {
    for (let i = 0; i < high.length; i++) {
        high[i] = ~high[i]!;
        low[i] = ~low[i]!;
    }
}

function sameKey({ high, low }: ColumnKeys, left: number, right: number): boolean {
    return high[left] === high[right] && low[left] === low[right];
}

/** The positions of the keys, sorted stably by 16 bits at a time, the least significant first. */
function radixSort({ high, low }: ColumnKeys): Int32Array {
    let positions: Int32Array = Int32Array.from(high, (_, i) => i);
    for (const words of [low, high]) for (const shift of [0, 16]) positions = countingSort(words, shift, positions);
    return positions;
}

const starts = new Uint32Array(0x10001);

function countingSort(words: Uint32Array, shift: number, positions: Int32Array): Int32Array {
    starts.fill(0);
    for (let i = 0; i < words.length; i++) starts[((words[i]! >>> shift) & 0xffff) + 1]!++;
    if (starts[((words[0]! >>> shift) & 0xffff) + 1] === words.length) return positions;
    for (let digit = 0; digit < 0x10000; digit++) starts[digit + 1]! += starts[digit]!;
    const sorted = new Int32Array(positions.length);
    for (let i = 0; i < positions.length; i++) sorted[starts[(words[positions[i]!]! >>> shift) & 0xffff]!++] = positions[i]!;
    return sorted;
}
