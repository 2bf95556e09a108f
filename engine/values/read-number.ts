const WHOLE = /^-?\d+$/u;

/** The value of a number's digits: a whole number within 64 bits, or a double; undefined if neither holds a whole number. */
export type ReadNumber = bigint | number | undefined;

/**
 * Reads a finite decimal number. A whole number beyond 64 bits is a double where its digits are the shortest ones of that double, as
 * programs write it whose numbers are doubles. Any other one would be rounded, and two of them could become one.
 */
export function readNumber(text: string): ReadNumber {
    const double = Number(text);
    if (!Number.isFinite(double)) return undefined;
    if (!WHOLE.test(text)) return double;
    const value = BigInt(text);
    if (BigInt.asIntN(64, value) === value) return value;
    const [shortest = ''] = double.toExponential().split('e');
    return shortest.replace('.', '') === text.replace(/0+$/u, '') ? double : undefined;
}
