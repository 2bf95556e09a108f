import type { OutputRows } from '#engine/sources/source.ts';
import { countText } from '#language/program/count-text.ts';
import { textWidth, visible } from '#server/notices/visible-text.ts';
import { cellText, printEach, type TableStyle } from './table-layout.ts';

const GAP = '  ';
/** The line above a record, where there is no terminal to be as wide as. */
const RULE = 40;

/** Writes each row as a record: a line with its number, and one for each column with its whole value. */
export function printRecords(
    listing: OutputRows,
    limit: number,
    { colour, label, width }: TableStyle,
    print: (text: string) => void,
): void {
    const names = listing.columns.map(({ name }) => visible(name));
    const widest = Math.max(0, ...names.map(textWidth));
    const record = (row: number): string => {
        const title = `─ ${countText(row + 1)} `;
        const head = title + '─'.repeat(Math.max(1, Math.min(width ?? RULE, RULE) - textWidth(title)));
        const lines = names.map((name, column) => {
            const blanks = ' '.repeat(widest - textWidth(name));
            return `${colour.strong(name)}${blanks}${GAP}${cellText(listing, row, column, label)}\n`;
        });
        return `${colour.quiet(head)}\n${lines.join('')}`;
    };
    printEach(Math.min(listing.count, limit), record, print);
}
