import type { Memory } from '../values/memory.ts';
import { mix } from '../values/mix.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Membership } from './membership.ts';

/** A bit map has at most so many words, half a megabyte: what is larger leaves the cache. */
const MOST_WORDS = 1 << 17;

/**
 * The second ids of the pairs with one first id, emptied for the next first id: a bit map from the smallest to the largest
 * id, or a table with open addressing where ids are too far apart for that. Emptying takes as long as what was added.
 * The key is not looked at. Single ids, which have none, are one such set.
 */
export class SourceSet implements Membership {
    readonly #memory: Memory;
    #words: Int32Array = new Int32Array(0);
    /** The first word that the bit map covers. */
    #base = 0;
    #isTable = false;
    /** Slots of the table are pairs of a value and the number of the first id that it was entered for; other numbers are free. */
    #epoch = 1;
    #count = 0;

    constructor(memory: Memory) {
        this.#memory = memory;
    }

    get bytes(): number {
        return this.#words.byteLength;
    }

    dispose(): void {
        this.#memory.release(this.bytes);
    }

    /** Says whether the value is new. */
    add(_key0: ValueId, _key1: ValueId, value: ValueId): boolean {
        return this.#add(value);
    }

    #add(value: ValueId): boolean {
        if (this.#isTable) return this.#enter(value);
        const word = (value >> 5) - this.#base;
        if (word >>> 0 >= this.#words.length) {
            this.#cover(value);
            return this.#add(value);
        }
        const bits = this.#words[word]!;
        const bit = 1 << value;
        if ((bits & bit) !== 0) return false;
        this.#words[word] = bits | bit;
        this.#count++;
        return true;
    }

    /** Adds several values, and writes those that are new to `into` from `at` on. Returns how many these are. */
    addAll(_key0: ValueId, _key1: ValueId, values: Int32Array, start: number, end: number, into: Int32Array, at: number): number {
        let free = at;
        let i = start;
        if (!this.#isTable) {
            const words = this.#words;
            const size = words.length;
            const base = this.#base;
            for (; i < end; i++) {
                const value = values[i]!;
                const word = (value >> 5) - base;
                if (word >>> 0 >= size) break;
                const bits = words[word]!;
                const bit = 1 << value;
                if ((bits & bit) !== 0) continue;
                words[word] = bits | bit;
                into[free++] = value;
            }
            this.#count += free - at;
        }
        for (; i < end; i++) {
            const value = values[i]!;
            if (this.#add(value)) into[free++] = value;
        }
        return free - at;
    }

    /** Takes all values out; `values` has them, from `from` to `to`. */
    clear(values: Int32Array, from: number, to: number): void {
        this.#count = 0;
        if (this.#isTable) {
            this.#epoch++;
            return;
        }
        const words = this.#words;
        if (to - from > words.length >> 3) {
            words.fill(0);
            return;
        }
        const base = this.#base;
        for (let i = from; i < to; i++) words[(values[i]! >> 5) - base] = 0;
    }

    #enter(value: ValueId): boolean {
        if (this.#count * 4 > this.#words.length) this.#growTable();
        const table = this.#words;
        const mask = table.length / 2 - 1;
        const epoch = this.#epoch;
        let slot = mix(value) & mask;
        while (table[2 * slot + 1] === epoch) {
            if (table[2 * slot] === value) return false;
            slot = (slot + 1) & mask;
        }
        table[2 * slot] = value;
        table[2 * slot + 1] = epoch;
        this.#count++;
        return true;
    }

    #growTable(): void {
        const old = this.#words;
        const epoch = this.#epoch;
        this.#replace(old.length * 2);
        this.#count = 0;
        for (let i = 0; i < old.length; i += 2) if (old[i + 1] === epoch) this.#enter(old[i]!);
    }

    /** Makes the bit map cover this value too, or puts a table in its place. */
    #cover(value: ValueId): void {
        const word = value >> 5;
        const old = this.#words;
        const before = old.length === 0 ? word : this.#base;
        const needed = Math.max(before + old.length, word + 1) - Math.min(before, word);
        if (needed > MOST_WORDS) {
            this.#toTable();
            return;
        }
        // As much again on the side that grows.
        this.#base = word < before ? before + old.length - 2 * needed : before;
        this.#replace(2 * needed);
        this.#words.set(old, before - this.#base);
    }

    #toTable(): void {
        const old = this.#words;
        const base = this.#base;
        let slots = 64;
        while (slots < this.#count * 2) slots *= 2;
        this.#replace(slots * 2);
        this.#isTable = true;
        this.#count = 0;
        for (let i = 0; i < old.length; i++) {
            for (let bits = old[i]!; bits !== 0; bits &= bits - 1) this.#enter(((base + i) << 5) + (31 - Math.clz32(bits & -bits)));
        }
    }

    #replace(length: number): void {
        this.#memory.reserve(length * 4);
        this.#memory.release(this.#words.byteLength);
        this.#words = new Int32Array(length);
    }
}
