import { parseDate, parseTimestamp } from '#engine/values/calendar.ts';
import { say } from '#language/program/say.ts';
import { type Cell, cellAt, cellName, type DataAddress, LAST_CELL, MOST_ROWS } from './cell-address.ts';
import { momentOf } from './moments.ts';
import { isTrue, type Sheet, type Workbook } from './workbook.ts';
import { plainText, textCollector, xmlSteps } from './xml.ts';
import type { Refuse } from './zip.ts';

/** What a cell holds; undefined where it is empty. */
export type CellValue =
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'boolean'; readonly value: boolean }
    /** Days since 1970-01-01. */
    | { readonly kind: 'date'; readonly days: number }
    /** Microseconds since then. */
    | { readonly kind: 'timestamp'; readonly micros: bigint }
    /** An error, such as #DIV/0!, or, behind `=`, a formula without a computed value. */
    | { readonly kind: 'error'; readonly text: string };

/** The cells of a row, by their columns in the part of the sheet that is read. */
export type SheetRow = readonly (CellValue | undefined)[];

/**
 * Goes over the rows of the part of a sheet that an address names, empty ones left out, with their numbers in the sheet, counted from 1.
 * `row` says whether it wants more.
 */
export function eachRow(
    workbook: Workbook,
    { path, name: sheetName }: Sheet,
    { first, last }: DataAddress,
    refuse: Refuse,
    row: (cells: SheetRow, line: number) => boolean,
    checkpoint: () => void,
): void {
    const end: Cell = last ?? LAST_CELL;
    let cells: (CellValue | undefined)[] = [];
    let isEnough = false;
    let rowAt = -1;
    let at: Cell = { row: -1, column: -1 };
    let type: string | undefined;
    let style = 0;
    let written = '';
    let isValue = false;
    let formula: string | undefined;
    let isFormula = false;
    const inline = textCollector();
    const badCell = (reason: string): never => refuse(say`has a cell ${cellName(at)} in sheet '${sheetName}' ${reason}`);
    const cellValue = (): CellValue | undefined => {
        switch (type) {
            case 's': {
                const text = workbook.stringAt(Number(written));
                return text === undefined ? badCell(say`whose text is missing`) : { kind: 'string', text };
            }
            case 'inlineStr':
                return { kind: 'string', text: inline.end() };
            case 'str':
                return { kind: 'string', text: plainText(written) };
            case 'b':
                return { kind: 'boolean', value: isTrue(written) };
            case 'e':
                return { kind: 'error', text: written };
            case 'd':
                return isoValue(written) ?? badCell(say`whose date cannot be read`);
            default:
                if (written !== '') return numberOf(Number(written));
                return formula === undefined ? undefined : { kind: 'error', text: `=${formula}` };
        }
    };
    const numberOf = (value: number): CellValue => {
        if (!Number.isFinite(value)) return badCell(say`whose number cannot be read`);
        const kind = workbook.kindOf(style);
        return (kind === 'number' ? undefined : momentOf(value, kind, workbook.from1904)) ?? { kind: 'number', value };
    };
    const place = (name: string | undefined): void => {
        const next = name === undefined ? { row: rowAt, column: at.row === rowAt ? at.column + 1 : 0 } : cellAt(name);
        if (next === undefined || next.row !== rowAt || next.column > LAST_CELL.column)
            refuse(say`has a cell '${name ?? ''}' in row ${rowAt + 1} of sheet '${sheetName}', where it cannot be`);
        at = next;
    };
    const steps = xmlSteps(workbook.part(path), path, refuse, {
        open: (name, attributes) => {
            inline.open(name);
            if (name === 'row') {
                const number = attributes.r === undefined ? rowAt + 1 : Number(attributes.r) - 1;
                if (!Number.isInteger(number) || number <= rowAt || number >= MOST_ROWS)
                    refuse(say`has a row '${attributes.r ?? ''}' behind row ${rowAt + 1} in sheet '${sheetName}', where it cannot be`);
                rowAt = number;
                cells = [];
                isEnough ||= rowAt > end.row;
            } else if (name === 'c') {
                place(attributes.r);
                type = attributes.t;
                style = Number(attributes.s ?? 0);
                written = '';
                formula = undefined;
                inline.begin();
            } else if (name === 'v') isValue = true;
            else if (name === 'f') {
                isFormula = true;
                formula = '';
            }
        },
        close: name => {
            inline.close(name);
            if (name === 'v') isValue = false;
            else if (name === 'f') isFormula = false;
            if (isEnough) return;
            if (name === 'c' && at.row >= first.row && at.column >= first.column && at.column <= end.column) {
                const value = cellValue();
                if (value !== undefined) cells[at.column - first.column] = value;
            }
            if (name === 'row' && cells.length > 0) isEnough = !row(cells, rowAt + 1);
        },
        text: text => {
            inline.text(text);
            if (isValue) written += text;
            else if (isFormula) formula += text;
        },
    });
    while (!isEnough && steps.next().done !== true) checkpoint();
}

function isoValue(text: string): CellValue | undefined {
    const days = text.includes('T') ? undefined : parseDate(text);
    if (days !== undefined) return { kind: 'date', days };
    const micros = parseTimestamp(text.replace(/Z$/u, ''));
    return micros === undefined ? undefined : { kind: 'timestamp', micros };
}
