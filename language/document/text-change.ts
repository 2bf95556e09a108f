/** Text that replaces a part of another, which reaches from `start` to before `end`. Offsets count UTF-16 units. */
export interface TextChange {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/** The text with one part replaced. */
export function changedText(text: string, change: TextChange): string {
    return text.slice(0, change.start) + change.text + text.slice(change.end);
}

/** The smallest change that makes one text of another; undefined when they are the same. */
export function differenceOf(before: string, after: string): TextChange | undefined {
    if (before === after) return undefined;
    const shorter = Math.min(before.length, after.length);
    const start = commonPrefix(before, after, shorter);
    const suffix = commonSuffix(before, after, shorter - start);
    return { start, end: before.length - suffix, text: after.slice(start, after.length - suffix) };
}

/** Comparing blocks of text is much faster than comparing units. */
const BLOCK = 4096;

function commonPrefix(a: string, b: string, most: number): number {
    let at = 0;
    while (at + BLOCK <= most && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) at += BLOCK;
    while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
    return at;
}

function commonSuffix(a: string, b: string, most: number): number {
    const [endA, endB] = [a.length, b.length];
    let count = 0;
    while (count + BLOCK <= most && a.slice(endA - count - BLOCK, endA - count) === b.slice(endB - count - BLOCK, endB - count)) {
        count += BLOCK;
    }
    while (count < most && a.charCodeAt(endA - count - 1) === b.charCodeAt(endB - count - 1)) count++;
    return count;
}
