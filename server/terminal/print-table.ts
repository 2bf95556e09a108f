import type { OutputRows } from '#engine/sources/source.ts';
import { type NullLabel, textOf } from '#engine/values/text.ts';
import { say } from '#language/program/say.ts';
import { isNumeric } from '#language/program/types.ts';
import type { Colour } from './colour.ts';
import { TEXT_WIDTH, wrapped } from './notice-text.ts';
import { cutToWidth, textWidth, visible } from './visible-text.ts';

export interface TableStyle {
    readonly colour: Colour;
    /** The width of the terminal; absent for plain text, whose cells are never cut. */
    readonly width?: number;
    readonly label: NullLabel;
}

const GAP = '  ';
const NARROWEST = 6;
/** Rows that decide the widths of columns. */
const MEASURED = 1000;
/** What a cell of plain text may demand of every other cell of its column. */
const PLAIN_WIDEST = 60;
const PIECE = 1 << 15;

/** A cut number or moment would be another one. */
const UNCUT = /^[-+]?[\d.][\d.,eE+\-:TZ ]*$|^#?[TF]$|^(?:true|false)$/u;

/** Writes rows as a table: numbers to the right, the rest to the left, the header underlined; text that is cut ends in `…`. */
export function printTable(listing: OutputRows, limit: number, style: TableStyle, print: (text: string) => void): void {
    const count = Math.min(listing.count, limit);
    if (listing.columns.length === 0) {
        print(`${count > 0 ? 'true' : 'false'}\n`);
        return;
    }
    const cell = (row: number, column: number): string => {
        const type = listing.columns[column]?.type ?? { kind: 'unknown' };
        return visible(textOf(listing.dictionary, listing.at(row, column), type, style.label));
    };
    const measured = listing.columns.map(({ name }, column) => {
        let width = textWidth(visible(name));
        let uncut = 0;
        for (let row = 0; row < Math.min(count, MEASURED); row++) {
            const text = cell(row, column);
            width = Math.max(width, textWidth(text));
            if (UNCUT.test(text)) uncut = Math.max(uncut, textWidth(text));
        }
        const natural = style.width === undefined ? Math.min(width, Math.max(PLAIN_WIDEST, textWidth(visible(name)))) : width;
        return { natural, least: Math.max(uncut, Math.min(natural, NARROWEST)) };
    });
    const { widths, hidden } =
        style.width === undefined ? { widths: measured.map(({ natural }) => natural), hidden: 0 } : fitWidths(measured, style.width);
    const more = hidden === 0 ? '' : `${GAP}…`;
    const line = (cells: readonly string[]): string => {
        const last = widths.length - 1;
        const padded = widths.map((width, at) => {
            const whole = cells[at] ?? '';
            const text = style.width === undefined || UNCUT.test(whole) ? whole : cutToWidth(whole, width);
            const blanks = ' '.repeat(Math.max(0, width - textWidth(text)));
            if (isNumeric(listing.columns[at]?.type ?? { kind: 'unknown' })) return blanks + text;
            return at === last && more === '' ? text : text + blanks;
        });
        return padded.join(GAP) + more;
    };
    const dash = style.width === undefined ? '-' : '─';
    const title = line(listing.columns.map(column => visible(column.name)));
    print(`${style.colour.strong(title)}\n${style.colour.quiet(widths.map(width => dash.repeat(width)).join(GAP) + more)}\n`);
    let gathered = '';
    for (let row = 0; row < count; row++) {
        gathered += `${line(widths.map((_, column) => cell(row, column)))}\n`;
        if (gathered.length < PIECE) continue;
        print(gathered);
        gathered = '';
    }
    if (gathered !== '') print(gathered);
    const names = listing.columns
        .slice(widths.length)
        .map(({ name }) => visible(name))
        .join(', ');
    if (hidden === 0) return;
    const hint =
        hidden === 1
            ? say`… 1 more column: ${names}; a wider terminal or --format csv shows it`
            : say`… ${hidden} more columns: ${names}; a wider terminal or --format csv shows them`;
    print(`${style.colour.quiet(wrapped(hint, style.width ?? TEXT_WIDTH, '  '))}\n`);
}

/** The width that a column wants, and the smallest that it can have. */
interface ColumnWidth {
    readonly natural: number;
    readonly least: number;
}

/** Narrows the widest columns first until all fit; columns that do not fit even then are left out from the right. */
export function fitWidths(columns: readonly ColumnWidth[], room: number): { widths: number[]; hidden: number } {
    let shown = columns.length;
    const needed = (count: number): number => {
        const own = columns.slice(0, count).reduce((sum, { least }) => sum + least + GAP.length, -GAP.length);
        return count < columns.length ? own + GAP.length + 1 : own;
    };
    while (shown > 1 && needed(shown) > room) shown--;
    const hidden = columns.length - shown;
    const available = room - GAP.length * (shown - 1) - (hidden > 0 ? GAP.length + 1 : 0);
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
