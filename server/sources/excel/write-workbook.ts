import type { OutputRows } from '#engine/sources/source.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { joinedBytes } from '#server/files/joined-bytes.ts';
import type { BoundFile, ChangedTable } from '../bound-file.ts';
import { saveMode } from '../save-mode.ts';
import { MOST_COLUMNS, MOST_ROWS } from './cell-address.ts';
import type { ExcelOptions } from './excel-options.ts';
import { eachRow } from './sheet-cells.ts';
import { sheetRowsXml } from './sheet-xml.ts';
import { isLocked, openWorkbook, type Sheet, sheetNamed, type Workbook } from './workbook.ts';
import {
    addedStyles,
    addedWorksheet,
    emptyWorkbook,
    HEAD,
    type Parts,
    putPart,
    recomputed,
    SPREADSHEET,
    textPart,
    withoutRelations,
} from './workbook-parts.ts';
import { bytesOfMemory, type Refuse, zipBytes } from './zip.ts';

interface Change {
    /** Of the workbook that is there. */
    readonly old: Uint8Array | undefined;
    readonly rows: OutputRows;
    readonly checkpoint: () => void;
}

/**
 * A workbook with the rows in one sheet, as `saveMode` says, whose other sheets and all else in it stay as they are; undefined where it stays as a
 * whole.
 */
export function changedWorkbook(
    file: BoundFile,
    options: ExcelOptions,
    { old, rows, checkpoint }: Change,
    refuse: Refuse,
): ChangedTable | undefined {
    const { address } = options;
    requireWritten(options, refuse);
    const mode = saveMode(file.bind, file.shown, file.access.report);
    const there = old && bytesOfMemory(old);
    if (there && isLocked(there)) refuse(say`is kept by a password, and such workbooks are not written: save it without one`);
    const before = there && openWorkbook(there, undefined, refuse, checkpoint);
    const sheet = before && sheetNamed(before, address.sheet);
    if (sheet && mode === 'ignore') return undefined;
    if (sheet && mode === 'error') refuse(say`has a sheet '${sheet.name}' already, and saveMode=errorIfExists keeps it`);
    const title = address.sheet ?? 'Sheet1';
    const parts: Parts = before ? new Map(before.entries) : emptyWorkbook(title, refuse);
    const path = sheet?.path ?? (before ? addedWorksheet(before, parts, title, refuse) : 'xl/worksheets/sheet1.xml');
    const styles = addedStyles(parts, before ? before.stylesPath : 'xl/styles.xml', refuse);
    const form = { styles, from1904: before?.from1904 ?? false };
    const last = before && sheet && mode === 'append' ? lastRow(before, sheet, refuse, checkpoint) : 0;
    const from = { row: Math.max(address.first.row, last), column: address.first.column };
    const height = rows.count + (options.useHeaders && last === 0 ? 1 : 0);
    if (from.row + height > MOST_ROWS || from.column + rows.columns.length > MOST_COLUMNS)
        refuse(say`cannot be written: a sheet has ${countText(MOST_ROWS)} rows and ${countText(MOST_COLUMNS)} columns at the most`);
    const names = options.useHeaders && last === 0;
    const written = (prefix: string): Uint8Array => sheetRowsXml(rows, { ...form, from, names, prefix }, refuse, checkpoint);
    if (last > 0) insertRows(parts, path, last, written, refuse);
    else {
        putPart(
            parts,
            path,
            joinedBytes([
                bytesOf(`${HEAD}<worksheet xmlns="${SPREADSHEET}"><sheetData>`),
                written(''),
                bytesOf('</sheetData></worksheet>'),
            ]),
        );
        // What belonged to the cells that are gone: comments, drawings, tables.
        withoutRelations(parts, path);
    }
    if (before) recomputed(before, parts, refuse);
    return { bytes: zipBytes(parts.values()), table: path, isReplaced: sheet !== undefined && mode === 'overwrite' };
}

/** Ends the run where `dataAddress` names more than where the rows begin. */
export function requireWritten({ address, password }: ExcelOptions, refuse: Refuse): void {
    if (password !== undefined) refuse(say`cannot be written with option 'password': no workbook is written that a password keeps`);
    if (address.last !== undefined) refuse(say`cannot be written with a range: dataAddress names the sheet and the first cell, such as A1`);
}

function bytesOf(text: string): Uint8Array {
    return new TextEncoder().encode(text);
}

/** The number of the last row that has cells, counted from 1; 0 where there is none. */
function lastRow(workbook: Workbook, sheet: Sheet, refuse: Refuse, checkpoint: () => void): number {
    let last = 0;
    const whole = { sheet: undefined, first: { row: 0, column: 0 }, last: undefined };
    const found = (_: unknown, line: number): boolean => {
        last = line;
        return true;
    };
    eachRow(workbook, sheet, whole, refuse, found, checkpoint);
    return last;
}

/** Puts rows behind the last one of a sheet that has cells; all else in it stays as it is, but for rows without cells that came next. */
function insertRows(parts: Parts, path: string, last: number, written: (prefix: string) => Uint8Array, refuse: Refuse): void {
    const text = textPart(parts, path, refuse);
    const [row = '', prefix = ''] = new RegExp(`<(\\w+:)?row\\b[^>]*\\sr=["']${last}["']`, 'u').exec(text) ?? [];
    const [rowEnd, end] = [`</${prefix}row>`, `</${prefix}sheetData>`];
    const [from, to] = [text.indexOf(rowEnd, text.indexOf(row)), text.lastIndexOf(end)];
    if (row === '' || from < 0 || to < from) refuse(say`cannot be written: part '${path}' is written in a way that is not known`);
    // It says which cells are used, and may be left out.
    const before = text.slice(0, from + rowEnd.length).replace(/<(?:\w+:)?dimension\b[^>]*\/>/u, '');
    putPart(parts, path, joinedBytes([bytesOf(before), written(prefix), bytesOf(text.slice(to))]));
}
