import { growsInPlace, hasSpace, spaceOf } from './address-space.ts';

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

/**
 * The next length of an array that must hold more than `length` entries: the double where it is copied, or a quarter more where it grows
 * in place or only that fits.
 */
export function grownLength(memory: Memory, length: number, bytesPerEntry: number): number {
    const quarter = length + (length >> 2) + 1;
    return !growsInPlace(length * 4) && memory.fits(2 * length * bytesPerEntry) ? length * 2 : quarter;
}

/**
 * A longer array with the same entries, and zeros behind them; `from` remains readable. A large one shares its entries with `from`, so
 * that nothing is copied and nothing is left to be collected; where `from` is copied, both are counted while both are held.
 */
export function grownInts(memory: Memory, from: Int32Array, length: number): Int32Array {
    return new Int32Array(grownBuffer(memory, from, length * 4), 0, length);
}

/** As `grownInts`, for doubles. */
export function grownDoubles(memory: Memory, from: Float64Array, length: number): Float64Array {
    return new Float64Array(grownBuffer(memory, from, length * 8), 0, length);
}

function grownBuffer(memory: Memory, from: Int32Array | Float64Array, bytes: number): ArrayBufferLike {
    if (hasSpace(from)) {
        const more = bytes - from.byteLength;
        memory.reserve(more);
        const grown = spaceOf(from, bytes);
        if (grown !== undefined) return grown;
        memory.release(more);
    }
    memory.reserve(bytes);
    const copy = growsInPlace(bytes) ? spaceOf(from, bytes) : undefined;
    const buffer = copy ?? new ArrayBuffer(bytes);
    if (copy === undefined) new Uint8Array(buffer).set(new Uint8Array(from.buffer, from.byteOffset, from.byteLength));
    memory.release(from.byteLength);
    return buffer;
}
