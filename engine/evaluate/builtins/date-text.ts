import type { PatternField, PatternPart } from '#language/library/date-pattern.ts';
import { MONTHS } from '#language/program/day-patterns.ts';
import { dateText, daysOfDate, isCalendarDay } from '../../values/calendar.ts';

const WEEKDAYS: readonly string[] = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const MILLIS_PER_DAY = 86_400_000;

/** The parts of an instant that a text has; missing ones are the first of their kind. */
interface Reading {
    year: number;
    month?: number;
    day?: number;
    dayOfYear?: number;
    weekday?: number;
    hour: number;
    /** 0 to 11; counts instead of the hour. */
    hourOfHalf?: number;
    afternoon: boolean;
    minute: number;
    second: number;
    millis: number;
    /** Minutes east of UTC. */
    offset: number;
}

interface Field {
    readonly write: (date: Date) => string;
    /** Sticky. */
    readonly form: RegExp;
    readonly read: (text: string, reading: Reading) => void;
}

const MONTH =
    /jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?/iy;
const WEEKDAY = /sun(?:day)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?/iy;

function named(names: readonly string[], text: string): number {
    return names.findIndex(name => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase());
}

/** A number of so many digits; `width` 1 is a number without leading zeros, of one or two digits. */
function numeric(width: number, write: (date: Date) => number, read: (value: number, reading: Reading) => void): Field {
    return {
        write: date => String(write(date)).padStart(width, '0'),
        form: [/\d{1,2}/y, /\d{2}/y, /\d{3}/y][width - 1]!,
        read: (text, reading) => read(Number(text), reading),
    };
}

const setMonth = (value: number, reading: Reading): void => {
    reading.month = value;
};
const setDay = (value: number, reading: Reading): void => {
    reading.day = value;
};
const setHour = (value: number, reading: Reading): void => {
    reading.hour = value;
};
const setHourOfHalf = (value: number, reading: Reading): void => {
    reading.hourOfHalf = value >= 1 && value <= 12 ? value % 12 : Number.NaN;
};
const hourOfHalf = (date: Date): number => ((date.getUTCHours() + 11) % 12) + 1;
const monthName: Omit<Field, 'write'> = {
    form: MONTH,
    read: (text, reading) => {
        reading.month = named(MONTHS, text) + 1;
    },
};
const weekdayName: Omit<Field, 'write'> = {
    form: WEEKDAY,
    read: (text, reading) => {
        reading.weekday = named(WEEKDAYS, text);
    },
};
const readOffset = (text: string, reading: Reading): void => {
    const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
    reading.offset = text.toUpperCase() === 'Z' ? 0 : text.startsWith('-') ? -minutes : minutes;
};

