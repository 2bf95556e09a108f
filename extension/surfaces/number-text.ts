const COUNT = new Intl.NumberFormat('en-US');

/** A whole number for people: `1,288,924`. */
export function countText(value: number): string {
    return COUNT.format(value);
}

/** A duration for people: `40 ms`, `1.3 s`, `2 min 5 s`. */
export function durationText(milliseconds: number): string {
    if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
    if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A moment in milliseconds for people, in a language: `22 Nov, 21:40`. */
export function momentText(milliseconds: number, language: string): string {
    const options = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(milliseconds);
}
