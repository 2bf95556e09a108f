/** A whole number for people: `1,288,924`. Without `Intl`, the first use of which takes 15 ms: an extension that begins has none. */
export function countText(value: number): string {
    return String(value).replace(/\B(?=(?:\d{3})+$)/gu, ',');
}

/** A duration for people: `40 ms`, `1.3 s`, `2 min 5 s`. */
export function durationText(milliseconds: number): string {
    if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
    if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const MOMENT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** A moment in milliseconds for people, in a language: `22 Nov, 21:40`. */
export function momentText(milliseconds: number, language: string): string {
    return moment(milliseconds, language, MOMENT);
}

/** The same, with its second. */
export function secondText(milliseconds: number, language: string): string {
    return moment(milliseconds, language, { ...MOMENT, second: '2-digit' });
}

/** The time of a day, with its second. */
export function timeText(milliseconds: number, language: string): string {
    return moment(milliseconds, language, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}

function moment(milliseconds: number, language: string, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(milliseconds);
}
