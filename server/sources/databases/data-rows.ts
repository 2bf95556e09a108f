import { isUtf8 } from 'node:buffer';
import { plainValue } from '#engine/sources/csv-values.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import { invalidUtf8 } from '#engine/sources/utf8-reader.ts';
import { type Dictionary, FALSE, smallInteger, TRUE } from '#engine/values/dictionary.ts';
import { TEXT_SEED, textHash, textHashStep } from '#engine/values/string-store.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import type { CellReader } from './cell-values.ts';
import type { Cells, Field } from './session.ts';

/**
 * Takes the messages of PostgreSQL that are rows from the beginning of `bytes[at..end)`, and gives where the first begins that is none, or is
 * not whole. Four more bytes can be read behind the end, and nothing of them is kept.
 */
export type RowMessages = (bytes: Buffer, view: DataView, at: number, end: number) => number;

/** A column that is read: the field of the rows, the column it goes to, and what its texts are there. */
export interface ReadColumn {
    readonly from: number;
    readonly to: number;
    readonly field: Field;
    readonly read: CellReader;
}

/** The sign of a row: https://www.postgresql.org/docs/current/protocol-message-formats.html. */
const ROW = 0x44;
/** Bytes before the first cell: the sign, the length without it, and the number of cells. */
const HEAD = 7;
/** Bytes of the length of a cell, which is -1 for NULL. */
const LENGTH = 4;
/** Rows that are handed on at a time. */
const ROWS = 2048;
/** Longer texts are admitted one by one. */
const LONG = 1 << 16;
/** Any number of so many digits is small. */
const DIGITS = 9;
const NO_START = -1;
const MINUS = 0x2d;
const PLUS = 0x2b;
const ZERO = 0x30;
const LETTER_F = 0x66;
const LETTER_T = 0x74;
const BEYOND_ASCII = 0x80808080 | 0;

/** Where the row ends that begins at `at`; `at` itself where none does that is whole. */
function endOfRow(view: DataView, at: number, end: number): number {
    if (end - at < HEAD || view.getUint8(at) !== ROW) return at;
    const next = at + 1 + view.getUint32(at + 1);
    return next > end ? at : next;
}

function broken(): SyntaxError {
    return new SyntaxError(say`its rows are not as PostgreSQL sends them`);
}

function notUtf8(): SyntaxError {
    return new SyntaxError(say`its texts are not of the encoding that it names`);
}

/** Hands on each row as texts. */
export function rowTexts(row: (cells: Cells) => void): RowMessages {
    return (bytes, view, from, end) => {
        let at = from;
        for (let next = endOfRow(view, at, end); next > at; next = endOfRow(view, at, end)) {
            const cells: (string | null)[] = [];
            let start = at + HEAD;
            for (let count = view.getUint16(at + HEAD - 2); count > 0; count--) {
                const length = view.getInt32(start);
                const to = start + LENGTH + Math.max(0, length);
                if (to > next) throw broken();
                cells.push(length < 0 ? null : bytes.toString('utf8', start + LENGTH, to));
                start = to;
            }
            row(cells);
            at = next;
        }
        return at;
    };
}

/** Where rows go. */
interface RowsInto {
    readonly target: RowTarget;
    readonly nullFor: (column: number) => ValueId;
    readonly unreadable: (column: number, text: string) => void;
    /** Fills the other columns of so many rows, and hands them on. */
    readonly complete: (columns: readonly Int32Array[], count: number) => void;
}

/**
 * Reads rows of so many cells, where `keepsLowestFirst`: the texts of a column become values together, and nothing is allocated for a row.
 * The loop has what it needs in variables of its own.
 */
