import type { Cell } from '#server/protocol/runs.ts';
import { cellText, isNull } from '../grid/cell-text.ts';
import { numberOf } from './chart-data.ts';
import { binsOf, type Stretch } from './time-axis.ts';

/** A row in time; without an end it is a moment. */
export interface Mark extends Stretch {
    readonly row: readonly Cell[];
    readonly isMoment: boolean;
}

/** Rows of one lane that pass in a stretch of time: each of them where they have room, else how many begin in each bin. */
export interface Lane {
    /** Undefined where the rows have no lanes, or their values are too many to have one each. */
    readonly name: string | undefined;
    readonly rows: number;
    /** Each line has marks that do not cover each other. */
    readonly lines: readonly (readonly Mark[])[];
    readonly bins: readonly Bin[];
}

export interface Bin extends Stretch {
    readonly rows: number;
}

/** Values that have a lane of their own, lines of one lane, and marks that are drawn one by one. */
const MOST_LANES = 12;
const MOST_LINES = 6;
const MOST_MARKS = 600;
export const BINS = 40;

/** The rows that have a begin as marks, from the earliest on. Where the end comes first, it is where the mark begins. */
export function marksOf(rows: readonly (readonly Cell[])[], x: number, y: number | undefined): Mark[] {
    const timeAt = (cell: Cell | undefined): number | undefined =>
        cell === undefined || isNull(cell) ? undefined : numberOf(cellText(cell), 'time');
    const marks = rows.flatMap((row): Mark[] => {
        const begin = timeAt(row[x]);
        const end = y === undefined ? undefined : timeAt(row[y]);
        if (begin === undefined) return [];
        return [{ row, from: Math.min(begin, end ?? begin), to: Math.max(begin, end ?? begin), isMoment: end === undefined }];
    });
    return marks.sort((one, other) => one.from - other.from);
}

interface Sizes {
    /** How long a mark is at least, to be seen and hit. */
    readonly least: number;
    /** How long a bin is at least. */
    readonly bin: number;
}

/** The lanes of a stretch. */
export function lanesOf(marks: readonly Mark[], by: number | undefined, stretch: Stretch, { least, bin }: Sizes): Lane[] {
    const inside = marks.filter(({ from, to }) => from <= stretch.to && to >= stretch.from);
    const counted = binsOf(stretch, BINS, bin);
    const isCrowded = inside.length > MOST_MARKS;
    const lane = (name: string | undefined, own: readonly Mark[]): Lane => {
        const lines = isCrowded ? undefined : linesOf(own, least);
        return { name, rows: own.length, lines: lines ?? [], bins: lines === undefined ? countedBins(own, counted) : [] };
    };
    const named = new Map<string, Mark[]>();
    for (const mark of inside) {
        const cell = by === undefined ? undefined : mark.row[by];
        const name = cell === undefined ? '' : cellText(cell);
        const own = named.get(name);
        if (own === undefined) named.set(name, [mark]);
        else own.push(mark);
    }
    if (by === undefined) return inside.length === 0 ? [] : [lane(undefined, inside)];
    const largest = [...named].sort(([, one], [, other]) => other.length - one.length);
    const kept = largest.slice(0, MOST_LANES).sort(([one], [other]) => (one < other ? -1 : 1));
    const rest = largest.slice(MOST_LANES).flatMap(([, own]) => own);
    rest.sort((one, other) => one.from - other.from);
    return [...kept.map(([name, own]) => lane(name, own)), ...(rest.length === 0 ? [] : [lane(undefined, rest)])];
}

/** Each mark goes to the first line where it covers no other; undefined where that takes too many lines. */
function linesOf(marks: readonly Mark[], least: number): Mark[][] | undefined {
    const lines: { readonly marks: Mark[]; end: number }[] = [];
    for (const mark of marks) {
        const end = Math.max(mark.to, mark.from + least);
        const line = lines.find(({ end: taken }) => taken <= mark.from);
        if (line !== undefined) {
            line.marks.push(mark);
            line.end = end;
        } else if (lines.push({ marks: [mark], end }) > MOST_LINES) return undefined;
    }
    return lines.map(({ marks: own }) => own);
}

function countedBins(marks: readonly Mark[], bins: readonly Stretch[]): Bin[] {
    const counts = bins.map(() => 0);
    const [first] = bins;
    if (first === undefined) return [];
    const step = first.to - first.from;
    for (const { from } of marks) {
        // What has begun before is counted where it is seen first.
        const bin = Math.min(bins.length - 1, Math.max(0, Math.floor((from - first.from) / step)));
        counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return bins.flatMap((bin, i) => ((counts[i] ?? 0) > 0 ? [{ ...bin, rows: counts[i] ?? 0 }] : []));
}
