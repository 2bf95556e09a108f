const MINUS = 0x2d;
const ZERO = 0x30;

/** The most bytes that `writeInteger` writes. */
export const LONGEST_INTEGER = 11;

/** Writes the digits of a whole number below 2^31 in size to `bytes[at..]`, and gives where they end. */
export function writeInteger(value: number, bytes: Uint8Array, at: number): number {
    let rest = value < 0 ? -value : value;
    let start = at;
    if (value < 0) bytes[start++] = MINUS;
    let end = start + 1;
    for (let power = 10; power <= rest; power *= 10) end++;
    let digit = end;
    do {
        const tenth = (rest / 10) | 0;
        bytes[--digit] = ZERO + rest - tenth * 10;
        rest = tenth;
    } while (rest > 0);
    return end;
}
