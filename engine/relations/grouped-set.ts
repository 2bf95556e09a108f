import { grownInts, grownLength, type Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import { BlockPool, blockSize } from './block-pool.ts';
import { hash2 } from './hash.ts';
import type { Membership } from './membership.ts';

/** Groups of up to this many values are lists; a search reads them all. */
const LONGEST_LIST = 8;
/** A bit map replaces a table of a group when it needs at most this many words per value. */
const WORDS_PER_VALUE = 2;
/** A bit map that needed more than this many words per value becomes a table again. */
const MOST_WORDS_PER_VALUE = 3;
/** Fields of a group: the start and the size of its block in the pool, the first word of its bit map, the number of values, and the key. */
const [OFFSET, BASE, SIZE, COUNT, KEY0, KEY1] = [0, 1, 2, 3, 4, 5] as const;
const STRIDE = 6;
/** An id that no table holds. Tables keep `value ^ FREE`, so that 0 marks a free slot. */
const FREE = 0x7fffffff;

/**
 * A set of pairs or triples of ids, grouped by all but the last id. What is known of a group is one block of a pool: a
 * list while it is short, then a table with open addressing, or a bit map from its smallest to its largest value where
 * that is not larger. Values of one group that come after each other stay in a few lines of the cache, where one table
 * of all rows would touch another place for each.
 *
 * The choice per part of a set between a sorted list, a table and bits is that of Roaring bitmaps (Lemire et al. 2016)
 * and of Brie (Jordan et al. 2019).
 */
export class GroupedSet implements Membership {
    readonly #memory: Memory;
    readonly #pool: BlockPool;
    #groups: Int32Array;
    #count = 0;
    /** Hash and number plus one of each group. */
    #directory: Int32Array;
    #mask = 1023;
    /** The group that was looked for last: its place in `#groups`, with what stands there. */
    #at = -1;
    #key0 = 0;
    #key1 = 0;
    #offset = 0;
    #base = 0;
    #size = 0;
    /** The values of a group that is given another block, and those of a group that is added. */
    #scratch: Int32Array = new Int32Array(64);
    #gathered: Int32Array = new Int32Array(64);

    constructor(memory: Memory) {
        this.#memory = memory;
        memory.reserve((256 * STRIDE + 2048 + 64 + 64) * 4);
        this.#pool = new BlockPool(memory);
        this.#groups = new Int32Array(256 * STRIDE);
        this.#directory = new Int32Array(2048);
    }

    get bytes(): number {
        const scratch = this.#scratch.byteLength + this.#gathered.byteLength;
        return this.#pool.bytes + this.#groups.byteLength + this.#directory.byteLength + scratch;
    }

    dispose(): void {
        this.#memory.release(this.bytes);
    }

    /** Adds the pair or triple with this key and this last id, and says whether it is new. Pairs have 0 for the second part of the key. */
    add(key0: ValueId, key1: ValueId, value: ValueId): boolean {
        if (key0 !== this.#key0 || key1 !== this.#key1 || this.#at < 0) this.#enter(key0, key1);
        return this.#add(value);
    }

    /** Adds several last ids for one key, and writes those that are new to `into` from `at` on. Returns how many these are. */
    addAll(key0: ValueId, key1: ValueId, values: Int32Array, start: number, end: number, into: Int32Array, at: number): number {
        if (key0 !== this.#key0 || key1 !== this.#key1 || this.#at < 0) this.#enter(key0, key1);
        let free = at;
        let i = start;
        while (i < end) {
            const pool = this.#pool.words;
            const offset = this.#offset;
            const base = this.#base;
            const size = this.#size;
            const before = free;
            if (size < -LONGEST_LIST) {
                const mask = -size - 1;
                const room = before + ((-size * 3) >> 2) - this.#groups[this.#at + COUNT]!;
                for (; i < end; i++) {
                    const value = values[i]!;
                    const stored = value ^ FREE;
                    let slot = slotOf(value) & mask;
                    let entry = pool[offset + slot]!;
                    while (entry !== 0 && entry !== stored) {
                        slot = (slot + 1) & mask;
                        entry = pool[offset + slot]!;
                    }
                    if (entry !== 0) continue;
                    if (free >= room) break;
                    pool[offset + slot] = stored;
                    into[free++] = value;
                }
                this.#groups[this.#at + COUNT]! += free - before;
                if (i < end) this.#grow();
                continue;
            }
            if (size < 0) {
                const value = values[i++]!;
                if (this.#add(value)) into[free++] = value;
                continue;
            }
            for (; i < end; i++) {
                const value = values[i]!;
                const word = (value >> 5) - base;
                if (word >>> 0 >= size) break;
                const bits = pool[offset + word]!;
                const bit = 1 << value;
                if ((bits & bit) !== 0) continue;
                pool[offset + word] = bits | bit;
                into[free++] = value;
            }
            this.#groups[this.#at + COUNT]! += free - before;
            if (i < end) this.#widen(values[i]!);
        }
        return free - at;
    }

    /**
     * Adds the values of a group of another set, or of this one, and writes those that are new to `into` from `at` on, which must have
     * room for all of them. Returns how many these are. Bit maps are united word by word.
     */
    addGroup(key0: ValueId, key1: ValueId, from: GroupedSet, group: number, into: Int32Array, at: number): number {
        if (key0 !== this.#key0 || key1 !== this.#key1 || this.#at < 0) this.#enter(key0, key1);
        const place = group * STRIDE;
        if (from === this && place === this.#at) return 0;
        const offset = from.#groups[place + OFFSET]!;
        const size = from.#groups[place + SIZE]!;
        const count = from.#groups[place + COUNT]!;
        const words = from.#pool.words;
        if (size < 0 && size >= -LONGEST_LIST) return this.addAll(key0, key1, words, offset, offset + count, into, at);
        const base = from.#groups[place + BASE]!;
        if (size > 0 && this.#covers(base, size, count)) return this.#unite(words, offset, base, size, into, at);
        if (this.#gathered.length < count) this.#gathered = grownInts(this.#memory, this.#gathered, count * 2);
        from.#read(place, this.#gathered);
        return this.addAll(key0, key1, this.#gathered, 0, count, into, at);
    }

    /** The number of the group with this key, or -1. */
    findGroup(key0: ValueId, key1: ValueId): number {
        return this.#directory[2 * this.#slotOf(key0, key1, hash2(key0, key1)) + 1]! - 1;
    }

    /** How many values a group has. */
    countOf(group: number): number {
        return this.#groups[group * STRIDE + COUNT]!;
    }

    /** The number of the group with this key, which is made where it is not there; groups are numbered as they come. */
    groupNumber(key0: ValueId, key1: ValueId): number {
        if (key0 !== this.#key0 || key1 !== this.#key1 || this.#at < 0) this.#enter(key0, key1);
        return this.#at / STRIDE;
    }

    /** How many groups there are. */
    get groupCount(): number {
        return this.#count;
    }

    #add(value: ValueId): boolean {
        const size = this.#size;
        const offset = this.#offset;
        const pool = this.#pool.words;
        const groups = this.#groups;
        const at = this.#at;
        if (size > 0) {
            const word = (value >> 5) - this.#base;
            if (word >>> 0 >= size) {
                this.#widen(value);
                return this.#add(value);
            }
            const bits = pool[offset + word]!;
            const bit = 1 << value;
            if ((bits & bit) !== 0) return false;
            pool[offset + word] = bits | bit;
            groups[at + COUNT]!++;
            return true;
        }
        const count = groups[at + COUNT]!;
        if (size >= -LONGEST_LIST) {
            for (let i = offset; i < offset + count; i++) if (pool[i] === value) return false;
            if (count === -size) {
                this.#grow();
                return this.#add(value);
            }
            pool[offset + count] = value;
            groups[at + COUNT] = count + 1;
            return true;
        }
        const mask = -size - 1;
        const stored = value ^ FREE;
        let slot = slotOf(value) & mask;
        for (let entry = pool[offset + slot]!; entry !== 0; entry = pool[offset + slot]!) {
            if (entry === stored) return false;
            slot = (slot + 1) & mask;
        }
        if (count * 4 >= -size * 3) {
            this.#grow();
            return this.#add(value);
        }
        pool[offset + slot] = stored;
        groups[at + COUNT] = count + 1;
        return true;
    }

    /** Makes the group with this key the one that values are added to. */
    #enter(key0: ValueId, key1: ValueId): void {
        const hash = hash2(key0, key1);
        const slot = this.#slotOf(key0, key1, hash);
        const entry = this.#directory[2 * slot + 1]!;
        this.#key0 = key0;
        this.#key1 = key1;
        if (entry === 0) {
            this.#newGroup(hash, slot);
            return;
        }
        const at = (entry - 1) * STRIDE;
        const groups = this.#groups;
        this.#at = at;
        this.#offset = groups[at + OFFSET]!;
        this.#base = groups[at + BASE]!;
        this.#size = groups[at + SIZE]!;
    }

    /** Returns the slot of the group with this key in the directory, or the free one for it. */
    #slotOf(key0: ValueId, key1: ValueId, hash: number): number {
        const directory = this.#directory;
        const groups = this.#groups;
        const mask = this.#mask;
        let slot = hash & mask;
        for (let entry = directory[2 * slot + 1]!; entry !== 0; entry = directory[2 * slot + 1]!) {
            const at = (entry - 1) * STRIDE;
            if (directory[2 * slot] === hash && groups[at + KEY0] === key0 && groups[at + KEY1] === key1) break;
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    #newGroup(hash: number, slot: number): void {
        const number = this.#count++;
        this.#directory[2 * slot] = hash;
        this.#directory[2 * slot + 1] = number + 1;
        if (this.#count * 5 > this.#mask * 3) this.#growDirectory();
        const { length } = this.#groups;
        if (this.#count * STRIDE > length) this.#groups = grownInts(this.#memory, this.#groups, grownLength(this.#memory, length, 4));
        this.#at = number * STRIDE;
        this.#groups[this.#at + KEY0] = this.#key0;
        this.#groups[this.#at + KEY1] = this.#key1;
        this.#place(this.#pool.allocate(4), 0, -4);
    }

    #growDirectory(): void {
        const old = this.#directory;
        this.#memory.reserve(old.byteLength * 2);
        const directory = new Int32Array(old.length * 2);
        const mask = directory.length / 2 - 1;
        for (let i = 0; i < old.length; i += 2) {
            if (old[i + 1] === 0) continue;
            let slot = old[i]! & mask;
            while (directory[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
            directory[2 * slot] = old[i]!;
            directory[2 * slot + 1] = old[i + 1]!;
        }
        this.#directory = directory;
        this.#mask = mask;
        this.#memory.release(old.byteLength);
    }

    /** Says where the block of the present group is: a bit map of `size` words, or a list or table of `-size`. */
    #place(offset: number, base: number, size: number): void {
        const groups = this.#groups;
        const at = this.#at;
        groups[at + OFFSET] = offset;
        groups[at + BASE] = base;
        groups[at + SIZE] = size;
        this.#offset = offset;
        this.#base = base;
        this.#size = size;
    }

    /** Gives the present group, whose list or table is full, a larger one or a bit map. */
    #grow(): void {
        const length = -this.#size;
        if (length < LONGEST_LIST) {
            const before = this.#offset;
            const offset = this.#pool.allocate(LONGEST_LIST);
            const pool = this.#pool.words;
            for (let i = 0; i < length; i++) pool[offset + i] = pool[before + i]!;
            this.#pool.free(before, length);
            this.#place(offset, 0, -LONGEST_LIST);
            return;
        }
        const count = this.#gather();
        const least = leastWord(this.#scratch, count);
        const words = blockSize(mostWord(this.#scratch, count) + 1 - least);
        if (words <= WORDS_PER_VALUE * count) this.#toBits(count, least, words);
        else this.#toTable(count, Math.max(length * 2, 32));
    }

    /** Makes room for a value that the bit map of the present group does not cover. */
    #widen(value: ValueId): void {
        const word = value >> 5;
        const count = this.#groups[this.#at + COUNT]!;
        const base = this.#base;
        const end = base + this.#size;
        const needed = Math.max(end, word + 1) - Math.min(base, word);
        if (needed > MOST_WORDS_PER_VALUE * count) {
            let slots = 32;
            while (slots < count * 2) slots *= 2;
            this.#toTable(this.#gather(), slots);
            return;
        }
        // A quarter more than needed on the side that grows.
        const size = blockSize(needed + (needed >> 2));
        this.#move(word < base ? end - size : base, size);
    }

    /**
     * Whether the present group has, or is given, a bit map with room for one of `size` words that begins with word `base` and has
     * `count` values.
     */
    #covers(base: number, size: number, count: number): boolean {
        const own = this.#groups[this.#at + COUNT]!;
        const most = WORDS_PER_VALUE * Math.max(own, count);
        const isBits = this.#size > 0;
        // What is larger and has no bit map yet is too scattered for one.
        if (!isBits && own > count) return false;
        if (isBits && this.#base <= base && base + size <= this.#base + this.#size) return true;
        if (!isBits) this.#gather();
        let least = base;
        let end = base + size;
        if (isBits || own > 0) {
            least = Math.min(base, isBits ? this.#base : leastWord(this.#scratch, own));
            end = Math.max(end, isBits ? this.#base + this.#size : mostWord(this.#scratch, own) + 1);
        }
        const words = blockSize(end - least);
        if (words > most) return false;
        if (isBits) this.#move(least, words);
        else this.#toBits(own, least, words);
        return true;
    }

    /** Adds the words of a bit map to that of the present group, which covers them. */
    #unite(words: Int32Array, offset: number, base: number, size: number, into: Int32Array, at: number): number {
        const pool = this.#pool.words;
        const own = this.#offset + base - this.#base;
        let free = at;
        for (let i = 0; i < size; i++) {
            const bits = pool[own + i]!;
            let fresh = words[offset + i]! & ~bits;
            if (fresh === 0) continue;
            pool[own + i] = bits | fresh;
            const first = (base + i) << 5;
            for (; fresh !== 0; fresh &= fresh - 1) into[free++] = first + 31 - Math.clz32(fresh & -fresh);
        }
        this.#groups[this.#at + COUNT]! += free - at;
        return free - at;
    }

    /** Puts the bit map of the present group into a larger one. */
    #move(base: number, size: number): void {
        const before = this.#offset;
        const beforeSize = this.#size;
        const offset = this.#pool.allocate(size);
        this.#pool.words.copyWithin(offset + this.#base - base, before, before + beforeSize);
        this.#pool.free(before, beforeSize);
        this.#place(offset, base, size);
    }

    /** Gives the present group, whose values have been gathered, a bit map. */
    #toBits(count: number, base: number, size: number): void {
        this.#pool.free(this.#offset, Math.abs(this.#size));
        this.#place(this.#pool.allocate(size), base, size);
        const pool = this.#pool.words;
        const offset = this.#offset - base;
        const values = this.#scratch;
        for (let i = 0; i < count; i++) pool[offset + (values[i]! >> 5)]! |= 1 << values[i]!;
    }

    /** Gives the present group, whose values have been gathered, a table. */
    #toTable(count: number, size: number): void {
        this.#pool.free(this.#offset, Math.abs(this.#size));
        this.#place(this.#pool.allocate(size), 0, -size);
        const pool = this.#pool.words;
        const offset = this.#offset;
        const values = this.#scratch;
        for (let i = 0; i < count; i++) {
            const value = values[i]!;
            let slot = slotOf(value) & (size - 1);
            while (pool[offset + slot] !== 0) slot = (slot + 1) & (size - 1);
            pool[offset + slot] = value ^ FREE;
        }
    }

    /** Writes the values of the present group down in the scratch array. Returns how many these are. */
    #gather(): number {
        const count = this.#groups[this.#at + COUNT]!;
        if (this.#scratch.length < count) this.#scratch = grownInts(this.#memory, this.#scratch, count * 2);
        this.#read(this.#at, this.#scratch);
        return count;
    }

    /** Writes the values of a group down. */
    #read(at: number, into: Int32Array): void {
        const pool = this.#pool.words;
        const offset = this.#groups[at + OFFSET]!;
        const base = this.#groups[at + BASE]!;
        const size = this.#groups[at + SIZE]!;
        let filled = 0;
        if (size > 0) {
            for (let i = 0; i < size; i++) {
                const first = (base + i) << 5;
                for (let bits = pool[offset + i]!; bits !== 0; bits &= bits - 1) into[filled++] = first + 31 - Math.clz32(bits & -bits);
            }
        } else if (size >= -LONGEST_LIST) {
            const count = this.#groups[at + COUNT]!;
            for (let i = 0; i < count; i++) into[i] = pool[offset + i]!;
        } else {
            for (let i = offset; i < offset - size; i++) if (pool[i] !== 0) into[filled++] = pool[i]! ^ FREE;
        }
    }
}

function slotOf(value: number): number {
    const hash = Math.imul(value, 0x9e3779b1);
    return hash ^ (hash >>> 15);
}

function leastWord(values: Int32Array, count: number): number {
    let least = values[0]! >> 5;
    for (let i = 1; i < count; i++) if (values[i]! >> 5 < least) least = values[i]! >> 5;
    return least;
}

function mostWord(values: Int32Array, count: number): number {
    let most = values[0]! >> 5;
    for (let i = 1; i < count; i++) if (values[i]! >> 5 > most) most = values[i]! >> 5;
    return most;
}
