import { DAY_PATTERNS, orderOfDay } from './day-patterns.ts';
import type { AmountReading, DayReading, SourceColumn, TextReading, Type } from './types.ts';

/** The reading that all values of the type share: numbers, or days whose order differs from that of their texts. */
export function readingOf(type: Type): TextReading | undefined {
    return type.kind === 'string' ? type.reading : undefined;
}

/** The column of numbers or days that are in another order as texts, where all values of the type come from such. */
export function misorderedColumn(type: Type): SourceColumn | undefined {
    return type.kind === 'string' && type.reading !== undefined ? type.misordered : undefined;
}

/** The column whose texts read as numbers, where such are among values of the type, and numbers too. */
export function mixedColumn(type: Type): SourceColumn | undefined {
    return type.kind === 'mixed' && type.hasNumbers === true ? type.numbers : undefined;
}

/** The reading of operands that are compared with each other; undefined where they have several or one has none. */
export function commonReading(operands: readonly (Type | string)[]): TextReading | undefined {
    const [reading, another] = new Set(operands.flatMap(operand => (typeof operand === 'string' ? [] : [readingOf(operand)])));
    if (reading === undefined || another !== undefined) return undefined;
    return operands.every(operand => typeof operand !== 'string' || readsAs(operand, reading)) ? reading : undefined;
}

function readsAs(text: string, reading: TextReading): boolean {
    if (isAmount(reading)) return amountOf(text)?.sign === signOf(reading);
    if (reading === 'number') return text.trim() !== '' && Number.isFinite(Number(text));
    const patterns = reading === 'days' ? DAY_PATTERNS : patternsOf(reading);
    return patterns.some(pattern => orderOfDay(text, pattern) !== undefined);
}

/** A number with a sign for a currency or for percents before or behind it; undefined for another text. */
export function amountOf(text: string): { readonly sign: string; readonly number: number } | undefined {
    const { before, number, after } = AMOUNT.exec(text.trim())?.groups ?? {};
    const sign = before ?? after;
    return number === undefined || sign === undefined || (before && after) ? undefined : { sign, number: Number(number) };
}

const AMOUNT = /^(?<before>[$€£¥])? ?(?<number>-?\d+(?:\.\d+)?) ?(?<after>[$€£¥%])?$/u;

export function isAmount(reading: TextReading): reading is AmountReading {
    return reading.startsWith('amount ');
}

/** The sign that all amounts have. */
export function signOf(reading: AmountReading): string {
    return reading.slice('amount '.length);
}

/** The patterns in which texts are read as days. */
export function patternsOf(reading: DayReading): string[] {
    return reading.slice('day '.length).split('|');
}
