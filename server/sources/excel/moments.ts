import type { CellKind } from './number-formats.ts';
import type { CellValue } from './sheet-cells.ts';

const MILLIS_PER_DAY = 86_400_000;
const MICROS_PER_DAY = BigInt(MILLIS_PER_DAY) * 1000n;
/** Day 0 of Excel, by days since 1970-01-01: it takes 1900 for a leap year, so that all days before its 29 February are one later. */
const [DAY_ZERO, DAY_ZERO_1904, LEAP_DAY] = [-25_569, -24_107, 60];
/** The number of the first day of the year 10000, when days are counted from 1900; there are none from then on. */
const END = 2_958_466;

/** The day, moment or time that a number stands for; a time is a text, as `08:30:00`. Undefined where it stands for none, as negative ones do; the 29 February 1900 is an error. */
export function momentOf(value: number, kind: Exclude<CellKind, 'number'>, from1904: boolean): CellValue | undefined {
    if (value < 0 || value >= END - (from1904 ? DAY_ZERO_1904 - DAY_ZERO : 0)) return undefined;
    if (kind === 'duration') return { kind: 'string', text: clock(Math.round(value * MILLIS_PER_DAY)) };
    const day = Math.floor(value);
    // Excel keeps milliseconds; what is finer comes from how numbers are written.
    const millis = Math.round((value - day) * MILLIS_PER_DAY);
    if (day === 0 && (kind === 'time' || (kind === 'timestamp' && !from1904))) return { kind: 'string', text: clock(millis) };
    if (day === 0 && !from1904) return undefined;
    if (day === LEAP_DAY && !from1904) return { kind: 'error', text: '1900-02-29' };
    const zero = from1904 ? DAY_ZERO_1904 : day < LEAP_DAY ? DAY_ZERO + 1 : DAY_ZERO;
    if (kind === 'date' && millis === 0) return { kind, days: day + zero };
    return { kind: 'timestamp', micros: BigInt(day + zero) * MICROS_PER_DAY + BigInt(millis) * 1000n };
}

/** `26:03:09`, with milliseconds where there are some. */
function clock(millis: number): string {
    const [seconds, rest] = [Math.floor(millis / 1000), millis % 1000];
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const text = parts.map(part => String(part).padStart(2, '0')).join(':');
    return rest === 0 ? text : `${text}.${String(rest).padStart(3, '0')}`;
}

/** The number that stands for a day or a moment; undefined where none does. */
export function numberOfMoment(value: Extract<CellValue, { kind: 'date' | 'timestamp' }>, from1904: boolean): number | undefined {
    const micros = value.kind === 'timestamp' ? value.micros : BigInt(value.days) * MICROS_PER_DAY;
    const days = Number(micros / MICROS_PER_DAY) + Number(micros % MICROS_PER_DAY) / Number(MICROS_PER_DAY);
    const number = days - (from1904 ? DAY_ZERO_1904 : DAY_ZERO);
    // Excel has a 29 February 1900.
    const counted = !from1904 && number < LEAP_DAY + 1 ? number - 1 : number;
    const [first, end] = from1904 ? [0, END - (DAY_ZERO_1904 - DAY_ZERO)] : [1, END];
    return counted >= first && counted < end ? counted : undefined;
}
