import { grownDoubles, grownInts, type Memory } from './memory.ts';

/** Enough for the partials of any finite sum: they do not overlap, and the exponents of doubles span 2098 bits. */
const MOST_PARTIALS = 48;
const FIRST_BLOCK = 4;

/** The integer that a double is in units of its smallest step, 2^-1074. */
const STEP_BITS = 1074n;

/**
 * Many running sums, each kept exactly as partial sums that do not overlap (Shewchuk 1997), so that contributions may
 * come in any order and be taken back. A sum that is one double, as nearly all are, is one entry of an array; the
 * smaller partials of the others lie in blocks of a pool. Sums beyond the largest double are kept as bigints.
 */
export class ExactSums {
    readonly #memory: Memory;
    /** A sum that is one double; negative zero while nothing was added, which no addition gives; NaN for the others. */
    #single: Float64Array;
    /** The first place of the block of partials in the pool; -1 for a bigint. */
    #block: Int32Array;
    /** Partials in use. */
    #lengths: Uint8Array;
    #pool: Float64Array;
    #poolEnd = 0;
    /** Free blocks by size. */
    readonly #free: number[][] = [];
    readonly #huge = new Map<number, bigint>();
    readonly #partials = new Float64Array(MOST_PARTIALS + 1);

    constructor(memory: Memory) {
        this.#memory = memory;
        memory.reserve(64 * 13 + 64 * 8);
        this.#single = new Float64Array(64).fill(-0);
        this.#block = new Int32Array(64);
        this.#lengths = new Uint8Array(64);
        this.#pool = new Float64Array(64);
    }

    get bytes(): number {
        return this.#single.byteLength + this.#block.byteLength + this.#lengths.byteLength + this.#pool.byteLength;
    }

