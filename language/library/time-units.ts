/** Units of `date:plus`, `date:between` and `date:truncate`, the longest first (6.10). */
export const TIME_UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;

export type TimeUnit = (typeof TIME_UNITS)[number];

/** Parts of a time that `date:part` returns. */
export const TIME_PARTS = [
    'year',
    'quarter',
    'month',
    'week',
    'weekday',
    'yearday',
    'day',
    'hour',
    'minute',
    'second',
    'millisecond',
] as const;

export type TimePart = (typeof TIME_PARTS)[number];

export function timeUnit(text: string): TimeUnit | undefined {
    return TIME_UNITS.find(unit => unit === text);
}

export function timePart(text: string): TimePart | undefined {
    return TIME_PARTS.find(part => part === text);
}

/** Whether the unit counts within a day, so that a date alone cannot tell what it leads to. */
export function isBelowDay(unit: TimeUnit): boolean {
    return TIME_UNITS.indexOf(unit) > TIME_UNITS.indexOf('day');
}
