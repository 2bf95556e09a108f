import type { OutputRows } from '#engine/sources/source.ts';
import { type NullLabel, textOf } from '#engine/values/text.ts';
import { isNumeric } from '#language/program/types.ts';
import type { Colour } from './colour.ts';
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

/** Writes rows as a table: numbers to the right, the rest to the left, the header underlined, what is cut ends in `…`. */
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
    const natural = listing.columns.map(({ name }, column) => {
        let width = textWidth(visible(name));
        for (let row = 0; row < Math.min(count, MEASURED); row++) width = Math.max(width, textWidth(cell(row, column)));
        return style.width === undefined ? Math.min(width, Math.max(PLAIN_WIDEST, textWidth(visible(name)))) : width;
    });
    const { widths, hidden } = style.width === undefined ? { widths: natural, hidden: 0 } : fitWidths(natural, style.width);
    const more = hidden === 0 ? '' : `${GAP}…`;
    const line = (cells: readonly string[]): string => {
        const last = widths.length - 1;
        const padded = widths.map((width, at) => {
            const text = style.width === undefined ? (cells[at] ?? '') : cutToWidth(cells[at] ?? '', width);
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
    if (hidden > 0)
        print(
            `${style.colour.quiet(`… ${hidden} more ${hidden === 1 ? 'column' : 'columns'}; a wider terminal or --format csv shows them`)}\n`,
        );
}

/** Narrows the widest columns first until all fit; columns that do not fit even then are left out from the right. */
export function fitWidths(natural: readonly number[], room: number): { widths: number[]; hidden: number } {
    const least = natural.map(width => Math.min(width, NARROWEST));
    let shown = natural.length;
    const needed = (columns: number): number => {
        const own = least.slice(0, columns).reduce((sum, width) => sum + width + GAP.length, -GAP.length);
        return columns < natural.length ? own + GAP.length + 1 : own;
    };
    while (shown > 1 && needed(shown) > room) shown--;
    const hidden = natural.length - shown;
    const available = room - GAP.length * (shown - 1) - (hidden > 0 ? GAP.length + 1 : 0);
    const widths = natural.slice(0, shown);
    for (let excess = widths.reduce((sum, width) => sum + width, 0) - available; excess > 0; ) {
        const widest = Math.max(...widths);
        const second = Math.max(NARROWEST, ...widths.filter(width => width < widest));
        const wide = widths.flatMap((width, at) => (width === widest ? [at] : []));
        const target = Math.max(second, widest - Math.ceil(excess / wide.length));
        if (target >= widest) break;
        for (const at of wide) {
            const cut = Math.min(excess, widest - target);
            widths[at] = widest - cut;
            excess -= cut;
        }
    }
    return { widths, hidden };
}
