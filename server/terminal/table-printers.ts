import type { OutputRows } from '#engine/sources/source.ts';
import type { TableFormat } from '#server/protocol/result-formats.ts';
import { printBox } from './print-box.ts';
import { printRecords } from './print-records.ts';
import { printTable } from './print-table.ts';
import type { TableStyle } from './table-layout.ts';

type TablePrinter = (listing: OutputRows, limit: number, style: TableStyle, print: (text: string) => void) => void;

const PRINTERS: Readonly<Record<TableFormat, TablePrinter>> = { table: printTable, box: printBox, record: printRecords };

/** Prints rows for people, `limit` at most; rows without columns are true or false. */
export function printForPeople(
    format: TableFormat,
    listing: OutputRows,
    limit: number,
    style: TableStyle,
    print: (text: string) => void,
): void {
    if (listing.columns.length > 0) PRINTERS[format](listing, limit, style, print);
    else print(`${Math.min(listing.count, limit) > 0 ? 'true' : 'false'}\n`);
}
