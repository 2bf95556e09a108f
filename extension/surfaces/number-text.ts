const COUNT = new Intl.NumberFormat('en-US');

/** A whole number for people: `1,288,924`. */
export function countText(value: number): string {
    return COUNT.format(value);
}

/** `1 row`, `2,000 rows`. */
export function counted(value: number, noun: string): string {
    return `${countText(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A duration for people: `40 ms`, `1.3 s`, `2 min 5 s`. */
export function durationText(milliseconds: number): string {
    if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
    if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** A moment in milliseconds for people: `22 Nov, 21:40`. */
export function momentText(milliseconds: number): string {
    return MOMENT.format(milliseconds);
}
