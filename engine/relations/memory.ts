/**
 * Counts the bytes of relations, indexes and aggregates against a limit. A structure reserves bytes before it allocates
 * them, so that the count never falls behind what is held.
 */
export class Memory {
    readonly #limit: number;
    readonly #outside: () => number;
    readonly #full: () => never;
    #bytes = 0;
    #peak = 0;

    /** `outside` gives the bytes of what counts itself, such as the dictionary; `full` ends the run. */
    constructor(limit: number, outside: () => number, full: () => never) {
        this.#limit = limit;
        this.#outside = outside;
        this.#full = full;
    }

    /** Bytes that are reserved now. */
    get held(): number {
        return this.#bytes;
    }

    get peak(): number {
        return this.#peak;
    }

    reserve(bytes: number): void {
        this.#bytes += bytes;
        this.check();
    }

    release(bytes: number): void {
        this.#bytes -= bytes;
    }

    /** Ends the run when more bytes are held than the limit allows. */
    check(): void {
        const total = this.#bytes + this.#outside();
        if (total > this.#limit) this.#full();
        if (total > this.#peak) this.#peak = total;
    }

    /** Whether so many bytes more would be allowed. */
    fits(bytes: number): boolean {
        return this.#bytes + this.#outside() + bytes <= this.#limit;
    }
}

/** For relations outside a run: no limit. */
export function unlimitedMemory(): Memory {
    return new Memory(
        Number.POSITIVE_INFINITY,
        () => 0,
        () => {
            throw new Error('unreachable');
        },
    );
}

/** The next length of a buffer that must hold more than `length` entries: the double, or a quarter more where only that fits. */
export function grownLength(memory: Memory, length: number, bytesPerEntry: number): number {
    const quarter = length + (length >> 2) + 1;
    return memory.fits(2 * length * bytesPerEntry) ? length * 2 : quarter;
}

/** A larger copy of an array; both are counted while both are held. */
export function grownInts(memory: Memory, from: Int32Array, length: number): Int32Array {
    memory.reserve(length * 4);
    const to = new Int32Array(length);
    to.set(from);
    memory.release(from.byteLength);
    return to;
}

/** As `grownInts`, for doubles. */
export function grownDoubles(memory: Memory, from: Float64Array, length: number): Float64Array {
    memory.reserve(length * 8);
    const to = new Float64Array(length);
    to.set(from);
    memory.release(from.byteLength);
    return to;
}