    /** Makes room for sums up to number `count - 1`. */
    ensure(count: number): void {
        const { length } = this.#single;
        if (count <= length) return;
        const next = Math.max(count, length * 2);
        this.#single = grownDoubles(this.#memory, this.#single, next).fill(-0, length);
        this.#block = grownInts(this.#memory, this.#block, next);
        this.#memory.reserve(next - length);
        const lengths = new Uint8Array(next);
        lengths.set(this.#lengths);
        this.#lengths = lengths;
    }

    /** Empties all sums, of which the first `count` have been added to. */
    restart(count: number): void {
        this.#single.fill(-0, 0, count);
        this.#poolEnd = 0;
        this.#free.length = 0;
        this.#huge.clear();
    }

    isEmpty(sum: number): boolean {
        return Object.is(this.#single[sum], -0);
    }

    /** Adds a finite double; minus zero marks an empty sum, so that it is added as zero. */
    add(sum: number, value: number): void {
        const added = value + 0;
        const single = this.#single[sum]!;
        const total = single + added;
        const virtual = total - single;
        const error = single - (total - virtual) + (added - virtual);
        if (error === 0) this.#single[sum] = total;
        else this.#addSlowly(sum, added);
    }

    /** Adds an integer of any size. */
    addBigint(sum: number, value: bigint): void {
        const high = Number(value);
        this.add(sum, high);
        const rest = value - BigInt(high);
        if (rest !== 0n) this.addBigint(sum, rest);
    }

    /** Takes back a value that was added. */
    remove(sum: number, value: number): void {
        this.add(sum, value === 0 ? 0 : -value);
    }

    /** The sum when it is one double. */
    isSingle(sum: number): boolean {
        return !Number.isNaN(this.#single[sum]);
    }

    /** The correctly rounded sum; infinite beyond the largest double. */
    rounded(sum: number): number {
        if (this.isSingle(sum)) return this.#single[sum]!;
        if (this.#isHuge(sum)) return roundedSteps(this.#huge.get(sum)!);
        return roundedPartials(this.#partials, this.#load(sum));
    }

    /** The exact sum when it is an integer. */
    integer(sum: number): bigint | undefined {
        if (this.#isHuge(sum)) {
            const steps = this.#huge.get(sum)!;
            return (steps >> STEP_BITS) << STEP_BITS === steps ? steps >> STEP_BITS : undefined;
        }
        const length = this.#load(sum);
        let total = 0n;
        for (let i = 0; i < length; i++) {
            const partial = this.#partials[i]!;
            if (!Number.isInteger(partial)) return undefined;
            total += BigInt(partial);
        }
        return total;
    }

    /** Gives up the memory. */
    dispose(): void {
        this.#memory.release(this.bytes);
    }

    #addSlowly(sum: number, value: number): void {
        if (this.#isHuge(sum)) {
            this.#huge.set(sum, this.#huge.get(sum)! + stepsOf(value));
            return;
        }
        const partials = this.#partials;
        const length = this.#load(sum);
        let kept = 0;
        let carry = value;
        for (let i = 0; i < length; i++) {
            const partial = partials[i]!;
            const total = carry + partial;
            if (!Number.isFinite(total)) {
                this.#becomeHuge(sum, value);
                return;
            }
            const virtual = total - carry;
            const error = carry - (total - virtual) + (partial - virtual);
            if (error !== 0) partials[kept++] = error;
            carry = total;
        }
        partials[kept++] = carry;
        this.#store(sum, kept);
    }

    #isHuge(sum: number): boolean {
        return this.#block[sum] === -1 && !this.isSingle(sum);
    }

    #becomeHuge(sum: number, value: number): void {
        const length = this.#load(sum);
        let steps = stepsOf(value);
        for (let i = 0; i < length; i++) steps += stepsOf(this.#partials[i]!);
        this.#store(sum, 1);
        this.#single[sum] = Number.NaN;
        this.#block[sum] = -1;
        this.#huge.set(sum, steps);
    }

    /** Copies the partials of a sum, the smallest first, and returns how many they are. */
    #load(sum: number): number {
        if (this.isSingle(sum)) {
            this.#partials[0] = this.#single[sum]!;
            return 1;
        }
        const start = this.#block[sum]!;
        const length = this.#lengths[sum]!;
        for (let i = 0; i < length; i++) this.#partials[i] = this.#pool[start + i]!;
        return length;
    }

    #store(sum: number, length: number): void {
        const before = this.isSingle(sum) ? -1 : sizeOf(this.#lengths[sum]!);
        const size = length === 1 ? -1 : sizeOf(length);
        if (size !== before) {
            if (before >= 0) this.#freeBlocks(before).push(this.#block[sum]!);
            if (size >= 0) this.#block[sum] = this.#allocate(size);
        }
        this.#single[sum] = length === 1 ? this.#partials[0]! : Number.NaN;
        if (length === 1) return;
        const start = this.#block[sum]!;
        for (let i = 0; i < length; i++) this.#pool[start + i] = this.#partials[i]!;
        this.#lengths[sum] = length;
    }

    #allocate(size: number): number {
        const free = this.#freeBlocks(size).pop();
        if (free !== undefined) return free;
        const length = FIRST_BLOCK << size;
        if (this.#poolEnd + length > this.#pool.length) this.#pool = grownDoubles(this.#memory, this.#pool, this.#pool.length * 2);
        const start = this.#poolEnd;
        this.#poolEnd += length;
        return start;
    }

    #freeBlocks(size: number): number[] {
        let blocks = this.#free[size];
        if (blocks === undefined) {
            blocks = [];
            this.#free[size] = blocks;
        }
        return blocks;
    }
}

/** Returns the size of block that holds so many partials. */
function sizeOf(partials: number): number {
    let size = 0;
    while (FIRST_BLOCK << size < partials) size++;
    return size;
}

/** Rounds partials that do not overlap, smallest first, half to even as `fsum` does. */
function roundedPartials(partials: Float64Array, length: number): number {
    let i = length - 1;
    let high = partials[i]!;
    let low = 0;
    while (i > 0) {
        const before = high;
        const partial = partials[--i]!;
        high = before + partial;
        low = partial - (high - before);
        if (low !== 0) break;
    }
    // The rest decides when the low part is exactly half a unit of the high part.
    if (i > 0 && ((low < 0 && partials[i - 1]! < 0) || (low > 0 && partials[i - 1]! > 0))) {
        const twice = low * 2;
        const moved = high + twice;
        if (twice === moved - high) high = moved;
    }
    return high;
}

const words = new DataView(new ArrayBuffer(8));

function stepsOf(value: number): bigint {
    words.setFloat64(0, value);
    const bits = words.getBigUint64(0);
    const exponent = (bits >> 52n) & 0x7ffn;
    const fraction = bits & 0xfffffffffffffn;
    const steps = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
    return bits >> 63n === 0n ? steps : -steps;
}

/** The double nearest to so many steps, ties to even. */
function roundedSteps(steps: bigint): number {
    const size = steps < 0n ? -steps : steps;
    const length = BigInt(size.toString(2).length);
    // Number() rounds an integer correctly; what is beyond 64 bits is folded into one sticky bit first.
    const cut = length > 64n ? length - 64n : 0n;
    const top = size >> cut;
    const sticky = cut > 0n && top << cut !== size ? 1n : 0n;
    const rounded = Number(top | sticky);
    const shift = Number(cut - STEP_BITS);
    const half = Math.trunc(shift / 2);
    const scaled = rounded * 2 ** half * 2 ** (shift - half);
    return steps < 0n ? -scaled : scaled;
}
