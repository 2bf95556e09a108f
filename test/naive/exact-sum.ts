/** Every double is an integer multiple of the smallest one, so that integers of that unit add exactly. */
const UNIT_EXPONENT = -1074;

/** The correctly rounded sum of doubles and integers (D-80), by adding exactly and rounding once. */
export function exactSum(values: readonly (number | bigint)[]): number {
    return nearestDouble(values.reduce<bigint>((sum, value) => sum + units(value), 0n));
}

const bits = new DataView(new ArrayBuffer(8));

function units(value: number | bigint): bigint {
    if (typeof value === 'bigint') return value << BigInt(-UNIT_EXPONENT);
    bits.setFloat64(0, value);
    const word = bits.getBigUint64(0);
    const exponent = (word >> 52n) & 0x7ffn;
    const fraction = word & 0xfffffffffffffn;
    const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
    return value < 0 ? -magnitude : magnitude;
}

/** Rounds half to even. */
function nearestDouble(sum: bigint): number {
    const sign = sum < 0n ? -1 : 1;
    const magnitude = sum < 0n ? -sum : sum;
    const shift = Math.max(magnitude.toString(2).length - 53, 0);
    const kept = magnitude >> BigInt(shift);
    const rest = magnitude - (kept << BigInt(shift));
    const half = shift === 0 ? 1n : 1n << BigInt(shift - 1);
    const up = rest > half || (rest === half && kept % 2n === 1n);
    return sign * Number(kept + (up ? 1n : 0n)) * 2 ** (shift + UNIT_EXPONENT);
}
