import type { ValueId } from '../values/value-id.ts';
import { hash1, hash2, hash3, hash4, hashOf } from './hash.ts';
import { BETWEEN_PAUSES, type IndexedRows } from './hash-index.ts';
import type { Membership } from './membership.ts';
import type { Pause } from './rows.ts';

/** Slots of an empty table. */
const LEAST_SLOTS = 256;

interface CountedRows extends IndexedRows {
    readonly count: number;
}

/**
 * The rows of a relation by their keys, with open addressing: for each row its number plus one and its hash. What looks for a key
 * returns its row, or -1; then `enter` may put a row with this key in its place.
 */
export class RowTable implements Membership {
    /** The rows from `#first` to `#entered` are in the table. */
    #entered = 0;
    #first = 0;
    readonly #relation: CountedRows;
    readonly #keys: readonly number[];
    readonly #key0: number;
    readonly #key1: number;
    readonly #key2: number;
    readonly #key3: number;
    #slots: Int32Array;
    #mask = LEAST_SLOTS - 1;
    /** The slot of the key that was searched last, and its hash. */
    #slot = 0;
    #hash = 0;

    /** `keys` are the columns that make a row unique. */
    constructor(relation: CountedRows, keys: readonly number[]) {
        this.#relation = relation;
        this.#keys = keys;
        [this.#key0 = 0, this.#key1 = 0, this.#key2 = 0, this.#key3 = 0] = keys;
        relation.memory.reserve(LEAST_SLOTS * 8);
        this.#slots = new Int32Array(LEAST_SLOTS * 2);
    }

    /** So many first rows of the relation have been entered, or passed over by `restart`. */
    get entered(): number {
        return this.#entered;
    }

    get bytes(): number {
        return this.#slots.byteLength;
    }

    add(key0: ValueId, key1: ValueId, value: ValueId): boolean {
        const { count } = this.#relation;
        if (this.#entered < count) this.extend(count);
        const width = this.#keys.length;
        const found = width === 1 ? this.find1(value) : width === 2 ? this.find2(key0, value) : this.find3(key0, key1, value);
        if (found >= 0) return false;
        this.enter(this.#entered);
        return true;
    }

    addAll(key0: ValueId, key1: ValueId, values: Int32Array, start: number, end: number, into: Int32Array, at: number): number {
        const [first, second] = this.#relation.columns;
        const width = this.#keys.length;
        let row = at;
        for (let i = start; i < end; i++) {
            if (!this.add(key0, key1, values[i]!)) continue;
            into[row] = values[i]!;
            // Later values are compared with whole rows.
            if (width > 1) first![row] = key0;
            if (width > 2) second![row] = key1;
            row++;
        }
        return row - at;
    }

    find1(a: ValueId): number {
        const hash = hash1(a);
        const slots = this.#slots;
        const mask = this.#mask;
        let slot = hash & mask;
        for (let entry = slots[2 * slot]!; entry !== 0; entry = slots[2 * slot]!) {
            // The hash of one value is a permutation of it: equal hashes are equal values.
            if (slots[2 * slot + 1] === hash) return entry - 1;
            slot = (slot + 1) & mask;
        }
        return this.#miss(slot, hash);
    }

    find2(a: ValueId, b: ValueId): number {
        const hash = hash2(a, b);
        const { columns } = this.#relation;
        const slots = this.#slots;
        const mask = this.#mask;
        let slot = hash & mask;
        for (let entry = slots[2 * slot]!; entry !== 0; entry = slots[2 * slot]!) {
            const row = entry - 1;
            if (slots[2 * slot + 1] === hash && columns[this.#key0]![row] === a && columns[this.#key1]![row] === b) return row;
            slot = (slot + 1) & mask;
        }
        return this.#miss(slot, hash);
    }

    find3(a: ValueId, b: ValueId, c: ValueId): number {
        const hash = hash3(a, b, c);
        const { columns } = this.#relation;
        const slots = this.#slots;
        const mask = this.#mask;
        let slot = hash & mask;
        for (let entry = slots[2 * slot]!; entry !== 0; entry = slots[2 * slot]!) {
            const row = entry - 1;
            if (slots[2 * slot + 1] === hash && columns[this.#key0]![row] === a && columns[this.#key1]![row] === b) {
                if (columns[this.#key2]![row] === c) return row;
            }
            slot = (slot + 1) & mask;
        }
        return this.#miss(slot, hash);
    }

    find4(a: ValueId, b: ValueId, c: ValueId, d: ValueId): number {
        const hash = hash4(a, b, c, d);
        const { columns } = this.#relation;
        const slots = this.#slots;
        const mask = this.#mask;
        let slot = hash & mask;
        for (let entry = slots[2 * slot]!; entry !== 0; entry = slots[2 * slot]!) {
            const row = entry - 1;
            if (slots[2 * slot + 1] === hash && columns[this.#key0]![row] === a && columns[this.#key1]![row] === b) {
                if (columns[this.#key2]![row] === c && columns[this.#key3]![row] === d) return row;
            }
            slot = (slot + 1) & mask;
        }
        return this.#miss(slot, hash);
    }

    /** As `find1` for any number of key columns. */
    find(key: ArrayLike<ValueId>): number {
        const keys = this.#keys;
        const hash = hashOf(key, keys.length);
        const { columns } = this.#relation;
        const slots = this.#slots;
        const mask = this.#mask;
        let slot = hash & mask;
        for (let entry = slots[2 * slot]!; entry !== 0; entry = slots[2 * slot]!) {
            if (slots[2 * slot + 1] === hash) {
                let i = 0;
                while (i < keys.length && columns[keys[i]!]![entry - 1] === key[i]) i++;
                if (i === keys.length) return entry - 1;
            }
            slot = (slot + 1) & mask;
        }
        return this.#miss(slot, hash);
    }

    /** Enters the next row, whose key was looked for last and is not there. */
    enter(row: number): void {
        if ((row - this.#first) * 4 > this.#mask * 3) {
            this.#grow();
            this.#slot = this.#freeSlot(this.#hash);
        }
        this.#entered = row + 1;
        this.#slots[2 * this.#slot] = row + 1;
        this.#slots[2 * this.#slot + 1] = this.#hash;
    }

    /** Enters the rows up to `count` that are not in yet, with pauses. */
    extend(count: number, pause?: Pause): void {
        let slots = this.#mask + 1;
        while ((count - this.#first) * 4 > (slots - 1) * 3) slots *= 2;
        if (slots > this.#mask + 1) this.#replace(slots, this.#first);
        const { columns } = this.#relation;
        const keys = this.#keys;
        const key = new Int32Array(keys.length);
        for (let row = this.#entered; row < count; row++) {
            for (let i = 0; i < keys.length; i++) key[i] = columns[keys[i]!]![row]!;
            const hash = hashOf(key, key.length);
            const slot = this.#freeSlot(hash);
            this.#slots[2 * slot] = row + 1;
            this.#slots[2 * slot + 1] = hash;
            if (pause === undefined || row % BETWEEN_PAUSES > 0) continue;
            this.#entered = row + 1;
            pause();
            // Who was let in meanwhile may have looked for a row.
            if (this.#entered === count) return;
        }
        this.#entered = count;
    }

    /** Takes all rows out; the next one that is entered is that with this number. */
    restart(first: number): void {
        if (this.#entered > this.#first) this.#slots.fill(0);
        this.#first = first;
        this.#entered = first;
    }

    /** Takes all rows out and gives up their memory; others may be entered. */
    dispose(): void {
        this.#replace(LEAST_SLOTS, 0);
    }

    #miss(slot: number, hash: number): number {
        this.#slot = slot;
        this.#hash = hash;
        return -1;
    }

    #freeSlot(hash: number): number {
        let slot = hash & this.#mask;
        while (this.#slots[2 * slot] !== 0) slot = (slot + 1) & this.#mask;
        return slot;
    }

    #replace(slots: number, first: number): void {
        this.#relation.memory.release(this.#slots.byteLength);
        this.#relation.memory.reserve(slots * 8);
        this.#slots = new Int32Array(slots * 2);
        this.#mask = slots - 1;
        this.#first = first;
        this.#entered = first;
    }

    #grow(): void {
        const old = this.#slots;
        this.#relation.memory.reserve(old.byteLength * 2);
        const slots = new Int32Array(old.length * 2);
        const mask = slots.length / 2 - 1;
        for (let i = 0; i < old.length; i += 2) {
            const entry = old[i]!;
            if (entry === 0) continue;
            const hash = old[i + 1]!;
            let slot = hash & mask;
            while (slots[2 * slot] !== 0) slot = (slot + 1) & mask;
            slots[2 * slot] = entry;
            slots[2 * slot + 1] = hash;
        }
        this.#slots = slots;
        this.#mask = mask;
        this.#relation.memory.release(old.byteLength);
    }
}
