import type { Type } from '#language/program/types.ts';
import { parseDate } from '../values/calendar.ts';
import { type CsvInput, checkUtf8, openCells, readHeader } from './csv-reader.ts';

/** The columns of a CSV text, and how many rows stand below its header. */
export interface CsvColumns {
    /** Of the header, else `c0`, `c1`… */
    readonly names: readonly string[];
    /** Unknown where no row has a value. */
    readonly types: readonly Type[];
    readonly rows: number;
}

/** What a text reads as; integers of 64 bits are `int`, too. */
export type TextKind = 'int' | 'double' | 'boolean' | 'date' | 'string';

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD = /^(?:true|false)$/i;
const DAY = /^\d{4}-\d\d-\d\d$/;
const LONGEST_EXACT = 18;
const LONG_LIMIT = 2n ** 63n;
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Reads a whole text for its columns; a column's type is the narrowest one that all of its cells read as. Empty cells fit all. */
export function csvColumns(input: Omit<CsvInput, 'predicate'>, checkpoint: () => void): CsvColumns {
    const cells = openCells(input, checkpoint);
    const header = input.options.useHeaders ? readHeader(cells, input) : undefined;
    const kinds: (TextKind | undefined)[] = [];
    let width = header?.length ?? 0;
    let rows = 0;
    let column = 0;
    while (cells.next()) {
        if (cells.beyondAscii) checkUtf8(cells, input);
        // The first record says how many columns there are where no header does.
        if (header === undefined && rows === 0) width = column + 1;
        if (column < width && kinds[column] !== 'string') {
            const text = decoder.decode(cells.bytes.subarray(cells.from, cells.to));
            if (text !== '' && (cells.quoted || text !== input.options.nullString))
                kinds[column] = joinedKinds(kinds[column], kindOfText(text.trim()));
        }
        column++;
        if (!cells.endsRecord) continue;
        rows++;
        column = 0;
    }
    const names = header ?? Array.from({ length: width }, (_, i) => `c${i}`);
    return { names, types: names.map((_, i) => ({ kind: kinds[i] ?? 'unknown' })), rows };
}

export function kindOfText(text: string): TextKind {
    if (INTEGER.test(text)) return fitsLong(text) ? 'int' : 'string';
    if (DECIMAL.test(text)) return Number.isFinite(Number(text)) ? 'double' : 'string';
    if (WORD.test(text)) return 'boolean';
    // A moment keeps its time as a text.
    return DAY.test(text) && parseDate(text) !== undefined ? 'date' : 'string';
}

function fitsLong(text: string): boolean {
    if (text.length <= LONGEST_EXACT) return true;
    const value = BigInt(text.replace('+', ''));
    return value >= -LONG_LIMIT && value < LONG_LIMIT;
}

export function joinedKinds(before: TextKind | undefined, now: TextKind): TextKind {
    if (before === undefined || before === now) return now;
    const areNumbers = (before === 'int' || before === 'double') && (now === 'int' || now === 'double');
    return areNumbers ? 'double' : 'string';
}
