import { mix, type ValueId } from '../values/dictionary.ts';
import { grownInts, type Memory } from './memory.ts';

/** Groups of up to this many values are lists; a search reads them all. */
const LONGEST_LIST = 8;
/** A bit map replaces a table of a group when it needs at most this many words per value. */
const WORDS_PER_VALUE = 2;
/** A bit map that needed more than this many words per value becomes a table again. */
const MOST_WORDS_PER_VALUE = 3;
/** Where a group's block starts in the pool, the first word that its bit map covers, how large the block is, how many values there are, and the key. */
const [OFFSET, BASE, SIZE, COUNT, KEY0, KEY1] = [0, 1, 2, 3, 4, 5] as const;
const STRIDE = 8;
/** What no table holds as a value: 0 in its place stands for a free slot. */
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
export class GroupedSet {
    readonly #memory: Memory;
    #pool: Int32Array;
    #top = 0;
    #groups: Int32Array;
    #count = 0;
    /** Hash and number plus one of each group. */
    #directory: Int32Array;
    #mask = 1023;
    /** For each size of blocks the first free one, by its offset plus one; each free block holds the next one. */
    readonly #freed = new Int32Array(64);
    /** The group that was looked for last: its place in `#groups`, with what stands there. */
    #at = -1;
    #key0 = 0;
    #key1 = 0;
    #offset = 0;
    #base = 0;
    #size = 0;
    /** For `groupRows`, by group; marks up to `#mark` have been used. */
    #marks: Int32Array = new Int32Array(0);
    #mark = 0;
    #scratch: Int32Array = new Int32Array(64);

    constructor(memory: Memory) {
        this.#memory = memory;
        memory.reserve((4096 + 256 * STRIDE + 2048 + 64) * 4);
        this.#pool = new Int32Array(4096);
        this.#groups = new Int32Array(256 * STRIDE);
        this.#directory = new Int32Array(2048);
    }

