import { mix } from './mix.ts';
import type { ValueId } from './value-id.ts';

/** The seed of the hash of a string. */
export const TEXT_SEED = 0x2c1b3c6d;

/** One more word of the text in a hash: four bytes, the first one lowest. Zeros fill up the last word. */
export function textHashStep(hash: number, word: number): number {
    const h = Math.imul(hash ^ word, 0x9e3779b1);
    return h ^ (h >>> 15);
}

/** The hash of a text once all its words are in it; `length` counts bytes. */
export function textHash(hash: number, length: number): number {
    return mix(hash ^ length);
}

/** The hash of all words of a text. The bytes of its last word are there, of which some may stand behind it. */
export function hashOfText(view: DataView, from: number, to: number): number {
    let hash = TEXT_SEED;
    let i = from;
    for (; i + 4 <= to; i += 4) hash = textHashStep(hash, view.getInt32(i, true));
    return i === to ? hash : textHashStep(hash, view.getInt32(i, true) & ((1 << ((to - i) * 8)) - 1));
}

/** The machine keeps the lowest byte of a word first. */
export const keepsLowestFirst = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

/** Words before the text of a record: the id of the value, and the length of the text in bytes. */
const HEAD = 2;
const FREE = 0;

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/**
 * The strings of a dictionary as UTF-8, each once, in records of whole words that lie one after another. A string is known
 * by its record: the index of its first word. The table holds records; the bits that no record needs are those of the hash,
 * so that few records are looked at in vain.
 */
export class StringStore {
    readonly #newId: (record: number) => ValueId;
    /** As long as a power of two. */
    #words = new Int32Array(1 << 12);
    #bytes = new Uint8Array(this.#words.buffer);
    /** The first record is not 0, which marks a free slot. */
    #used = 1;
    #count = 0;
    #table = new Int32Array(1 << 10);
    readonly #texts: (string | undefined)[] = [];
    #textBytes = 0;
    #entries = new Int32Array(0);
    #touched = 0;

    /** `newId` makes the value of a string that was not there before. */
    constructor(newId: (record: number) => ValueId) {
        this.#newId = newId;
    }

    /** Bytes held; the texts made by `textOf` by estimate. */
    get bytes(): number {
        return this.#words.byteLength + this.#table.byteLength + this.#textBytes;
    }

