import { grownInts, grownLength, type Memory } from '../values/memory.ts';
import { hash1, hashOf } from './hash.ts';
import type { Pause } from './rows.ts';

/** Rows that enter between two pauses. */
export const BETWEEN_PAUSES = 1 << 16;

/** The part of a relation that its index reads. */
export interface IndexedRows {
    readonly columns: readonly Int32Array[];
    readonly memory: Memory;
}

/**
 * The rows of a relation by the values of some columns. The rows of one key are a chain from the newest to the oldest;
 * the table holds the newest row of each key, plus one. Rows enter in batches, between rounds, so that no chain changes
 * while it is read.
 */
export class HashIndex {
    readonly columns: readonly number[];
    /** For each row, the next older row with the same key, or -1. */
    next: Int32Array;
    readonly #relation: IndexedRows;
    #table: Int32Array;
    #mask = 1023;
    #keys = 0;
    #rows = 0;
    readonly #key: Int32Array;

    constructor(relation: IndexedRows, columns: readonly number[]) {
        this.#relation = relation;
        this.columns = columns;
        relation.memory.reserve(1024 * 4 + 256 * 4);
        this.#table = new Int32Array(1024);
        this.next = new Int32Array(256);
        this.#key = new Int32Array(columns.length);
    }

    get bytes(): number {
        return this.#table.byteLength + this.next.byteLength;
    }

    /** The number of distinct keys so far. */
    get keys(): number {
        return this.#keys;
    }

    /** Enters the rows up to `count`, with pauses; rows that are in already, of which there may be more, stay. */
    extend(count: number, pause?: Pause): void {
        if (pause !== undefined) {
            for (let rows = this.#rows + BETWEEN_PAUSES; rows < count; rows += BETWEEN_PAUSES) {
                this.extend(rows);
                pause();
            }
        }
        if (count <= this.#rows) return;
        if (count > this.next.length) {
            const length = Math.max(count, grownLength(this.#relation.memory, this.next.length, 4));
            this.next = grownInts(this.#relation.memory, this.next, length);
        }
        if (this.columns.length === 1) this.#extend1(count);
        else this.#extendAny(count);
    }

    /** Forgets all rows. */
    clear(): void {
        this.#table.fill(0);
        this.#keys = 0;
        this.#rows = 0;
    }

    /** Gives up the memory. */
    dispose(): void {
        this.#relation.memory.release(this.bytes);
    }

    /** The newest row with this value, or -1. */
    first1(a: number): number {
        const table = this.#table;
        const column = this.#relation.columns[this.columns[0]!]!;
        const mask = this.#mask;
        let slot = hash1(a) & mask;
        for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
            if (column[entry - 1] === a) return entry - 1;
            slot = (slot + 1) & mask;
        }
        return -1;
    }

    /** The newest row with these values in the index's columns, or -1. */
    first(values: ArrayLike<number>): number {
        const entry = this.#table[this.#slotOf(values)]!;
        return entry - 1;
    }

    /** The slot where the key is, or the free one where it belongs. */
    #slotOf(values: ArrayLike<number>): number {
        const table = this.#table;
        const { columns } = this.#relation;
        const width = this.columns.length;
        const mask = this.#mask;
        let slot = hashOf(values, width) & mask;
        for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
            let i = 0;
            while (i < width && columns[this.columns[i]!]![entry - 1] === values[i]) i++;
            if (i === width) break;
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    #extend1(count: number): void {
        const column = this.#relation.columns[this.columns[0]!]!;
        const { next } = this;
        let table = this.#table;
        let mask = this.#mask;
        for (let row = this.#rows; row < count; row++) {
            const value = column[row]!;
            let slot = hash1(value) & mask;
            let entry = table[slot]!;
            while (entry !== 0 && column[entry - 1] !== value) {
                slot = (slot + 1) & mask;
                entry = table[slot]!;
            }
            next[row] = entry - 1;
            table[slot] = row + 1;
            if (entry === 0 && ++this.#keys * 5 > mask * 3) {
                this.#growTable();
                table = this.#table;
                mask = this.#mask;
            }
        }
        this.#rows = count;
    }

    #extendAny(count: number): void {
        const key = this.#key;
        for (let row = this.#rows; row < count; row++) {
            this.#readKey(row, key);
            const slot = this.#slotOf(key);
            const entry = this.#table[slot]!;
            this.next[row] = entry - 1;
            this.#table[slot] = row + 1;
            if (entry === 0 && ++this.#keys * 5 > this.#mask * 3) this.#growTable();
        }
        this.#rows = count;
    }

    #growTable(): void {
        const old = this.#table;
        this.#relation.memory.reserve(old.byteLength * 2);
        this.#table = new Int32Array(old.length * 2);
        this.#mask = this.#table.length - 1;
        const key = this.#key;
        for (const entry of old) {
            if (entry === 0) continue;
            this.#readKey(entry - 1, key);
            let slot = hashOf(key, key.length) & this.#mask;
            while (this.#table[slot] !== 0) slot = (slot + 1) & this.#mask;
            this.#table[slot] = entry;
        }
        this.#relation.memory.release(old.byteLength);
    }

    #readKey(row: number, into: Int32Array): void {
        for (let i = 0; i < into.length; i++) into[i] = this.#relation.columns[this.columns[i]!]![row]!;
    }
}
