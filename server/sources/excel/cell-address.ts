/** A cell by its row and column, counted from 0. */
export interface Cell {
    readonly row: number;
    readonly column: number;
}

/** What a sheet may have. */
export const [MOST_ROWS, MOST_COLUMNS] = [1 << 20, 1 << 14];

/** The last cell that a sheet may have. */
export const LAST_CELL: Cell = { row: MOST_ROWS - 1, column: MOST_COLUMNS - 1 };

/** `'Sheet'!A1:C10`: a sheet, the first one where it is left out, and the part of it that is used. */
export interface DataAddress {
    readonly sheet: string | undefined;
    readonly first: Cell;
    /** The last cell; as far as there are rows and columns where it is left out. */
    readonly last: Cell | undefined;
}

/** Reads `A1`, `A1:C10`, `A:C`, `Sheet`, `'Sheet 1'!A1`; undefined where the text is none of these, or names cells that no sheet has. */
export function dataAddress(text: string): DataAddress | undefined {
    const written = text.trim();
    const [, before = '', from, to] = /^(?:(.*)!)?\s*(\$?[A-Za-z]{1,3}\$?\d+)(?:\s*:\s*(\$?[A-Za-z]{1,3}\$?\d+))?$/su.exec(written) ?? [];
    if (from !== undefined) return addressOf(before, cellAt(from), to === undefined ? undefined : (cellAt(to) ?? 'none'));
    const [, sheet = '', left, right] = /^(?:(.*)!)?\s*\$?([A-Za-z]{1,3})\s*:\s*\$?([A-Za-z]{1,3})$/su.exec(written) ?? [];
    if (left !== undefined) return addressOf(sheet, cellAt(`${left}1`), cellAt(`${right}${MOST_ROWS}`) ?? 'none');
    return addressOf(written.replace(/!$/u, ''), { row: 0, column: 0 }, undefined);
}

function addressOf(written: string, first: Cell | undefined, last: Cell | 'none' | undefined): DataAddress | undefined {
    const sheet = sheetName(written);
    if (sheet === undefined || first === undefined || last === 'none') return undefined;
    if (last !== undefined && (last.row < first.row || last.column < first.column)) return undefined;
    return { sheet: sheet === '' ? undefined : sheet, first, last };
}

function sheetName(text: string): string | undefined {
    const written = text.trim();
    const [, quoted] = /^'((?:[^']|'')*)'$/su.exec(written) ?? [];
    if (quoted !== undefined) return quoted.replaceAll("''", "'");
    return /['![\]:*?/\\]/u.test(written) ? undefined : written;
}

/** The cell of a name such as `B12`; undefined where there is none. */
export function cellAt(name: string): Cell | undefined {
    const [, letters = '', digits = ''] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/u.exec(name) ?? [];
    let column = 0;
    for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
    const row = Number(digits);
    return column > 0 && column <= MOST_COLUMNS && row > 0 && row <= MOST_ROWS ? { row: row - 1, column: column - 1 } : undefined;
}

export function cellName({ row, column }: Cell): string {
    let letters = '';
    for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
        letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
    return `${letters}${row + 1}`;
}

/** The address as the option `dataAddress` has it. */
export function addressText({ sheet, first, last }: DataAddress): string {
    const cells = last === undefined ? cellName(first) : `${cellName(first)}:${cellName(last)}`;
    return sheet === undefined ? cells : `'${sheet.replaceAll("'", "''")}'!${cells}`;
}
