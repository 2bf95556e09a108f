/** The rule for a value half-way between two candidates: away from zero, or to the even one. */
export type RoundingMode = 'half-up' | 'half-even';

export function roundToInteger(value: number, mode: RoundingMode): number {
    const whole = Math.trunc(value);
    const rest = Math.abs(value - whole);
    const up = rest > 0.5 || (rest === 0.5 && (mode === 'half-up' || whole % 2 !== 0));
    return up ? whole + Math.sign(value) : whole;
}

/**
 * Rounds the decimal digits that the value prints with, so that 2.675 is half-way between 2.67 and 2.68. A negative
 * scale rounds to tens, hundreds and so on.
 */
export function roundToScale(value: number, scale: number, mode: RoundingMode): number {
    const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
    const digits = mantissa.replace('.', '');
    /** How many of the digits stay; the first one has the weight 10^exponent. */
    const kept = Number(exponent) + 1 + scale;
    if (kept >= digits.length) return value;
    if (kept < 0) return 0;
    const head = digits.slice(0, kept);
    const rest = digits.slice(kept);
    const half = /^50*$/.test(rest);
    const isOdd = kept > 0 && Number(head.at(-1)) % 2 === 1;
    const up = half ? mode === 'half-up' || isOdd : rest[0]! >= '5';
    const whole = BigInt(head === '' ? '0' : head) + (up ? 1n : 0n);
    return Math.sign(value) * Number(`${whole}e${-scale}`);
}
