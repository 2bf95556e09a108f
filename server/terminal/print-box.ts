import type { OutputRows } from '#engine/sources/source.ts';
import { visible } from '#server/notices/visible-text.ts';
import { cellText, cutCell, fitWidths, hiddenText, measuredColumns, paddedCell, printEach, type TableStyle } from './table-layout.ts';

/** Between two cells, and at both ends of a line. */
const [GAP, ENDS] = [' │ ', '│ '.length * 2] as const;

/** Writes rows as a table with lines around its cells, each on one line; where a terminal is too narrow for all columns, the first ones, and which are left out. */
export function printBox(listing: OutputRows, limit: number, style: TableStyle, print: (text: string) => void): void {
    const { columns } = listing;
    const { colour, label, width = Number.POSITIVE_INFINITY } = style;
    const count = Math.min(listing.count, limit);
    const { widths, hidden } = fitWidths(measuredColumns(listing, count, label), width - ENDS, GAP.length);
    const isCut = hidden > 0;
    const bar = (text: string): string => colour.quiet(text);
    const rule = (left: string, cross: string, right: string): string =>
        `${bar(`${left}${[...widths, ...(isCut ? [1] : [])].map(own => '─'.repeat(own + 2)).join(cross)}${right}`)}\n`;
    const line = (cells: readonly string[], marked: (text: string) => string): string => {
        const shown = widths.map((own, at) => marked(paddedCell(cutCell(cells[at] ?? '', own), own, columns[at])));
        return `${bar('│ ')}${[...shown, ...(isCut ? ['…'] : [])].join(bar(GAP))}${bar(' │')}\n`;
    };
    print(rule('┌', '┬', '┐'));
    print(
        line(
            columns.map(({ name }) => visible(name)),
            colour.strong,
        ),
    );
    print(rule('├', '┼', '┤'));
    printEach(
        count,
        row =>
            line(
                widths.map((_, column) => cellText(listing, row, column, label)),
                text => text,
            ),
        print,
    );
    print(rule('└', '┴', '┘'));
    const rest = hiddenText(listing, widths.length, style);
    if (rest !== undefined) print(rest);
}
