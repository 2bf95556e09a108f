import type { OutputRows } from '#engine/sources/source.ts';
import { isNumeric } from '#language/program/types.ts';
import { visible } from '#server/notices/visible-text.ts';
import { cellText, cutCell, fitWidths, hiddenText, measuredColumns, paddedCell, printEach, type TableStyle } from './table-layout.ts';

const GAP = '  ';
/** The widest padding that one cell of plain text may cause in its column. */
const PLAIN_WIDEST = 60;

/** Writes rows as a table: numbers to the right, the rest to the left, the header underlined; text that is cut ends in `…`. */
export function printTable(listing: OutputRows, limit: number, style: TableStyle, print: (text: string) => void): void {
    const { columns } = listing;
    const { colour, label, width } = style;
    const count = Math.min(listing.count, limit);
    const measured = measuredColumns(listing, count, label, width === undefined ? PLAIN_WIDEST : undefined);
    const { widths, hidden } =
        width === undefined ? { widths: measured.map(({ natural }) => natural), hidden: 0 } : fitWidths(measured, width);
    const more = hidden === 0 ? '' : `${GAP}…`;
    const line = (cells: readonly string[]): string => {
        const last = widths.length - 1;
        const padded = widths.map((own, at) => {
            const text = width === undefined ? (cells[at] ?? '') : cutCell(cells[at] ?? '', own);
            const isOpen = at === last && more === '' && !isNumeric(columns[at]?.type ?? { kind: 'unknown' });
            return isOpen ? text : paddedCell(text, own, columns[at]);
        });
        return padded.join(GAP) + more;
    };
    const dash = width === undefined ? '-' : '─';
    const title = line(columns.map(column => visible(column.name)));
    print(`${colour.strong(title)}\n${colour.quiet(widths.map(own => dash.repeat(own)).join(GAP) + more)}\n`);
    printEach(count, row => `${line(widths.map((_, column) => cellText(listing, row, column, label)))}\n`, print);
    const rest = hiddenText(listing, widths.length, style);
    if (rest !== undefined) print(rest);
}