export function rowValues(width: number, columns: readonly ReadColumn[], { target, nullFor, unreadable, complete }: RowsInto): RowMessages {
    const { dictionary } = target;
    // By column of the predicate and row: values, or the lengths of texts until they become values, where those begin, and their hashes.
    const ids = new Int32Array(target.columns.length * ROWS);
    const starts = new Int32Array(ids.length);
    const hashes = new Int32Array(ids.length);
    const values = target.columns.map((_, to) => ids.subarray(to * ROWS, (to + 1) * ROWS));
    const byField = Array.from({ length: width }, (_, at) => columns.find(({ from }) => from === at));
    const readings = byField.map(column => column && readingOf(column.field, target.columns[column.to]));
    const kinds = Uint8Array.from(readings, reading => reading?.kind ?? SKIPPED);
    const places = Int32Array.from(byField, column => (column?.to ?? 0) * ROWS);
    const texts = [...places].filter((_, field) => kinds[field] === TEXT);

    const readCell = (bytes: Buffer, start: number, end: number, field: number): ValueId => {
        const [column, type] = [byField[field], readings[field]?.plain];
        if (column === undefined) return 0;
        const quick = type && quickValue(bytes, start, end, type, dictionary);
        if (quick !== undefined) return quick;
        if (!isUtf8(bytes.subarray(start, end))) throw notUtf8();
        const text = bytes.toString('utf8', start, end);
        const value = column.read(text);
        if (value === undefined) unreadable(column.to, text);
        return value ?? nullFor(column.to);
    };
    const flush = (bytes: Buffer, view: DataView, count: number): void => {
        if (count === 0) return;
        for (const text of texts) dictionary.utf8All(bytes, view, starts, ids, hashes, text, text + count);
        complete(values, count);
    };
    return (bytes, view, from, end) => {
        let at = from;
        let row = 0;
        for (let next = endOfRow(view, at, end); next > at; next = endOfRow(view, at, end)) {
            if (view.getUint16(at + HEAD - 2) !== width) throw broken();
            let i = at + HEAD;
            for (let field = 0; field < width; field++) {
                const length = view.getInt32(i);
                const start = i + LENGTH;
                i = start + Math.max(0, length);
                if (i > next) throw broken();
                const kind = kinds[field];
                if (kind === SKIPPED) continue;
                const place = (places[field] ?? 0) + row;
                starts[place] = NO_START;
                if (length < 0) ids[place] = nullFor((place / ROWS) | 0);
                else if (kind === TEXT && length < LONG) {
                    const whole = start + (length & -4);
                    let hash = TEXT_SEED;
                    let bits = 0;
                    let k = start;
                    for (; k < whole; k += 4) {
                        const word = view.getInt32(k, true);
                        hash = textHashStep(hash, word);
                        bits |= word;
                    }
                    if (k < i) {
                        const word = view.getInt32(k, true) & ((1 << ((i - k) * 8)) - 1);
                        hash = textHashStep(hash, word);
                        bits |= word;
                    }
                    if ((bits & BEYOND_ASCII) !== 0 && invalidUtf8(bytes, start, i) >= 0) throw notUtf8();
                    starts[place] = start;
                    ids[place] = length;
                    hashes[place] = textHash(hash, length);
                } else {
                    const value = kind === INTEGER ? smallDigits(bytes, start, i) : NOT_SMALL;
                    ids[place] = value === NOT_SMALL ? readCell(bytes, start, i, field) : smallInteger(value);
                }
            }
            if (i !== next) throw broken();
            at = next;
            if (++row < ROWS) continue;
            flush(bytes, view, row);
            row = 0;
        }
        flush(bytes, view, row);
        return at;
    };
}

/** How a column is read: its texts and small integers by the loop itself, others where they are written as most are. */
interface Reading {
    readonly kind: number;
    readonly plain?: Type;
}

const [SKIPPED, TEXT, INTEGER, OTHER] = [0, 1, 2, 3] as const;
const LONG_INTEGER: Type = { kind: 'long' };
const DOUBLE: Type = { kind: 'double' };

function readingOf({ form }: Field, column: Column | undefined): Reading {
    const cast = column?.cast && column.type.kind !== 'mixed' && column.type.kind !== 'unknown' ? column.type : undefined;
    switch (form.kind) {
        case 'text':
            return { kind: cast === undefined || cast.kind === 'string' ? TEXT : OTHER };
        case 'integer':
            if (cast === undefined || cast.kind === 'int' || cast.kind === 'long') return { kind: INTEGER, plain: cast ?? LONG_INTEGER };
            break;
        case 'decimal':
            if (cast === undefined || cast.kind === 'double') return { kind: OTHER, plain: DOUBLE };
            break;
        case 'boolean':
        case 'date':
        case 'timestamp':
            if (cast === undefined || cast.kind === form.kind) return { kind: OTHER, plain: { kind: form.kind } };
            break;
        default:
            break;
    }
    return { kind: OTHER };
}

/** What `smallDigits` gives for what it does not read. */
const NOT_SMALL = 2 ** 31 - 1;

/** The value of up to nine digits with an optional minus. */
function smallDigits(bytes: Uint8Array, start: number, end: number): number {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    if (end === first || end - first > DIGITS) return NOT_SMALL;
    let value = 0;
    for (let at = first; at < end; at++) {
        const digit = (bytes[at] ?? 0) - ZERO;
        if (digit < 0 || digit > 9) return NOT_SMALL;
        value = value * 10 + digit;
    }
    return isNegative ? -value : value;
}

/** The value of a cell in the form that nearly all have; undefined for another one. */
function quickValue(bytes: Uint8Array, start: number, end: number, type: Type, dictionary: Dictionary): ValueId | undefined {
    const last = bytes[end - 1];
    if (type.kind === 'boolean') return end - start !== 1 ? undefined : last === LETTER_T ? TRUE : last === LETTER_F ? FALSE : undefined;
    const isUtc = type.kind === 'timestamp' && last === ZERO && bytes[end - 2] === ZERO && bytes[end - 3] === PLUS;
    return plainValue(bytes, start, isUtc ? end - 3 : end, type, dictionary);
}
