const [NEXT, TAKEN, AHEAD, WORDS] = [0, 1, 2, 3] as const;
const ENDED = -1;

/** Assigns blocks to threads: each is claimed once, in their order, and no thread runs far ahead of the taken block. */
export class BlockClaims {
    readonly shared: SharedArrayBuffer;
    readonly #words: Int32Array;
    readonly #blocks: number;

    private constructor(blocks: number, shared: SharedArrayBuffer) {
        this.shared = shared;
        this.#words = new Int32Array(shared);
        this.#blocks = blocks;
    }

    /** Blocks before `first` cannot be claimed. Blocks up to `ahead` behind the taken one can. */
    static begin(first: number, blocks: number, ahead: number): BlockClaims {
        const claims = new BlockClaims(blocks, new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT));
        claims.#words[NEXT] = first;
        claims.#words[AHEAD] = ahead;
        return claims;
    }

    /** As another thread sees them. */
    static join(blocks: number, shared: SharedArrayBuffer): BlockClaims {
        return new BlockClaims(blocks, shared);
    }

    /** Claims the next free block; undefined if none may be claimed now. */
    claim(): number | undefined {
        for (;;) {
            const taken = Atomics.load(this.#words, TAKEN);
            const next = Atomics.load(this.#words, NEXT);
            if (taken === ENDED || next >= this.#blocks || next > taken + Atomics.load(this.#words, AHEAD)) return undefined;
            if (Atomics.compareExchange(this.#words, NEXT, next, next + 1) === next) return next;
        }
    }

    /** As `claim`, but waits until one may be claimed; undefined where there will be none. */
    waitFor(): number | undefined {
        for (;;) {
            const taken = Atomics.load(this.#words, TAKEN);
            const block = this.claim();
            if (block !== undefined) return block;
            if (taken === ENDED || Atomics.load(this.#words, NEXT) >= this.#blocks) return undefined;
            Atomics.wait(this.#words, TAKEN, taken);
        }
    }

    /** A block is being taken. */
    take(block: number): void {
        Atomics.store(this.#words, TAKEN, block);
        Atomics.notify(this.#words, TAKEN);
    }

    /** Ends the claims. */
    end(): void {
        this.take(ENDED);
    }
}
