import { type PatternPart, readDatePattern } from '#language/library/date-pattern.ts';
import { STRING } from '#language/library/result-types.ts';
import { type TimePart, type TimeUnit, timePart, timeUnit } from '#language/library/time-units.ts';
import { say } from '#language/program/say.ts';
import { dateText, isCalendarDay } from '../../values/calendar.ts';
import { termText } from '../../values/text.ts';
import type { ValueId } from '../../values/value-id.ts';
import { type Builtin, type CallSite, eager, type Family, type Implementation } from './builtin.ts';
import { formatInstant, readInstant } from './date-text.ts';
import { between, isWithinYears, part, plus, truncate } from './time-arithmetic.ts';

const MICROS_PER_DAY = 86_400_000_000n;

/** A day moved by a number of days. */
function shifted(sign: 1 | -1, fixed?: number): Builtin {
    return eager(({ dictionary, undefinedFor }) => {
        return args => {
            const days = dictionary.daysOf(args[0]!) + sign * (fixed ?? dictionary.numberOf(args[1]!));
            return isCalendarDay(days) ? dictionary.date(days) : undefinedFor(args);
        };
    });
}

/** Dates and times (6.10) in UTC; where a day is asked for, a timestamp counts as its day. */
export const DATE_FUNCTIONS: Family = [
    [
        'date:current_date',
        eager(({ dictionary, surroundings }) => {
            return () => dictionary.date(Number(surroundings.now / MICROS_PER_DAY));
        }),
    ],
    [
        'date:current_timestamp',
        eager(({ dictionary, surroundings }) => {
            return () => dictionary.timestamp(surroundings.now);
        }),
    ],
    ['date:next_day', shifted(1, 1)],
    ['date:prev_day', shifted(-1, 1)],
    ['date:add', shifted(1)],
    ['date:sub', shifted(-1)],
    [
        'date:diff',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.number(dictionary.daysOf(args[0]!) - dictionary.daysOf(args[1]!)),
        ),
    ],
    ['date:spec_day', eager(firstOfMonth)],
    ['date:to_timestamp', eager(toTimestamp)],
    ['date:format', eager(format)],
    [
        'date:plus',
        eager(site => {
            const { dictionary } = site;
            const result = withinYears(site, 'date:plus');
            return withWord(site, 2, say`a unit of time`, timeUnit, (args, unit: TimeUnit) =>
                result(args, plus(dictionary.microsOf(args[0]!), dictionary.bigintOf(args[1]!), unit)),
            );
        }),
    ],
    [
        'date:between',
        eager(site => {
            const { dictionary } = site;
            return withWord(site, 2, say`a unit of time`, timeUnit, (args, unit: TimeUnit) =>
                dictionary.bigint(between(dictionary.microsOf(args[0]!), dictionary.microsOf(args[1]!), unit)),
            );
        }),
    ],
    [
        'date:part',
        eager(site => {
            const { dictionary } = site;
            return withWord(site, 1, say`a part of a time`, timePart, (args, name: TimePart) =>
                dictionary.number(part(dictionary.microsOf(args[0]!), name)),
            );
        }),
    ],
    [
        'date:truncate',
        eager(site => {
            const { dictionary } = site;
            const result = withinYears(site, 'date:truncate');
            return withWord(site, 1, say`a unit of time`, timeUnit, (args, unit: TimeUnit) =>
                result(args, truncate(dictionary.microsOf(args[0]!), unit)),
            );
        }),
    ],
    [
        'date:epoch',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.number(Number(dictionary.microsOf(args[0]!)) / 1e6),
        ),
    ],
    [
        'date:from_epoch',
        eager(site => {
            const { dictionary } = site;
            const result = withinYears(site, 'date:from_epoch');
            return args => result(args, microsOfSeconds(dictionary.numberOf(args[0]!)));
        }),
    ],
];

/** A function one of whose arguments is a word; another word gives an unknown value, and RT021 the first time. */
function withWord<T>(
    { dictionary, missing, warnUnreadable }: CallSite,
    at: number,
    what: string,
    read: (text: string) => T | undefined,
    compute: (args: Int32Array, word: T) => ValueId,
): Implementation {
    let last: { readonly id: ValueId; readonly word: T | undefined } | undefined;
    return args => {
        const id = args[at]!;
        if (last?.id !== id) last = { id, word: read(dictionary.stringOf(id)) };
        if (last.word !== undefined) return compute(args, last.word);
        warnUnreadable(what, termText(dictionary, id, STRING, String));
        return missing(args);
    };
}

/** The timestamp of a result; one outside the years 1 to 9999 ends the run (RT025). */
function withinYears({ dictionary, types, stop }: CallSite, name: string): (args: Int32Array, micros: bigint | undefined) => ValueId {
    return (args, micros) => {
        if (micros !== undefined && isWithinYears(micros)) return dictionary.timestamp(micros);
        const shown = Array.from(args, (id, i) => termText(dictionary, id, types[i]!, String));
        return stop('RT025', name, say`${shown.join(', ')}: the result is outside the years 1 to 9999`);
    };
}

/** Whole seconds apart from the rest, so that no more is rounded than the seconds are already. */
function microsOfSeconds(seconds: number): bigint {
    const whole = Math.floor(seconds);
    return BigInt(whole) * 1_000_000n + BigInt(Math.round((seconds - whole) * 1e6));
}

const MONTH_AND_YEAR = [
    { kind: 'field', field: 'MMM' },
    { kind: 'literal', text: '-' },
    { kind: 'field', field: 'yyyy' },
] as const;

/** `Apr-2031` gives `2031-04-01` (D-57). */
function firstOfMonth({ dictionary, unreadable }: CallSite): Implementation {
    return args => {
        const micros = readInstant(dictionary.stringOf(args[0]!), MONTH_AND_YEAR);
        return micros === undefined ? unreadable(args, 'date') : dictionary.string(dateText(Number(micros / MICROS_PER_DAY)));
    };
}

function toTimestamp(site: CallSite): Implementation {
    const { dictionary, unreadable } = site;
    const partsOf = patterns(site);
    return args => {
        const micros = readInstant(dictionary.stringOf(args[0]!), partsOf(args[1]!));
        return micros === undefined ? unreadable(args, 'timestamp') : dictionary.timestamp(micros);
    };
}

function format(site: CallSite): Implementation {
    const { dictionary } = site;
    const partsOf = patterns(site);
    return args => dictionary.string(formatInstant(dictionary.microsOf(args[0]!), partsOf(args[1]!)));
}

/** The parts of a pattern, read once while it stays the same; an unknown letter ends the run (RT023). */
function patterns({ dictionary, stop }: CallSite): (pattern: ValueId) => readonly PatternPart[] {
    let last: ValueId | undefined;
    let parts: readonly PatternPart[] = [];
    return id => {
        if (id === last) return parts;
        const text = dictionary.stringOf(id);
        const pattern = readDatePattern(text);
        if (!pattern.ok) return stop('RT023', text, say`'${pattern.unknown}' is not a pattern letter`);
        last = id;
        parts = pattern.parts;
        return parts;
    };
}