const FIELDS: Readonly<Record<PatternField, Field>> = {
    yyyy: {
        write: date => dateText(Math.floor(date.getTime() / MILLIS_PER_DAY)).slice(0, -6),
        form: /-?\d{4}/y,
        read: (text, reading) => {
            reading.year = Number(text);
        },
    },
    yy: numeric(
        2,
        date => ((date.getUTCFullYear() % 100) + 100) % 100,
        (value, reading) => {
            reading.year = 2000 + value;
        },
    ),
    MM: numeric(2, date => date.getUTCMonth() + 1, setMonth),
    M: numeric(1, date => date.getUTCMonth() + 1, setMonth),
    MMM: { write: date => MONTHS[date.getUTCMonth()]!.slice(0, 3), ...monthName },
    MMMM: { write: date => MONTHS[date.getUTCMonth()]!, ...monthName },
    dd: numeric(2, date => date.getUTCDate(), setDay),
    d: numeric(1, date => date.getUTCDate(), setDay),
    HH: numeric(2, date => date.getUTCHours(), setHour),
    H: numeric(1, date => date.getUTCHours(), setHour),
    hh: numeric(2, hourOfHalf, setHourOfHalf),
    h: numeric(1, hourOfHalf, setHourOfHalf),
    mm: numeric(
        2,
        date => date.getUTCMinutes(),
        (value, reading) => {
            reading.minute = value;
        },
    ),
    ss: numeric(
        2,
        date => date.getUTCSeconds(),
        (value, reading) => {
            reading.second = value;
        },
    ),
    SSS: numeric(
        3,
        date => date.getUTCMilliseconds(),
        (value, reading) => {
            reading.millis = value;
        },
    ),
    a: {
        write: date => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
        form: /[ap]m/iy,
        read: (text, reading) => {
            reading.afternoon = text.toLowerCase() === 'pm';
        },
    },
    E: { write: date => WEEKDAYS[date.getUTCDay()]!.slice(0, 3), ...weekdayName },
    EEEE: { write: date => WEEKDAYS[date.getUTCDay()]!, ...weekdayName },
    D: {
        write: date => String(Math.floor(date.getTime() / MILLIS_PER_DAY) - daysOfDate(date.getUTCFullYear(), 1, 1)! + 1),
        form: /\d{1,3}/y,
        read: (text, reading) => {
            reading.dayOfYear = Number(text);
        },
    },
    Z: { write: () => '+0000', form: /[+-]\d{4}/y, read: readOffset },
    XXX: { write: () => 'Z', form: /Z|[+-]\d{2}:\d{2}/y, read: readOffset },
};

/** An instant in microseconds, in the text of a pattern; the zone is UTC. */
export function formatInstant(micros: bigint, parts: readonly PatternPart[]): string {
    const rest = ((micros % 1000n) + 1000n) % 1000n;
    const date = new Date(Number((micros - rest) / 1000n));
    return parts.map(part => (part.kind === 'literal' ? part.text : FIELDS[part.field].write(date))).join('');
}

/** The instant that the whole text names, in microseconds; undefined where it is not written as in the pattern or names none. */
export function readInstant(text: string, parts: readonly PatternPart[]): bigint | undefined {
    const reading: Reading = { year: 1970, hour: 0, afternoon: false, minute: 0, second: 0, millis: 0, offset: 0 };
    let at = 0;
    for (const part of parts) {
        if (part.kind === 'literal') {
            if (!text.startsWith(part.text, at)) return undefined;
            at += part.text.length;
            continue;
        }
        const { form, read } = FIELDS[part.field];
        form.lastIndex = at;
        const [found] = form.exec(text) ?? [];
        if (found === undefined) return undefined;
        read(found, reading);
        at += found.length;
    }
    return at === text.length ? instantOf(reading) : undefined;
}

function instantOf(reading: Reading): bigint | undefined {
    const days = dayOf(reading);
    const hour = reading.hourOfHalf === undefined ? reading.hour : reading.hourOfHalf + (reading.afternoon ? 12 : 0);
    const { minute, second, millis, offset } = reading;
    if (days === undefined || !(hour <= 23) || minute > 59 || second > 59) return undefined;
    const minutes = days * 1440 + hour * 60 + minute - offset;
    if (!isCalendarDay(Math.floor(minutes / 1440))) return undefined;
    return BigInt(minutes) * 60_000_000n + BigInt(second * 1000 + millis) * 1000n;
}

function dayOf({ year, month, day, dayOfYear, weekday }: Reading): number | undefined {
    const first = daysOfDate(year, month ?? 1, day ?? 1);
    if (first === undefined) return undefined;
    let days = first;
    if (dayOfYear !== undefined) {
        days = daysOfDate(year, 1, 1)! + dayOfYear - 1;
        if (dayOfYear < 1 || days >= daysOfDate(year + 1, 1, 1)!) return undefined;
        if ((month !== undefined || day !== undefined) && days !== first) return undefined;
    }
    const isRightDay = weekday === undefined || new Date(days * MILLIS_PER_DAY).getUTCDay() === weekday;
    return isRightDay ? days : undefined;
}