    /** The value of the UTF-8 in `bytes[start..end)`. */
    intern(bytes: Uint8Array, start: number, end: number): ValueId {
        const length = end - start;
        const hash = textHash(hashOfBytes(bytes, start, end), length);
        const mask = this.#table.length - 1;
        const low = this.#words.length - 1;
        for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
            const entry = this.#table[slot]!;
            if (entry === FREE) return this.#add(bytes, start, length, hash, slot);
            if (((entry ^ hash) & ~low) !== 0) continue;
            const record = entry & low;
            if (this.#words[record + 1] !== length) continue;
            const from = (record + HEAD) * 4;
            let i = 0;
            while (i < length && this.#bytes[from + i] === bytes[start + i]) i++;
            if (i === length) return this.#words[record]!;
        }
    }

    /** Whether the UTF-8 in `bytes[start..end)` is the text of a value. */
    has(bytes: Uint8Array, start: number, end: number): boolean {
        const length = end - start;
        const hash = textHash(hashOfBytes(bytes, start, end), length);
        const mask = this.#table.length - 1;
        const low = this.#words.length - 1;
        for (let slot = hash & mask; this.#table[slot] !== FREE; slot = (slot + 1) & mask) {
            const record = this.#table[slot]! & low;
            if (this.#words[record + 1] !== length) continue;
            const from = (record + HEAD) * 4;
            let i = 0;
            while (i < length && this.#bytes[from + i] === bytes[start + i]) i++;
            if (i === length) return true;
        }
        return false;
    }

    /**
     * Puts in place of each length in `ids[from..to)` the value of the text of so many bytes that starts at `starts` and has
     * the `textHash` in `hashes`; a negative start leaves the entry as it is. Three more bytes are read behind each text.
     * Only where `keepsLowestFirst`. What the searches will need is touched by loops of their own
     * before: a processor waits for many places of memory at once there (half the time of a column of 100,000 strings).
     */
    internAll(bytes: Uint8Array, view: DataView, starts: Int32Array, ids: Int32Array, hashes: Int32Array, from: number, to: number): void {
        let table = this.#table;
        let mask = table.length - 1;
        let words = this.#words;
        let low = words.length - 1;
        if (this.#entries.length < to - from) this.#entries = new Int32Array(to - from);
        const entries = this.#entries;
        for (let k = from; k < to; k++) entries[k - from] = table[hashes[k]! & mask]!;
        let touched = 0;
        for (let k = from; k < to; k++) touched ^= words[(entries[k - from]! & low) + HEAD]!;
        this.#touched ^= touched;
        for (let k = from; k < to; k++) {
            const start = starts[k]!;
            if (start < 0) continue;
            const length = ids[k]!;
            const hash = hashes[k]!;
            const whole = start + (length & -4);
            const rest = length & 3;
            for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
                const entry = table[slot]!;
                if (entry === FREE) {
                    ids[k] = this.#add(bytes, start, length, hash, slot);
                    table = this.#table;
                    mask = table.length - 1;
                    words = this.#words;
                    low = words.length - 1;
                    break;
                }
                if (((entry ^ hash) & ~low) !== 0) continue;
                const record = entry & low;
                if (words[record + 1] !== length) continue;
                let word = record + HEAD;
                let i = start;
                while (i < whole && words[word] === view.getInt32(i, true)) {
                    i += 4;
                    word++;
                }
                if (i === whole && (rest === 0 || (words[word]! ^ view.getInt32(i, true)) << (32 - 8 * rest) === 0)) {
                    ids[k] = words[record]!;
                    break;
                }
            }
        }
    }

    /** The UTF-8 of a string, a view that later additions may detach from the store. */
    utf8Of(record: number): Uint8Array {
        const from = (record + HEAD) * 4;
        return this.#bytes.subarray(from, from + this.#words[record + 1]!);
    }

    /** Copies the UTF-8 of a string to the words `to[at..]` where it fits there, zeros behind it, and gives its length in bytes. */
    copyWords(record: number, to: Int32Array, at: number): number {
        const words = this.#words;
        const length = words[record + 1]!;
        const count = (length + 3) >> 2;
        if (at + count > to.length) return length;
        const from = record + HEAD;
        for (let i = 0; i < count; i++) to[at + i] = words[from + i]!;
        return length;
    }

    /** Bytes of the UTF-8 of a string. */
    lengthOf(record: number): number {
        return this.#words[record + 1]!;
    }

    textOf(record: number): string {
        const id = this.#words[record]!;
        let text = this.#texts[id];
        if (text === undefined) {
            text = decoder.decode(this.utf8Of(record));
            this.#texts[id] = text;
            this.#textBytes += 32 + text.length * 2;
        }
        return text;
    }

    /** Negative, zero or positive as the first string precedes, equals or follows the second by Unicode code points. */
    compare(left: number, right: number): number {
        const bytes = this.#bytes;
        const lengthOfLeft = this.#words[left + 1]!;
        const lengthOfRight = this.#words[right + 1]!;
        let i = (left + HEAD) * 4;
        let j = (right + HEAD) * 4;
        const end = i + Math.min(lengthOfLeft, lengthOfRight);
        while (i < end) {
            const difference = bytes[i++]! - bytes[j++]!;
            if (difference !== 0) return difference;
        }
        return lengthOfLeft - lengthOfRight;
    }

    #add(bytes: Uint8Array, start: number, length: number, hash: number, free: number): ValueId {
        const record = this.#used;
        const text = record + HEAD;
        this.#used = text + ((length + 3) >> 2);
        if (this.#used > this.#words.length) this.#growRecords();
        const id = this.#newId(record);
        this.#words[record] = id;
        this.#words[record + 1] = length;
        const to = this.#bytes;
        const end = start + length;
        for (let i = start, j = text * 4; i < end; i++) to[j++] = bytes[i]!;
        this.#table[free] = record | (hash & -this.#words.length);
        if (++this.#count * 4 > this.#table.length * 3) this.#growTable();
        return id;
    }

    #growRecords(): void {
        const before = this.#words.length;
        let length = before;
        while (length < this.#used) length *= 2;
        const words = new Int32Array(length);
        words.set(this.#words);
        this.#words = words;
        this.#bytes = new Uint8Array(words.buffer);
        // Longer records leave fewer bits for hashes.
        const kept = (before - 1) | -length;
        for (let slot = 0; slot < this.#table.length; slot++) this.#table[slot]! &= kept;
    }

    #growTable(): void {
        const table = new Int32Array(this.#table.length * 2);
        const mask = table.length - 1;
        const words = this.#words;
        const high = -words.length;
        for (let record = 1, next = 1; record < this.#used; record = next) {
            const length = words[record + 1]!;
            const from = (record + HEAD) * 4;
            next = record + HEAD + ((length + 3) >> 2);
            const hash = textHash(hashOfBytes(this.#bytes, from, from + length), length);
            let slot = hash & mask;
            while (table[slot] !== FREE) slot = (slot + 1) & mask;
            table[slot] = record | (hash & high);
        }
        this.#table = table;
    }
}

function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
    let hash = TEXT_SEED;
    let i = start;
    for (; i + 4 <= end; i += 4) {
        hash = textHashStep(hash, bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    }
    if (i === end) return hash;
    let word = 0;
    for (let k = end - 1; k >= i; k--) word = (word << 8) | bytes[k]!;
    return textHashStep(hash, word);
}
