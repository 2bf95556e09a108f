import { isUtf8 } from 'node:buffer';
import type { RowTarget } from '#engine/sources/source.ts';
import { hashOfText, textHash } from '#engine/values/string-store.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { CellReader } from './cell-values.ts';
import type { Field } from './session.ts';

/** Rows of a piece. */
const ROWS = 1024;
/** Bytes that a piece has room for from the beginning. */
const SIZE = 1 << 17;
/** Bytes behind a text that may be read with it. */
const BEHIND = 4;
/** Longer texts are admitted one by one. */
const LONG = 1 << 16;

/** A column that is read: the field of the lines, the column it goes to, and what its texts are there. */
export interface CopiedColumn {
    readonly field: Field;
    readonly to: number;
    readonly read: CellReader;
}

/** A column with the values of a piece; of texts, where each begins, its length for its value, and its hash. */
interface Cell extends CopiedColumn {
    readonly kind: CellKind;
    readonly values: Int32Array;
    readonly starts: Int32Array;
    readonly hashes: Int32Array;
}

interface Rows {
    readonly target: RowTarget;
    readonly nullFor: (column: number) => ValueId;
    readonly unreadable: (column: number, text: string) => void;
    /** Fills the other columns of so many rows, and hands them on. */
    readonly complete: (columns: readonly Int32Array[], count: number) => void;
}

/**
 * Reads rows in the text format of PostgreSQL's COPY (https://www.postgresql.org/docs/current/sql-copy.html), in pieces: the texts of a column
 * become values together.
 */
export class CopiedRows {
    readonly #cells: readonly Cell[];
    readonly #columns: readonly Int32Array[];
    readonly #rows: Rows;
    #bytes = Buffer.alloc(SIZE);
    #view = viewOf(this.#bytes);
    #used = 0;
    #count = 0;

    constructor(columns: readonly CopiedColumn[], rows: Rows) {
        this.#rows = rows;
        this.#columns = rows.target.columns.map(() => new Int32Array(ROWS));
        this.#cells = columns.map(column => {
            const [into, values] = [rows.target.columns[column.to], this.#columns[column.to]];
            if (into === undefined || values === undefined) throw new RangeError(`There is no column ${column.to}`);
            return { ...column, kind: kindOf(column.field, into), values, starts: new Int32Array(ROWS), hashes: new Int32Array(ROWS) };
        });
    }

    /** Takes a row, with its line end. */
    add(line: Uint8Array): void {
        const needed = this.#used + line.length + BEHIND;
        if (needed > this.#bytes.length) this.#makeRoom(line.length + BEHIND);
        this.#bytes.set(line, this.#used);
        this.#split(this.#used + line.length);
        if (++this.#count === ROWS) this.flush();
    }

    /** Hands on what is there. Throws where the bytes are no UTF-8. */
    flush(): void {
        const { target, complete } = this.#rows;
        if (!isUtf8(this.#bytes.subarray(0, this.#used))) throw new SyntaxError(say`its texts are not of the encoding that it names`);
        for (const { kind, starts, values, hashes } of this.#cells)
            if (kind === 'text') target.dictionary.utf8All(this.#bytes, this.#view, starts, values, hashes, 0, this.#count);
        complete(this.#columns, this.#count);
        this.#count = 0;
        this.#used = 0;
    }

    #makeRoom(least: number): void {
        if (this.#count > 0) this.flush();
        if (least <= this.#bytes.length) return;
        this.#bytes = Buffer.alloc(2 * least);
        this.#view = viewOf(this.#bytes);
    }

    /** Finds the fields of the line that begins behind the bytes that are used, and puts their values, or where their texts are, into the columns. */
    #split(lineEnd: number): void {
        const bytes = this.#bytes;
        let at = this.#used;
        for (const cell of this.#cells) {
            const start = at;
            let isEscaped = false;
            for (; at < lineEnd; at++) {
                const byte = bytes[at];
                if (byte === TAB || byte === LF) break;
                if (byte !== BACKSLASH) continue;
                isEscaped = true;
                at++;
            }
            this.#put(cell, start, Math.min(at, lineEnd), isEscaped);
            at++;
        }
        this.#used = lineEnd;
    }

    #put({ to, read, kind, values, starts, hashes }: Cell, start: number, end: number, isEscaped: boolean): void {
        const { nullFor, unreadable, target } = this.#rows;
        const row = this.#count;
        starts[row] = -1;
        if (isEscaped && end - start === 2 && this.#bytes[start + 1] === BIG_N) {
            values[row] = nullFor(to);
            return;
        }
        if (kind === 'text' && !isEscaped && end - start < LONG) {
            starts[row] = start;
            values[row] = end - start;
            hashes[row] = textHash(hashOfText(this.#view, start, end), end - start);
            return;
        }
        const small = kind === 'integer' ? smallInteger(this.#bytes, start, end) : undefined;
        if (small !== undefined) {
            values[row] = target.dictionary.number(small);
            return;
        }
        const written = this.#bytes.toString('utf8', start, end);
        const text = isEscaped ? written.replace(/\\(.)/gsu, (_, sign: string) => ESCAPED[sign] ?? sign) : written;
        const value = read(text);
        if (value === undefined) unreadable(to, text);
        values[row] = value ?? nullFor(to);
    }
}

const TAB = 0x09;
const LF = 0x0a;
const BACKSLASH = 0x5c;
const BIG_N = 0x4e;
const MINUS = 0x2d;
const ZERO = 0x30;
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function viewOf(bytes: Uint8Array): DataView {
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Which values the bytes of a cell say without a text between. */
type CellKind = 'text' | 'integer' | 'other';

function kindOf({ form }: Field, { type, cast }: Column): CellKind {
    const isOpen = !cast || type.kind === 'mixed' || type.kind === 'unknown';
    if (form.kind === 'text' && (isOpen || type.kind === 'string')) return 'text';
    if (form.kind === 'integer' && (isOpen || type.kind === 'int' || type.kind === 'long')) return 'integer';
    return 'other';
}

/** Any number of so many digits has 32 bits. */
const DIGITS = 9;

function smallInteger(bytes: Uint8Array, start: number, end: number): number | undefined {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    if (end === first || end - first > DIGITS) return undefined;
    let value = 0;
    for (let at = first; at < end; at++) {
        const digit = (bytes[at] ?? 0) - ZERO;
        if (digit < 0 || digit > 9) return undefined;
        value = value * 10 + digit;
    }
    return isNegative ? -value : value;
}

/** Pieces of lines with the rows of a table, each of about as many bytes as a socket takes at once. */
export function* copiedRows(count: number, columns: number, cell: (row: number, column: number) => string | null): Generator<Uint8Array> {
    let lines = '';
    for (let row = 0; row < count; row++) {
        for (let column = 0; column < columns; column++) {
            const text = cell(row, column);
            if (column > 0) lines += '\t';
            lines += text === null ? '\\N' : SPECIAL.test(text) ? escaped(text) : text;
        }
        lines += '\n';
        if (lines.length < PIECE) continue;
        yield Buffer.from(lines);
        lines = '';
    }
    if (lines !== '') yield Buffer.from(lines);
}

const PIECE = 1 << 16;
const SPECIAL = /[\\\n\r\t]/u;

function escaped(text: string): string {
    return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
