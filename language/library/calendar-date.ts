/** A date of numbers as other languages write it: day before month, unless only the other order is a date. */
export function calendarDate(first: string, second: string, year: string): string | undefined {
    const [day, month] = Number(second) > 12 ? [second, first] : [first, second];
    if (Number(month) > 12 || Number(day) > 31) return undefined;
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
