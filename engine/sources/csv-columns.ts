import type { NumberForm } from '#language/program/number-form.ts';
import type { Type } from '#language/program/types.ts';
import { parseDate } from '../values/calendar.ts';
import { type CsvInput, checkUtf8, openCells, readHeader } from './csv-reader.ts';
import { pointedNumber } from './written-numbers.ts';

/** The columns of a CSV text, and how many rows stand below its header. */
export interface CsvColumns {
    /** Of the header, else `c0`, `c1`… */
    readonly names: readonly string[];
    /** Unknown where no row has a value. */
    readonly types: readonly Type[];
    readonly rows: number;
    /** How its numbers are written where the options do not say, and not as they would be. */
    readonly numbers?: NumberForm;
    /** A column of numbers, days or truth values has empty cells. */
    readonly haveGaps: boolean;
}

/** The kind of value that a text reads as. */
export type TextKind = 'int' | 'long' | 'double' | 'boolean' | 'date' | 'string';

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD = /^(?:true|false)$/i;
const DAY = /^\d{4}-\d\d-\d\d$/;
const LONGEST_EXACT = 18;
const LONG_LIMIT = 2n ** 63n;
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/**
 * Reads a whole text for its columns; a column's type is the narrowest one that all of its cells read as. Empty cells fit all. Where no
 * option says how numbers are written, a form counts that a cell can only have if it is that form, and that makes no number a text.
 */
export function csvColumns(input: Omit<CsvInput, 'predicate'>, checkpoint: () => void): CsvColumns {
    const cells = openCells(input, checkpoint);
    const header = input.options.useHeaders ? readHeader(cells, input) : undefined;
    const forms: readonly SeenForm[] = [input.options.numbers, ...(input.options.numbers === undefined ? OTHER_FORMS : [])].map(form => ({
        form,
        kinds: [],
        shown: new Set(),
    }));
    let width = header?.length ?? 0;
    let rows = 0;
    let column = 0;
    const gaps = new Set<number>();
    while (cells.next()) {
        if (cells.beyondAscii) checkUtf8(cells, input);
        // The first record says how many columns there are where no header does.
        if (header === undefined && rows === 0) width = column + 1;
        if (column < width && forms.some(({ kinds }) => kinds[column] !== 'string')) {
            const text = decoder.decode(cells.bytes.subarray(cells.from, cells.to));
            if (text === '' && !cells.quoted) gaps.add(column);
            else if (text !== '' && (cells.quoted || text !== input.options.nullString)) see(text.trim(), column, forms);
        }
        column++;
        if (!cells.endsRecord) continue;
        rows++;
        column = 0;
    }
    const names = header ?? Array.from({ length: width }, (_, i) => `c${i}`);
    const [usual, ...others] = forms;
    const chosen = others.find(
        other =>
            [...other.shown].some(i => isNumber(other.kinds[i])) &&
            usual?.kinds.every((kind, i) => !isNumber(kind) || isNumber(other.kinds[i])),
    );
    const { kinds = [], form } = chosen ?? usual ?? {};
    const types = names.map((_, i): Type => ({ kind: kinds[i] ?? 'unknown' }));
    const haveGaps = [...gaps].some(at => kinds[at] !== undefined && kinds[at] !== 'string');
    return { names, types, rows, haveGaps, ...(chosen && form && { numbers: form }) };
}

/** The most telling first. */
export const OTHER_FORMS: readonly NumberForm[] = [{ decimal: ',', thousands: '.' }, { decimal: '.', thousands: ',' }, { decimal: ',' }];

/** The readings of the cells in one form of numbers. */
interface SeenForm {
    /** Undefined for digits with a point. */
    readonly form: NumberForm | undefined;
    readonly kinds: (TextKind | undefined)[];
    /** Columns with a number that is of this form and no other. */
    readonly shown: Set<number>;
}

function see(text: string, column: number, forms: readonly SeenForm[]): void {
    const isPlain = !/[.,]/u.test(text);
    const plain = isPlain ? kindOfText(text, undefined) : undefined;
    for (const { form, kinds, shown } of forms) {
        if (kinds[column] === 'string') continue;
        const kind = plain ?? kindOfText(text, form);
        kinds[column] = joinedKinds(kinds[column], kind);
        if (form !== undefined && !isPlain && isNumber(kind) && shows(text, form)) shown.add(column);
    }
}

/** `1.234,5` has both signs. `1,234` may have a group or a fraction, and `1,5` has no group. */
function shows(text: string, { decimal, thousands }: NumberForm): boolean {
    const signs = text.replace(/[^.,]/gu, '');
    if (thousands !== undefined) return signs.length > 1 && signs.includes(decimal);
    return signs === decimal && !/^[+-]?[1-9]\d{0,2},\d{3}$/u.test(text);
}

export function isNumber(kind: TextKind | undefined): boolean {
    return kind === 'int' || kind === 'long' || kind === 'double';
}

export function kindOfText(text: string, form: NumberForm | undefined): TextKind {
    const number = form === undefined ? text : (pointedNumber(text, form) ?? '');
    if (INTEGER.test(number)) return fitsInt(number) ? 'int' : fitsLong(number) ? 'long' : 'string';
    if (DECIMAL.test(number)) return Number.isFinite(Number(number)) ? 'double' : 'string';
    if (WORD.test(text)) return 'boolean';
    // A moment keeps its time as a text.
    return DAY.test(text) && parseDate(text) !== undefined ? 'date' : 'string';
}

function fitsInt(text: string): boolean {
    const value = Number(text);
    return value === (value | 0);
}

function fitsLong(text: string): boolean {
    if (text.length <= LONGEST_EXACT) return true;
    const value = BigInt(text.replace('+', ''));
    return value >= -LONG_LIMIT && value < LONG_LIMIT;
}

export function joinedKinds(before: TextKind | undefined, now: TextKind): TextKind {
    if (before === undefined || before === now) return now;
    if (!isNumber(before) || !isNumber(now)) return 'string';
    return before === 'double' || now === 'double' ? 'double' : 'long';
}
