import type { Column } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { castText, castValue } from '../values/cast.ts';
import type { Dictionary, ValueId } from '../values/dictionary.ts';

/** How the cells of a column become values. */
export const [TEXT, INTEGER, CAST, SKIPPED] = [0, 1, 2, 3] as const;

const STRING: Type = { kind: 'string' };
const NO_VALUE = Number.NaN;
const DIGITS_EXACT = 15;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const MINUS = 0x2d;
const POINT = 0x2e;

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

export function cellKind(column: Column): number {
    if (!column.cast) return TEXT;
    switch (column.type.kind) {
        case 'string':
        case 'json':
        case 'unknown':
        case 'mixed':
            return TEXT;
        case 'int':
        case 'long':
            return INTEGER;
        default:
            return CAST;
    }
}

/** The value of a cell in a column of any kind but TEXT, undefined where the cell does not read as the type of the column. */
export function cellValue(bytes: Uint8Array, from: number, to: number, column: Column, dictionary: Dictionary): ValueId | undefined {
    const { type } = column;
    const isInteger = type.kind === 'int' || type.kind === 'long';
    const value = isInteger ? plainInteger(bytes, from, to) : type.kind === 'double' ? plainDecimal(bytes, from, to) : NO_VALUE;
    if (!Number.isNaN(value) && (type.kind !== 'int' || (value >= -0x80000000 && value <= 0x7fffffff))) return dictionary.number(value);
    const text = cellText(bytes, from, to);
    return isCollection(type) ? castValue(dictionary, dictionary.string(text), type, STRING) : castText(dictionary, text, type);
}

export function cellText(bytes: Uint8Array, from: number, to: number): string {
    return decoder.decode(bytes.subarray(from, to));
}

export function isCollection({ kind }: Type): boolean {
    return kind === 'list' || kind === 'set' || kind === 'map' || kind === 'struct';
}

/** The value of digits with an optional minus, where a double holds it exactly; else NaN. */
function plainInteger(bytes: Uint8Array, from: number, to: number): number {
    const isNegative = bytes[from] === MINUS;
    let i = isNegative ? from + 1 : from;
    if (i >= to || to - i > DIGITS_EXACT) return NO_VALUE;
    let value = 0;
    for (; i < to; i++) {
        const digit = bytes[i]! - 0x30;
        if (digit < 0 || digit > 9) return NO_VALUE;
        value = value * 10 + digit;
    }
    return isNegative ? -value : value;
}

/**
 * The value of digits with an optional minus and point, up to 15 in all; else NaN. Such a number is the quotient of two
 * exact doubles, which division rounds correctly (Clinger 1990, the fast path).
 */
function plainDecimal(bytes: Uint8Array, from: number, to: number): number {
    const isNegative = bytes[from] === MINUS;
    let i = isNegative ? from + 1 : from;
    let digits = 0;
    let fraction = -1;
    let value = 0;
    for (; i < to; i++) {
        const byte = bytes[i]!;
        if (byte === POINT && fraction < 0) {
            fraction = 0;
            continue;
        }
        const digit = byte - 0x30;
        if (digit < 0 || digit > 9 || ++digits > DIGITS_EXACT) return NO_VALUE;
        value = value * 10 + digit;
        if (fraction >= 0) fraction++;
    }
    if (digits === 0) return NO_VALUE;
    const size = fraction > 0 ? value / POWERS_OF_TEN[fraction]! : value;
    return isNegative ? -size : size;
}
