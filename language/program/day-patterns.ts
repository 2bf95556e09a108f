/** How people write days, in patterns of `date:to_timestamp`; the texts have another order than the days. */
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
]);

/** The time that may stand behind a day. */
const TIME = /[ T](?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?$/u;

export const DAY_PATTERNS: readonly string[] = [...DAY_FORMS.keys()];

/** A number by which days have their order, in days; undefined for a text that has another form. A time may stand behind the day. */
export function orderOfDay(text: string, pattern: string): number | undefined {
    const written = text.trim();
    const time = TIME.exec(written);
    const { day, month, year } = DAY_FORMS.get(pattern)?.exec(written.slice(0, time?.index))?.groups ?? {};
    if (day === undefined || month === undefined || year === undefined || Number(month) > 12 || Number(day) > 31) return undefined;
    const { hour = 0, minute = 0, second = 0 } = time?.groups ?? {};
    const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
    return (Number(year) * 12 + Number(month)) * 31 + Number(day) + seconds / 86_400;
}

/** The pattern of the time behind a day, which is empty where there is none. */
export function timePattern(text: string): string {
    const { hour, second } = TIME.exec(text.trim())?.groups ?? {};
    if (hour === undefined) return '';
    return `${text.includes('T') ? "'T'" : ' '}H:mm${second === undefined ? '' : ':ss'}`;
}
