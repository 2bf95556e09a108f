/** Days before each month of a year that begins in March. */
const DAYS_BEFORE = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337];
/** From 0000-03-01 to 1970-01-01. */
const DAYS_TO_EPOCH = 719_468;
/** A `Date` holds all days of the years up to here, and of the years as far before 0. */
const LAST_YEAR = 271_820;

/** Days since 1970-01-01 of a proleptic Gregorian date of any year; undefined if there is no such day. */
export function daysOfDate(year: number, month: number, day: number): number | undefined {
    const days = daysOfPlainDate(year, month, day);
    return Number.isNaN(days) ? undefined : days;
}

/** As `daysOfDate`, with NaN for no day. */
export function daysOfPlainDate(year: number, month: number, day: number): number {
    if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month) && Math.abs(year) <= LAST_YEAR)) return Number.NaN;
    const fromMarch = month > 2 ? year : year - 1;
    const leapDays = Math.floor(fromMarch / 4) - Math.floor(fromMarch / 100) + Math.floor(fromMarch / 400);
    return fromMarch * 365 + leapDays + DAYS_BEFORE[(month + 9) % 12]! + day - 1 - DAYS_TO_EPOCH;
}

function daysOfMonth(year: number, month: number): number {
    if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
    return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

const FIRST_DAY = daysOfPlainDate(1, 1, 1);
const LAST_DAY = daysOfPlainDate(9999, 12, 31);

/** Whether a day lies in the years 1 to 9999, which are those of the calendar of the language. */
export function isCalendarDay(days: number): boolean {
    return days >= FIRST_DAY && days <= LAST_DAY;
}

/** `2031-04-09`. */
export function dateText(days: number): string {
    const date = new Date(days * 86_400_000);
    const year = date.getUTCFullYear();
    const sign = year < 0 ? '-' : '';
    return `${sign}${pad(Math.abs(year), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
}

const MICROS_PER_DAY = 86_400_000_000n;
const SECONDS_PER_DAY = 86_400;

/** `2031-04-09 10:15:00`, with a fraction only where it is not zero. */
export function timestampText(micros: bigint): string {
    const ofDay = ((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY;
    const days = Number((micros - ofDay) / MICROS_PER_DAY);
    const seconds = Number(ofDay / 1_000_000n);
    const fraction = Number(ofDay % 1_000_000n);
    const time = `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
    return `${dateText(days)} ${time}${fraction === 0 ? '' : `.${pad(fraction, 6).replace(/0+$/, '')}`}`;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:$|[ T])/;
const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Days since 1970-01-01 of a date in the years 1 to 9999; undefined if there is no such day. */
function daysOfText([, year, month, day]: RegExpExecArray): number | undefined {
    return Number(year) === 0 ? undefined : daysOfDate(Number(year), Number(month), Number(day));
}

/** Reads `yyyy-MM-dd`; a longer ISO timestamp is cut to its day. */
export function parseDate(text: string): number | undefined {
    const match = DATE.exec(text);
    return match === null ? undefined : daysOfText(match);
}

/** Reads an ISO date or timestamp, with a blank or `T` between the halves; without an offset the time is UTC. */
export function parseTimestamp(text: string): bigint | undefined {
    const match = TIMESTAMP.exec(text);
    if (match === null) return undefined;
    const days = daysOfText(match);
    const [hours, minutes, seconds] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)];
    if (days === undefined || hours > 23 || minutes > 59 || seconds > 59) return undefined;
    const micros = BigInt((match[7] ?? '').padEnd(6, '0').slice(0, 6));
    const offset = offsetMinutes(match[8]);
    const ofDay = (hours * 60 + minutes - offset) * 60 + seconds;
    // An offset may lead out of the first or last year.
    if (!isCalendarDay(days + Math.floor(ofDay / SECONDS_PER_DAY))) return undefined;
    return BigInt(days) * MICROS_PER_DAY + BigInt(ofDay) * 1_000_000n + micros;
}

function offsetMinutes(offset: string | undefined): number {
    if (offset === undefined || offset === 'Z') return 0;
    const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
    return offset.startsWith('-') ? -minutes : minutes;
}

function pad(value: number, width: number): string {
    return String(value).padStart(width, '0');
}
