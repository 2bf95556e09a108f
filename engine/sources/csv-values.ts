import type { Column } from '#language/program/analysed-program.ts';
import type { NumberForm } from '#language/program/number-form.ts';
import { isNumeric, type Type } from '#language/program/types.ts';
import { daysOfPlainDate } from '../values/calendar.ts';
import { castText, castValue } from '../values/cast.ts';
import { type Dictionary, FALSE, TRUE } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import { pointedNumber } from './written-numbers.ts';

/** How the cells of a column become values. */
export const [TEXT, INTEGER, CAST, SKIPPED] = [0, 1, 2, 3] as const;

const STRING: Type = { kind: 'string' };
const NO_VALUE = Number.NaN;
const DIGITS_EXACT = 15;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const DATE_LENGTH = 10;
const TIMESTAMP_LENGTH = 19;
const BLANK = 0x20;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const LETTER_T = 0x54;

const encoder = new TextEncoder();
const TRUE_WORD = encoder.encode('true');
const FALSE_WORD = encoder.encode('false');
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
export function cellValue(
    bytes: Uint8Array,
    from: number,
    to: number,
    { type }: Column,
    dictionary: Dictionary,
    numbers?: NumberForm,
): ValueId | undefined {
    if (numbers !== undefined && isNumeric(type)) {
        const number = pointedNumber(cellText(bytes, from, to).trim(), numbers);
        return number === undefined ? undefined : castText(dictionary, number, type);
    }
    const plain = plainValue(bytes, from, to, type, dictionary);
    if (plain !== undefined) return plain;
    const text = cellText(bytes, from, to);
    return isCollection(type) ? castValue(dictionary, dictionary.string(text), type, STRING) : castText(dictionary, text, type);
}

/** The value of a cell in the form that nearly all cells have; undefined for any other. */
export function plainValue(bytes: Uint8Array, from: number, to: number, type: Type, dictionary: Dictionary): ValueId | undefined {
    switch (type.kind) {
        case 'int': {
            const value = plainInteger(bytes, from, to);
            return value >= -0x80000000 && value <= 0x7fffffff ? dictionary.number(value) : undefined;
        }
        case 'long': {
            const value = plainInteger(bytes, from, to);
            return Number.isNaN(value) ? undefined : dictionary.number(value);
        }
        case 'double': {
            const value = plainDecimal(bytes, from, to);
            return Number.isNaN(value) ? undefined : dictionary.number(value);
        }
        case 'boolean':
            return plainBoolean(bytes, from, to);
        case 'date': {
            const days = to - from === DATE_LENGTH ? plainDate(bytes, from) : NO_VALUE;
            return Number.isNaN(days) ? undefined : dictionary.date(days);
        }
        case 'timestamp': {
            // Exact beyond 2^53 too: a million is a multiple of 64.
            const micros = plainSeconds(bytes, from, to) * 1e6;
            if (Number.isSafeInteger(micros)) return dictionary.instant(micros);
            return Number.isNaN(micros) ? undefined : dictionary.timestamp(BigInt(micros));
        }
        default:
            return undefined;
    }
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
        const digit = bytes[i]! - ZERO;
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
        const digit = byte - ZERO;
        if (digit < 0 || digit > 9 || ++digits > DIGITS_EXACT) return NO_VALUE;
        value = value * 10 + digit;
        if (fraction >= 0) fraction++;
    }
    if (digits === 0) return NO_VALUE;
    const size = fraction > 0 ? value / POWERS_OF_TEN[fraction]! : value;
    return isNegative ? -size : size;
}

function plainBoolean(bytes: Uint8Array, from: number, to: number): ValueId | undefined {
    if (to - from === 4 && isWord(TRUE_WORD, bytes, from)) return TRUE;
    return to - from === 5 && isWord(FALSE_WORD, bytes, from) ? FALSE : undefined;
}

function isWord(word: Uint8Array, bytes: Uint8Array, from: number): boolean {
    for (let i = 0; i < word.length; i++) if (bytes[from + i] !== word[i]) return false;
    return true;
}

/** The day of ten bytes like `2031-04-09`; else NaN. */
function plainDate(bytes: Uint8Array, from: number): number {
    if (bytes[from + 4] !== MINUS || bytes[from + 7] !== MINUS) return NO_VALUE;
    const year = twoDigits(bytes, from) * 100 + twoDigits(bytes, from + 2);
    return daysOfPlainDate(year, twoDigits(bytes, from + 5), twoDigits(bytes, from + 8));
}

/** The seconds of bytes like `2031-04-09 10:15:00`, or with a T between the halves; else NaN. */
function plainSeconds(bytes: Uint8Array, from: number, to: number): number {
    if (to - from !== TIMESTAMP_LENGTH || bytes[from + 13] !== COLON || bytes[from + 16] !== COLON) return NO_VALUE;
    if (bytes[from + 10] !== BLANK && bytes[from + 10] !== LETTER_T) return NO_VALUE;
    const hours = twoDigits(bytes, from + 11);
    const minutes = twoDigits(bytes, from + 14);
    const seconds = twoDigits(bytes, from + 17);
    if (!(hours <= 23 && minutes <= 59 && seconds <= 59)) return NO_VALUE;
    return plainDate(bytes, from) * 86_400 + hours * 3600 + minutes * 60 + seconds;
}

/** The value of two digits; else NaN. */
function twoDigits(bytes: Uint8Array, from: number): number {
    const tens = bytes[from]! - ZERO;
    const ones = bytes[from + 1]! - ZERO;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NO_VALUE;
}
