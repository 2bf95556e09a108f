/** How people write days, in patterns of `date:to_timestamp`; the texts have another order than the days. */
const DAY_FORMS: ReadonlyMap<string, RegExp> = new Map([
    ['d.M.yyyy', /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/u],
    ['d/M/yyyy', /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/u],
    ['M/d/yyyy', /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/u],
    ['d-M-yyyy', /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})$/u],
    ['M-d-yyyy', /^(?<month>\d{1,2})-(?<day>\d{1,2})-(?<year>\d{4})$/u],
    ['yyyy-M-d', /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/u],
    ['yyyy/M/d', /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/u],
]);

export const DAY_PATTERNS: readonly string[] = [...DAY_FORMS.keys()];

/** A number by which days have their order; undefined for a text that has another form. */
export function orderOfDay(text: string, pattern: string): number | undefined {
    const { day, month, year } = DAY_FORMS.get(pattern)?.exec(text.trim())?.groups ?? {};
    if (day === undefined || month === undefined || year === undefined || Number(month) > 12 || Number(day) > 31) return undefined;
    return (Number(year) * 12 + Number(month)) * 31 + Number(day);
}
