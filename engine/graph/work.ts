import type { Memory } from '../values/memory.ts';

/** Lets the loops of an algorithm be stopped, and counts the arrays that it holds. */
export class Work {
    readonly #checkpoint: { left: number; check(): void };
    readonly #memory: Memory;
    #bytes = 0;

    constructor(checkpoint: { left: number; check(): void }, memory: Memory) {
        this.#checkpoint = checkpoint;
        this.#memory = memory;
    }

    /** Called for every so many edges or rows that a loop has looked at. */
    step(count = 1): void {
        this.#checkpoint.left -= count;
        if (this.#checkpoint.left < 0) this.#checkpoint.check();
    }

    ints(length: number): Int32Array {
        this.reserve(length * 4);
        return new Int32Array(length);
    }

    doubles(length: number): Float64Array {
        this.reserve(length * 8);
        return new Float64Array(length);
    }

    bytes(length: number): Uint8Array {
        this.reserve(length);
        return new Uint8Array(length);
    }

    reserve(bytes: number): void {
        this.#memory.reserve(bytes);
        this.#bytes += bytes;
    }

    /** Gives up everything at once, when the algorithm has ended. */
    release(): void {
        this.#memory.release(this.#bytes);
        this.#bytes = 0;
    }
}
