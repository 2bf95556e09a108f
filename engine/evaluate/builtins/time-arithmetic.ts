import type { TimePart, TimeUnit } from '#language/library/time-units.ts';
import { daysOfDate } from '../../values/calendar.ts';

/** Microseconds of the units that are always as long. */
const LENGTHS: Readonly<Record<Exclude<TimeUnit, 'month' | 'year'>, bigint>> = {
    week: 604_800_000_000n,
    day: 86_400_000_000n,
    hour: 3_600_000_000n,
    minute: 60_000_000n,
    second: 1_000_000n,
    millisecond: 1000n,
};

const MILLIS_PER_DAY = 86_400_000;
/** 1970-01-01 was a Thursday. */
const MONDAY = -3n * LENGTHS.day;

const FIRST = BigInt(daysOfDate(1, 1, 1)!) * LENGTHS.day;
const BEYOND = BigInt(daysOfDate(10_000, 1, 1)!) * LENGTHS.day;

/** Whether an instant lies in the years 1 to 9999, which arithmetic stays in. */
export function isWithinYears(micros: bigint): boolean {
    return micros >= FIRST && micros < BEYOND;
}

/** The instant so many units later; undefined where no day is that far. A month that is too short ends on its last day. */
export function plus(micros: bigint, count: bigint, unit: TimeUnit): bigint | undefined {
    switch (unit) {
        case 'year':
            return plusMonths(micros, count * 12n);
        case 'month':
            return plusMonths(micros, count);
        default:
            return micros + count * LENGTHS[unit];
    }
}

/** The most whole units that lead from the start to no later than the end; from a later to an earlier instant, as many below zero. */
export function between(start: bigint, end: bigint, unit: TimeUnit): bigint {
    switch (unit) {
        case 'year':
            return monthsBetween(start, end) / 12n;
        case 'month':
            return monthsBetween(start, end);
        default:
            return (end - start) / LENGTHS[unit];
    }
}

/** The beginning of the unit that an instant lies in; weeks begin on Monday. */
export function truncate(micros: bigint, unit: TimeUnit): bigint {
    const date = calendar(micros);
    switch (unit) {
        case 'year':
            return midnight(date.getUTCFullYear(), 0, 1);
        case 'month':
            return midnight(date.getUTCFullYear(), date.getUTCMonth(), 1);
        case 'week':
            return micros - modulo(micros - MONDAY, LENGTHS.week);
        default:
            return micros - modulo(micros, LENGTHS[unit]);
    }
}

/** A part of an instant as a number. */
export function part(micros: bigint, name: TimePart): number {
    const date = calendar(micros);
    switch (name) {
        case 'year':
            return date.getUTCFullYear();
        case 'quarter':
            return Math.floor(date.getUTCMonth() / 3) + 1;
        case 'month':
            return date.getUTCMonth() + 1;
        case 'week':
            // The week belongs to the year that its Thursday lies in.
            return Math.ceil(dayOfYear(calendar(truncate(micros, 'week') + 3n * LENGTHS.day)) / 7);
        case 'weekday':
            return ((date.getUTCDay() + 6) % 7) + 1;
        case 'yearday':
            return dayOfYear(date);
        case 'day':
            return date.getUTCDate();
        case 'hour':
            return date.getUTCHours();
        case 'minute':
            return date.getUTCMinutes();
        case 'second':
            return date.getUTCSeconds();
        case 'millisecond':
            return date.getUTCMilliseconds();
    }
}

function plusMonths(micros: bigint, count: bigint): bigint | undefined {
    const date = calendar(micros);
    const month = BigInt(date.getUTCFullYear() * 12 + date.getUTCMonth()) + count;
    const [year, monthOfYear] = [Number((month - modulo(month, 12n)) / 12n), Number(modulo(month, 12n))];
    const lastDay = new Date(utc(year, monthOfYear + 1, 0)).getUTCDate();
    const millis = utc(year, monthOfYear, Math.min(date.getUTCDate(), lastDay));
    return Number.isNaN(millis) ? undefined : BigInt(millis) * 1000n + modulo(micros, LENGTHS.day);
}

function monthsBetween(start: bigint, end: bigint): bigint {
    if (end < start) return -monthsBetween(end, start);
    const [from, to] = [calendar(start), calendar(end)];
    const months = BigInt((to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth());
    const reached = plusMonths(start, months);
    return reached === undefined || reached > end ? months - 1n : months;
}

function calendar(micros: bigint): Date {
    return new Date(Number((micros - modulo(micros, 1000n)) / 1000n));
}

function midnight(year: number, month: number, day: number): bigint {
    return BigInt(utc(year, month, day)) * 1000n;
}

/** As `Date.UTC`, which takes the years 0 to 99 for others. */
function utc(year: number, month: number, day: number): number {
    return new Date(0).setUTCFullYear(year, month, day);
}

function dayOfYear(date: Date): number {
    const days = (date.getTime() - utc(date.getUTCFullYear(), 0, 1)) / MILLIS_PER_DAY;
    return Math.floor(days) + 1;
}

/** The remainder that is not negative. */
function modulo(value: bigint, divisor: bigint): bigint {
    return ((value % divisor) + divisor) % divisor;
}
