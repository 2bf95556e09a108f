import { grownInts, type Memory } from '../values/memory.ts';
import type { GroupedSet } from './grouped-set.ts';

/** Brings rows of a grouped set next to others of their group. */
export class RowGroups {
    readonly #memory: Memory;
    /** By group of the set; marks up to `#mark` have been used. */
    #marks: Int32Array = new Int32Array(0);
    #mark = 0;
    /** By row: the number of its group among those of the rows, then its place; and a column in its former order. */
    #places: Int32Array = new Int32Array(0);
    #column: Int32Array = new Int32Array(0);
    /** By group of the rows. */
    #starts: Int32Array = new Int32Array(0);

    constructor(memory: Memory) {
        this.#memory = memory;
    }

    get bytes(): number {
        return this.#marks.byteLength + this.#places.byteLength + this.#column.byteLength + this.#starts.byteLength;
    }

    dispose(): void {
        this.#memory.release(this.bytes);
    }

    /**
     * Puts rows from `from` to `to` of the set whose keys are equal next to each other; groups come in the order of their first
     * rows. Does nothing where they stand together already.
     */
    bringTogether(set: GroupedSet, columns: readonly Int32Array[], from: number, to: number): void {
        this.#marks = this.#long(this.#marks, set.groupCount);
        if (this.#mark > 0x3fffffff) {
            this.#marks.fill(0);
            this.#mark = 0;
        }
        const [first, second, third] = columns as [Int32Array, Int32Array, Int32Array | undefined];
        if (this.#areTogether(set, first, third === undefined ? undefined : second, from, to)) return;
        const groups = this.#number(set, first, third === undefined ? undefined : second, from, to);
        const starts = this.#starts;
        const places = this.#places;
        for (let i = 1; i <= groups; i++) starts[i]! += starts[i - 1]!;
        const count = to - from;
        for (let i = 0; i < count; i++) places[i] = starts[places[i]! - 1]!++;
        this.#column = this.#long(this.#column, count);
        const values = this.#column;
        for (const column of columns) {
            for (let i = 0; i < count; i++) values[i] = column[from + i]!;
            for (let i = 0; i < count; i++) column[from + places[i]!] = values[i]!;
        }
    }

    #areTogether(set: GroupedSet, first: Int32Array, second: Int32Array | undefined, from: number, to: number): boolean {
        const marks = this.#marks;
        const mark = ++this.#mark;
        for (let row = from; row < to; row++) {
            if (row > from && first[row] === first[row - 1] && (second === undefined || second[row] === second[row - 1])) continue;
            const group = set.groupNumber(first[row]!, second === undefined ? 0 : second[row]!);
            if (marks[group] === mark) return false;
            marks[group] = mark;
        }
        return true;
    }

    /** Numbers the groups of the rows from 1, and counts their rows. Returns how many groups there are. */
    #number(set: GroupedSet, first: Int32Array, second: Int32Array | undefined, from: number, to: number): number {
        this.#places = this.#long(this.#places, to - from);
        this.#starts.fill(0);
        const marks = this.#marks;
        const mark = this.#mark;
        const places = this.#places;
        let groups = 0;
        let number = 0;
        for (let row = from; row < to; row++) {
            if (row === from || first[row] !== first[row - 1] || (second !== undefined && second[row] !== second[row - 1])) {
                const group = set.groupNumber(first[row]!, second === undefined ? 0 : second[row]!);
                number = marks[group]! - mark;
                if (number <= 0) {
                    number = ++groups;
                    marks[group] = mark + number;
                    if (groups >= this.#starts.length) this.#starts = this.#long(this.#starts, groups + 1);
                }
            }
            places[row - from] = number;
            this.#starts[number]!++;
        }
        this.#mark += groups;
        return groups;
    }

    #long(array: Int32Array, length: number): Int32Array {
        return array.length >= length ? array : grownInts(this.#memory, array, Math.max(64, length, array.length * 2));
    }
}