    get bytes(): number {
        return (
            this.#pool.byteLength + this.#groups.byteLength + this.#directory.byteLength + this.#marks.byteLength + this.#scratch.byteLength
        );
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
            const pool = this.#pool;
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
     * Puts rows of the set whose keys are equal next to each other; groups come in the order of their first rows.
     * Does nothing where they stand together already.
     */
    groupRows(columns: readonly Int32Array[], from: number, to: number): void {
        if (this.#marks.length < this.#count) {
            this.#marks = grownInts(this.#memory, this.#marks, this.#groups.length / STRIDE);
        }
        if (this.#mark > 0x3fffffff) {
            this.#marks.fill(0);
            this.#mark = 0;
        }
        if (this.#isGrouped(columns, from, to)) return;
        const [first, second, third] = columns as [Int32Array, Int32Array, Int32Array | undefined];
        const marks = this.#marks;
        const mark = this.#mark;
        const bytes = (to - from) * 12;
        this.#memory.reserve(bytes);
        const numbers = new Int32Array(to - from);
        const starts = new Int32Array(to - from + 1);
        let groups = 0;
        let number = 0;
        for (let row = from; row < to; row++) {
            const key0 = first[row]!;
            const key1 = third === undefined ? 0 : second[row]!;
            if (row === from || key0 !== this.#key0 || key1 !== this.#key1) {
                this.#enter(key0, key1);
                const group = this.#at / STRIDE;
                number = marks[group]! - mark;
                if (number <= 0) {
                    number = ++groups;
                    marks[group] = mark + number;
                }
            }
            numbers[row - from] = number;
            starts[number]!++;
        }
        this.#mark += groups;
        for (let i = 1; i <= groups; i++) starts[i]! += starts[i - 1]!;
        for (let i = 0; i < numbers.length; i++) numbers[i] = starts[numbers[i]! - 1]!++;
        for (const column of columns) {
            const values = column.slice(from, to);
            for (let i = 0; i < values.length; i++) column[from + numbers[i]!] = values[i]!;
        }
        this.#memory.release(bytes);
    }

    #isGrouped(columns: readonly Int32Array[], from: number, to: number): boolean {
        const [first, second, third] = columns as [Int32Array, Int32Array, Int32Array | undefined];
        const marks = this.#marks;
        const mark = ++this.#mark;
        for (let row = from; row < to; row++) {
            const key0 = first[row]!;
            const key1 = third === undefined ? 0 : second[row]!;
            if (row > from && key0 === this.#key0 && key1 === this.#key1) continue;
            this.#enter(key0, key1);
            const group = this.#at / STRIDE;
            if (marks[group] === mark) return false;
            marks[group] = mark;
        }
        return true;
    }

    #add(value: ValueId): boolean {
        const size = this.#size;
        const offset = this.#offset;
        const pool = this.#pool;
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
        const hash = mix((Math.imul(key0, 0x9e3779b1) + key1) | 0);
        const directory = this.#directory;
        const mask = this.#mask;
        this.#key0 = key0;
        this.#key1 = key1;
        let slot = hash & mask;
        for (let entry = directory[2 * slot + 1]!; entry !== 0; entry = directory[2 * slot + 1]!) {
            if (directory[2 * slot] === hash) {
                const at = (entry - 1) * STRIDE;
                const groups = this.#groups;
                if (groups[at + KEY0] === key0 && groups[at + KEY1] === key1) {
                    this.#at = at;
                    this.#offset = groups[at + OFFSET]!;
                    this.#base = groups[at + BASE]!;
                    this.#size = groups[at + SIZE]!;
                    return;
                }
            }
            slot = (slot + 1) & mask;
        }
        this.#newGroup(hash, slot);
    }

    #newGroup(hash: number, slot: number): void {
        const number = this.#count++;
        this.#directory[2 * slot] = hash;
        this.#directory[2 * slot + 1] = number + 1;
        if (this.#count * 5 > this.#mask * 3) this.#growDirectory();
        if (this.#count * STRIDE > this.#groups.length) this.#groups = grownInts(this.#memory, this.#groups, this.#groups.length * 2);
        this.#at = number * STRIDE;
        this.#groups[this.#at + KEY0] = this.#key0;
        this.#groups[this.#at + KEY1] = this.#key1;
        this.#place(this.#allocate(4), 0, -4);
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
        groups[this.#at + OFFSET] = offset;
        groups[this.#at + BASE] = base;
        groups[this.#at + SIZE] = size;
        this.#offset = offset;
        this.#base = base;
        this.#size = size;
    }

    /** Gives the present group, whose list or table is full, a larger one or a bit map. */
    #grow(): void {
        if (this.#size > -LONGEST_LIST) {
            const offset = this.#allocate(LONGEST_LIST);
            this.#pool.copyWithin(offset, this.#offset, this.#offset - this.#size);
            this.#free(this.#offset, -this.#size);
            this.#place(offset, 0, -LONGEST_LIST);
            return;
        }
        const values = this.#values();
        this.#free(this.#offset, -this.#size);
        let least = values[0]! >> 5;
        let most = least;
        for (const value of values) {
            least = Math.min(least, value >> 5);
            most = Math.max(most, value >> 5);
        }
        const words = blockSize(most - least + 1);
        if (words <= WORDS_PER_VALUE * values.length) {
            this.#place(this.#allocate(words), least, words);
            const pool = this.#pool;
            for (const value of values) pool[this.#offset + (value >> 5) - least]! |= 1 << value;
            return;
        }
        this.#fill(values, Math.max(-this.#size * 2, 32));
    }

    /** Makes room for a value that the bit map of the present group does not cover. */
    #widen(value: ValueId): void {
        const word = value >> 5;
        const { [this.#at + COUNT]: count = 0 } = this.#groups;
        const [oldOffset, oldBase, oldSize] = [this.#offset, this.#base, this.#size];
        const needed = Math.max(oldBase + oldSize, word + 1) - Math.min(oldBase, word);
        if (needed > MOST_WORDS_PER_VALUE * count) {
            const values = this.#values();
            this.#free(oldOffset, oldSize);
            let slots = 32;
            while (slots < count * 2) slots *= 2;
            this.#fill(values, slots);
            return;
        }
        // A quarter more than needed on the side that grows.
        const size = blockSize(needed + (needed >> 2));
        const base = word < oldBase ? oldBase + oldSize - size : oldBase;
        const offset = this.#allocate(size);
        this.#pool.copyWithin(offset + oldBase - base, oldOffset, oldOffset + oldSize);
        this.#free(oldOffset, oldSize);
        this.#place(offset, base, size);
    }

    /** Puts the values of the present group into a new table. */
    #fill(values: Int32Array, size: number): void {
        this.#place(this.#allocate(size), 0, -size);
        const pool = this.#pool;
        const offset = this.#offset;
        for (const value of values) {
            let slot = slotOf(value) & (size - 1);
            while (pool[offset + slot] !== 0) slot = (slot + 1) & (size - 1);
            pool[offset + slot] = value ^ FREE;
        }
    }

    /** The values of the present group; they are overwritten by the next call. */
    #values(): Int32Array {
        const count = this.#groups[this.#at + COUNT]!;
        const pool = this.#pool;
        const offset = this.#offset;
        const size = this.#size;
        if (this.#scratch.length < count) this.#scratch = grownInts(this.#memory, this.#scratch, count * 2);
        const values = this.#scratch.subarray(0, count);
        if (size < 0 && size >= -LONGEST_LIST) {
            for (let i = 0; i < count; i++) values[i] = pool[offset + i]!;
            return values;
        }
        let filled = 0;
        for (let i = 0; i < Math.abs(size); i++) {
            let entry = pool[offset + i]!;
            if (size < 0) {
                if (entry !== 0) values[filled++] = entry ^ FREE;
                continue;
            }
            for (; entry !== 0; entry &= entry - 1) values[filled++] = ((this.#base + i) << 5) + (31 - Math.clz32(entry & -entry));
        }
        return values;
    }

    /** A block of zeros; `size` is one of `blockSize`. */
    #allocate(size: number): number {
        const sizeClass = classOf(size);
        const freed = this.#freed[sizeClass]!;
        if (freed !== 0) {
            const offset = freed - 1;
            this.#freed[sizeClass] = this.#pool[offset]!;
            this.#pool.fill(0, offset, offset + size);
            return offset;
        }
        if (this.#top + size > this.#pool.length) {
            const { length } = this.#pool;
            const more = this.#memory.fits(8 * length) ? length : length >> 2;
            this.#pool = grownInts(this.#memory, this.#pool, length + Math.max(more, size));
        }
        const offset = this.#top;
        this.#top += size;
        return offset;
    }

    #free(offset: number, size: number): void {
        const sizeClass = classOf(size);
        this.#pool[offset] = this.#freed[sizeClass]!;
        this.#freed[sizeClass] = offset + 1;
    }
}

/** The smallest size of a block that holds so many words: a power of two or one and a half times that. */
function blockSize(words: number): number {
    if (words <= 4) return 4;
    const power = 1 << (32 - Math.clz32(words - 1));
    return words <= (power >> 2) * 3 ? (power >> 2) * 3 : power;
}

/** A number from 0 for each size of blocks. */
function classOf(size: number): number {
    const power = 31 - Math.clz32(size);
    return 2 * power + (size === 1 << power ? 0 : 1);
}

function slotOf(value: number): number {
    const hash = Math.imul(value, 0x9e3779b1);
    return hash ^ (hash >>> 15);
}
