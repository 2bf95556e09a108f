/** How people write days, months and times of a day, in patterns of `date:to_timestamp`; the texts have another order than what they name. */
const DAY_FORMS: ReadonlyMap<string, RegExp> = new Map([
    ['d.M.yyyy', /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/u],
    ['d/M/yyyy', /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/u],
    ['M/d/yyyy', /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/u],
    ['d-M-yyyy', /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})$/u],
    ['M-d-yyyy', /^(?<month>\d{1,2})-(?<day>\d{1,2})-(?<year>\d{4})$/u],
    ['yyyy-M-d', /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/u],
    ['yyyy/M/d', /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/u],
    ['d.M.yy', /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{2})$/u],
    ['d/M/yy', /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{2})$/u],
    ['M/d/yy', /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{2})$/u],
    ['d MMM yyyy', /^(?<day>\d{1,2}) (?<month>[a-z]{3,9}) (?<year>\d{4})$/iu],
    ['d-MMM-yyyy', /^(?<day>\d{1,2})-(?<month>[a-z]{3,9})-(?<year>\d{4})$/iu],
    ['d-MMM-yy', /^(?<day>\d{1,2})-(?<month>[a-z]{3,9})-(?<year>\d{2})$/iu],
    ['MMM d, yyyy', /^(?<month>[a-z]{3,9}) (?<day>\d{1,2}), (?<year>\d{4})$/iu],
    ['MMM yyyy', /^(?<month>[a-z]{3,9}) (?<year>\d{4})$/iu],
    ['MMM-yyyy', /^(?<month>[a-z]{3,9})-(?<year>\d{4})$/iu],
    ['H:mm', /^(?<hour>\d{1,2}):(?<minute>\d{2})$/u],
    ['H:mm:ss', /^(?<hour>\d{1,2}):(?<minute>\d{2}):(?<second>\d{2})$/u],
    ['h:mm a', /^(?<hour>\d{1,2}):(?<minute>\d{2}) (?<half>[AP]M)$/iu],
]);

export const MONTHS: readonly string[] = 'January February March April May June July August September October November December'.split(' ');

/** The time that may stand behind a day. */
const TIME =
    /(?<sign>[ T])(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?(?:(?<gap> ?)(?<half>[AP]M)|(?<offset>Z|[+-]\d{2}:\d{2}))?$/iu;

export const DAY_PATTERNS: readonly string[] = [...DAY_FORMS.keys()];

/** A number by which days have their order, in days; undefined for a text that has another form. A time may stand behind the day. */
export function orderOfDay(text: string, pattern: string): number | undefined {
    const written = text.trim();
    const time = TIME.exec(written);
    const found = DAY_FORMS.get(pattern)?.exec(written.slice(0, time?.index))?.groups;
    if (found === undefined) return undefined;
    const { day = '1', month = '1', year = '2000' } = found;
    const { hour = '0', minute = '0', second = '0', half, offset } = { ...time?.groups, ...found };
    const monthOfYear = monthNumber(month);
    if (!(monthOfYear <= 12) || Number(day) > 31 || Number(hour) > (half ? 12 : 23) || Number(minute) > 59 || Number(second) > 59)
        return undefined;
    const hours = half ? (Number(hour) % 12) + (/p/iu.test(half) ? 12 : 0) : Number(hour);
    const seconds = (hours * 60 + Number(minute) - minutesEast(offset)) * 60 + Number(second);
    return Date.UTC(Number(year), monthOfYear - 1, Number(day)) / 86_400_000 + seconds / 86_400;
}

function minutesEast(offset = 'Z'): number {
    const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
    return offset.startsWith('-') ? -minutes : minutes;
}

/** The number of a month in digits, or by its English name or the first three letters of it; NaN for another word. */
function monthNumber(text: string): number {
    if (/^\d/u.test(text)) return Number(text);
    const word = text.toLowerCase();
    const found = MONTHS.findIndex(name => [name, name.slice(0, 3)].some(written => written.toLowerCase() === word));
    return found < 0 ? Number.NaN : found + 1;
}

/** A time of a day, without a day. */
export function isTimePattern(pattern: string): boolean {
    return /^h/iu.test(pattern);
}

/** The pattern of the time behind a day, which is empty where there is none. */
export function timePattern(text: string): string {
    const { sign = ' ', hour, second, gap, half, offset } = TIME.exec(text.trim())?.groups ?? {};
    if (hour === undefined) return '';
    const time = `${half ? 'h' : 'H'}:mm${second === undefined ? '' : ':ss'}${half ? `${gap}a` : ''}${offset ? 'XXX' : ''}`;
    return `${sign === ' ' ? ' ' : `'${sign}'`}${time}`;
}
