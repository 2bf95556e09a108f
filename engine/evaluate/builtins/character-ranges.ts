/** The code points from the first to the last. */
export type Range = readonly [first: number, last: number];

const LAST_CODE_POINT = 0x10ffff;

export const DIGIT: readonly Range[] = [[0x30, 0x39]];
export const WORD: readonly Range[] = [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
];
/** White space and line ends of ECMAScript, which is what `\s` means there. */
export const SPACE: readonly Range[] = [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
];
/** Characters that `.` does not match. */
export const LINE_ENDS: readonly Range[] = [
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
];

/** Ranges in ascending order, apart from each other. */
export function union(ranges: readonly Range[]): readonly Range[] {
    const merged: [number, number][] = [];
    for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
        const previous = merged.at(-1);
        if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
        else merged.push([first, last]);
    }
    return merged;
}

/** The other code points; the ranges are as `union` gives them. */
export function complement(ranges: readonly Range[]): readonly Range[] {
    const gaps: Range[] = [];
    let next = 0;
    for (const [first, last] of ranges) {
        if (first > next) gaps.push([next, first - 1]);
        next = last + 1;
    }
    if (next <= LAST_CODE_POINT) gaps.push([next, LAST_CODE_POINT]);
    return gaps;
}

/** A set of code points as RE2 reads it; the empty set matches nothing. */
export function setText(ranges: readonly Range[]): string {
    if (ranges.length === 0) return `[^\\x{0}-\\x{${LAST_CODE_POINT.toString(16)}}]`;
    return `[${ranges.map(([first, last]) => (first === last ? point(first) : `${point(first)}-${point(last)}`)).join('')}]`;
}

function point(value: number): string {
    return `\\x{${value.toString(16)}}`;
}

const properties = new Map<string, readonly Range[]>();

/** The code points with a Unicode property, by a name that the parser of patterns has found among the existing ones. */
export function rangesOfProperty(name: string): readonly Range[] {
    let ranges = properties.get(name);
    if (ranges === undefined) {
        const expression = new RegExp(`^\\p{${name}}$`, 'u');
        ranges = rangesWhere(value => expression.test(String.fromCodePoint(value)));
        properties.set(name, ranges);
    }
    return ranges;
}

function rangesWhere(has: (value: number) => boolean): readonly Range[] {
    const ranges: Range[] = [];
    let first: number | undefined;
    for (let value = 0; value <= LAST_CODE_POINT + 1; value++) {
        if (value <= LAST_CODE_POINT && has(value)) first ??= value;
        else if (first !== undefined) {
            ranges.push([first, value - 1]);
            first = undefined;
        }
    }
    return ranges;
}
