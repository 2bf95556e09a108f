import type { OutputRows } from '#engine/sources/source.ts';
import { type NullLabel, textOf } from '#engine/values/text.ts';
import { say } from '#language/program/say.ts';
import { isNumeric } from '#language/program/types.ts';
import { cutToWidth, textWidth, visible } from '#server/notices/visible-text.ts';
import type { Colour } from './colour.ts';
import { TEXT_WIDTH, wrapped } from './notice-text.ts';

export interface TableStyle {
    readonly colour: Colour;
    /** The width of the terminal; absent for plain text, whose cells are never cut. */
    readonly width?: number;
    readonly label: NullLabel;
}

const GAP = 2;
const NARROWEST = 6;
/** Rows that decide the widths of columns. */
const MEASURED = 1000;
const PIECE = 1 << 15;

/** A cut number or moment would be another one. */
const UNCUT = /^[-+]?[\d.][\d.,eE+\-:TZ ]*$|^#?[TF]$|^(?:true|false)$/u;

/** The text of a cell, without what would control a terminal. */
export function cellText({ dictionary, columns, at }: OutputRows, row: number, column: number, label: NullLabel): string {
    return visible(textOf(dictionary, at(row, column), columns[column]?.type ?? { kind: 'unknown' }, label));
}

/** Measures the columns over the first `count` rows. No column wants more than `widest`. */
export function measuredColumns(listing: OutputRows, count: number, label: NullLabel, widest = Number.POSITIVE_INFINITY): ColumnWidth[] {
    return listing.columns.map(({ name }, column) => {
        const own = textWidth(visible(name));
        let width = own;
        let uncut = 0;
        for (let row = 0; row < Math.min(count, MEASURED); row++) {
            const text = cellText(listing, row, column, label);
            width = Math.max(width, textWidth(text));
            if (UNCUT.test(text)) uncut = Math.max(uncut, textWidth(text));
        }
        const natural = Math.min(width, Math.max(widest, own));
        return { natural, least: Math.max(uncut, Math.min(natural, NARROWEST)) };
    });
}

/** The text cut to the width, unless that would make another value of it. */
export function cutCell(text: string, width: number): string {
    return UNCUT.test(text) ? text : cutToWidth(text, width);
}

/** The text in the width of its column: numbers to the right, the rest to the left. */
export function paddedCell(text: string, width: number, column: OutputRows['columns'][number] | undefined): string {
    const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
    return isNumeric(column?.type ?? { kind: 'unknown' }) ? blanks + text : text + blanks;
}

/** Says which columns had no room; undefined where all had. */
export function hiddenText({ columns }: OutputRows, shown: number, { colour, width = TEXT_WIDTH }: TableStyle): string | undefined {
    const hidden = columns.length - shown;
    if (hidden === 0) return undefined;
    const names = columns
        .slice(shown)
        .map(({ name }) => visible(name))
        .join(', ');
    const hint =
        hidden === 1
            ? say`… 1 more column: ${names}; a wider terminal or --format csv shows it`
            : say`… ${hidden} more columns: ${names}; a wider terminal or --format csv shows them`;
    return `${colour.quiet(wrapped(hint, width, '  '))}\n`;
}

/** Prints one text for each row, many at a time. */
export function printEach(count: number, textOfRow: (row: number) => string, print: (text: string) => void): void {
    let gathered = '';
    for (let row = 0; row < count; row++) {
        gathered += textOfRow(row);
        if (gathered.length < PIECE) continue;
        print(gathered);
        gathered = '';
    }
    if (gathered !== '') print(gathered);
}

/** The width that a column wants, and the smallest that it can have. */
export interface ColumnWidth {
    readonly natural: number;
    readonly least: number;
}

/** Narrows the widest columns first until all fit; columns that do not fit even then are left out from the right. */
export function fitWidths(columns: readonly ColumnWidth[], room: number, gap = GAP): { widths: number[]; hidden: number } {
    let shown = columns.length;
    const needed = (count: number): number => {
        const own = columns.slice(0, count).reduce((sum, { least }) => sum + least + gap, -gap);
        return count < columns.length ? own + gap + 1 : own;
    };
    while (shown > 1 && needed(shown) > room) shown--;
    const hidden = columns.length - shown;
    const available = room - gap * (shown - 1) - (hidden > 0 ? gap + 1 : 0);
    const kept = columns.slice(0, shown);
    const widths = kept.map(({ natural }) => natural);
    const canShrink = (at: number): boolean => (widths[at] ?? 0) > (kept[at]?.least ?? 0);
    for (let excess = widths.reduce((sum, width) => sum + width, 0) - available; excess > 0; ) {
        const open = [...widths.keys()].filter(canShrink);
        const widest = Math.max(...open.map(at => widths[at] ?? 0));
        const wide = open.filter(at => widths[at] === widest);
        if (wide.length === 0) break;
        const second = Math.max(0, ...open.map(at => widths[at] ?? 0).filter(width => width < widest));
        for (const at of wide) {
            const target = Math.max(second, kept[at]?.least ?? 0, widest - Math.ceil(excess / wide.length));
            const cut = Math.min(excess, widest - target);
            widths[at] = widest - cut;
            excess -= cut;
        }
    }
    return { widths, hidden };
}
