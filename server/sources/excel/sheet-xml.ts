import type { OutputRows } from '#engine/sources/source.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { joinedBytes } from '#server/files/joined-bytes.ts';
import { type Cell, cellName } from './cell-address.ts';
import { numberOfMoment } from './moments.ts';
import type { CellValue } from './sheet-cells.ts';
import { xmlText } from './xml.ts';
import type { Refuse } from './zip.ts';

/** Letters of the longest text that a cell takes. */
const LONGEST_TEXT = 32_767;
const ROWS_PER_CHECKPOINT = 1024;

/** How rows are written. */
export interface SheetForm {
    /** The numbers of the styles of days and of moments. */
    readonly styles: { readonly date: number; readonly timestamp: number };
    readonly from1904: boolean;
    /** The first cell. */
    readonly from: Cell;
    /** The names of the columns come first. */
    readonly names: boolean;
    /** What stands before the names of elements. */
    readonly prefix: string;
}

/** The rows as those of a sheet, in UTF-8. */
export function sheetRowsXml(rows: OutputRows, form: SheetForm, refuse: Refuse, checkpoint: () => void): Uint8Array {
    const { from, names, prefix } = form;
    const pieces: Uint8Array[] = [];
    let text = '';
    let next = from.row;
    const flush = (): void => {
        checkpoint();
        pieces.push(new TextEncoder().encode(text));
        text = '';
    };
    const add = (cells: readonly (CellValue | undefined)[]): void => {
        const written = cells.map((cell, i) =>
            cell === undefined ? '' : cellXml(cell, { row: next, column: from.column + i }, form, refuse),
        );
        text += `<${prefix}row r="${next + 1}">${written.join('')}</${prefix}row>`;
        if (++next % ROWS_PER_CHECKPOINT === 0) flush();
    };
    if (names) add(rows.columns.map(({ name }) => ({ kind: 'string', text: name })));
    for (let row = 0; row < rows.count; row++)
        add(rows.columns.map((column, i) => valueOfCell(rows, rows.at(row, i), { column, row }, refuse)));
    flush();
    return joinedBytes(pieces);
}

/** A value as a cell holds it; undefined for one that is unknown. */
function valueOfCell(
    { dictionary }: OutputRows,
    id: ValueId,
    { column: { name, type }, row }: { readonly column: Column; readonly row: number },
    refuse: Refuse,
): CellValue | undefined {
    switch (dictionary.kind(id)) {
        case 'null':
            return undefined;
        case 'number':
            if (dictionary.isExactDouble(id)) return { kind: 'number', value: dictionary.numberOf(id) };
            return refuse(say`cannot be written: ${dictionary.bigintOf(id)} in column '${name}' of row ${row + 1} is no exact double`);
        case 'boolean':
            return { kind: 'boolean', value: dictionary.boolean(true) === id };
        case 'date':
            return { kind: 'date', days: dictionary.daysOf(id) };
        case 'timestamp':
            return { kind: 'timestamp', micros: dictionary.microsOf(id) };
        default:
            return { kind: 'string', text: textOf(dictionary, id, type, String) };
    }
}

function cellXml(value: CellValue, at: Cell, { styles, from1904, prefix: p }: SheetForm, refuse: Refuse): string {
    const name = cellName(at);
    const valued = (text: string | number, attributes = ''): string => `<${p}c r="${name}"${attributes}><${p}v>${text}</${p}v></${p}c>`;
    switch (value.kind) {
        case 'number':
            return valued(value.value);
        case 'boolean':
            return valued(value.value ? 1 : 0, ' t="b"');
        case 'error':
            return valued(xmlText(value.text), ' t="e"');
        case 'string':
            if (value.text.length > LONGEST_TEXT)
                return refuse(say`cannot be written: the text of cell ${name} has more than ${countText(LONGEST_TEXT)} characters`);
            return `<${p}c r="${name}" t="inlineStr"><${p}is><${p}t xml:space="preserve">${xmlText(value.text)}</${p}t></${p}is></${p}c>`;
        case 'date':
        case 'timestamp': {
            const number = numberOfMoment(value, from1904);
            if (number === undefined)
                return refuse(say`cannot be written: Excel has no such day as that of cell ${name}; write it as a text`);
            return valued(number, ` s="${styles[value.kind]}"`);
        }
    }
}
