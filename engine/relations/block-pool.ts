import { grownInts, grownLength, type Memory } from '../values/memory.ts';

/**
 * Blocks of words in one array, by their offsets. Blocks that have been given back are used again for blocks of their size.
 */
export class BlockPool {
    /** Replaced when a block is allocated; a block that is held has the same words in arrays before and after. */
    words: Int32Array = new Int32Array(4096);
    readonly #memory: Memory;
    #top = 0;
    /** For each size the first free block, by its offset plus one; each free block holds the next one. */
    readonly #freed = new Int32Array(64);

    constructor(memory: Memory) {
        this.#memory = memory;
        memory.reserve(this.words.byteLength);
    }

    get bytes(): number {
        return this.words.byteLength;
    }

    /** The offset of a block of zeros; `size` is one of `blockSize`. */
    allocate(size: number): number {
        const sizeClass = classOf(size);
        const freed = this.#freed[sizeClass]!;
        if (freed !== 0) {
            const offset = freed - 1;
            this.#freed[sizeClass] = this.words[offset]!;
            this.words.fill(0, offset, offset + size);
            return offset;
        }
        const offset = this.#top;
        this.#top += size;
        if (this.#top > this.words.length) this.#grow(size);
        return offset;
    }

    /** Takes a block back; its first word changes at once. */
    free(offset: number, size: number): void {
        const sizeClass = classOf(size);
        this.words[offset] = this.#freed[sizeClass]!;
        this.#freed[sizeClass] = offset + 1;
    }

    #grow(size: number): void {
        const { length } = this.words;
        this.words = grownInts(this.#memory, this.words, Math.max(grownLength(this.#memory, length, 4), length + size));
    }
}

/** The smallest size of a block that holds so many words: a power of two or one and a half times that. */
export function blockSize(words: number): number {
    if (words <= 4) return 4;
    const power = 1 << (32 - Math.clz32(words - 1));
    return words <= (power >> 2) * 3 ? (power >> 2) * 3 : power;
}

/** A number from 0 for each size of blocks. */
function classOf(size: number): number {
    const power = 31 - Math.clz32(size);
    return 2 * power + (size === 1 << power ? 0 : 1);
}
