import type { Column } from '#language/program/analysed-program.ts';
import type { NumberForm } from '#language/program/number-form.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { smallInteger } from '../values/dictionary.ts';
import { hashOfText, keepsLowestFirst, TEXT_SEED, textHash, textHashStep } from '../values/string-store.ts';
import type { ValueId } from '../values/value-id.ts';
import type { ColumnPlan } from './column-plan.ts';
import { CELL_LIMIT, COLUMN_LIMIT, type CsvCells } from './csv-cells.ts';
import type { CsvOptions } from './csv-options.ts';
import { CAST, cellKind, cellValue, INTEGER, isCollection, SKIPPED, TEXT } from './csv-values.ts';
import type { RowTarget } from './source.ts';
import { invalidUtf8 } from './utf8-reader.ts';

/** The layout of a text for a reader of batches. */
export interface BatchLayout {
    readonly plan: ColumnPlan;
    readonly options: Pick<CsvOptions, 'delimiter' | 'recordSeparator' | 'nullString' | 'numbers'>;
    nullFor(column: number): ValueId;
}

/** Rows that are read at a time. */
const ROWS = 1024;
/** The most digits that are surely a small integer. */
const SMALL_DIGITS = 9;
const NO_START = -1;

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;

/** A word has a zero byte where `(word - ONES) & ~word & HIGHS` is not zero; the lowest bit of that is in the first such byte (Mycroft 1987). */
const ONES = 0x01010101;
const HIGHS = 0x80808080 | 0;

const encoder = new TextEncoder();

/**
 * Reads rows as they mostly are, many at a time: separators of one byte, as many cells as there should be, no line break and
 * no doubled quote in a cell, values that read as the type of their column. Whatever is different is left to who reads cell
 * by cell, and so is what says so. One loop with all that it needs in local variables takes a third of the time of a call
 * per cell, and the strings of a column are looked up one after another.
 */
export class CsvBatches {
    readonly #cells: CsvCells;
    readonly #target: RowTarget;
    readonly #dictionary: Dictionary;
    readonly #columns: readonly Column[];
    readonly #nullFor: (column: number) => ValueId;
    readonly #targets: Int32Array;
    readonly #absent: readonly number[];
    /** By source column. */
    readonly #kinds: Uint8Array;
    readonly #expected: number;
    readonly #cutsMore: boolean;
    readonly #delimiter: number;
    readonly #separator: number;
    readonly #byLines: boolean;
    readonly #nullBytes: Uint8Array;
    readonly #numbers: NumberForm | undefined;
    /** Values by column of the predicate and row; of a text that has not been looked up, its length. */
    readonly #ids: Int32Array;
    readonly #starts: Int32Array;
    readonly #hashes: Int32Array;
    readonly #values: readonly Int32Array[];
    readonly #texts: readonly number[];
    readonly #nulls: Int32Array;

    /** Undefined for texts and columns that must be read cell by cell. */
    static of(cells: CsvCells, layout: BatchLayout, target: RowTarget): CsvBatches | undefined {
        const { delimiter, recordSeparator = '\n' } = layout.options;
        const isReadable = isPlainSign(delimiter) && isPlainSign(recordSeparator) && keepsLowestFirst;
        if (!isReadable || layout.plan.targets.length > layout.plan.expected) return undefined;
        if (target.columns.some(column => column.cast && isCollection(column.type))) return undefined;
        return new CsvBatches(cells, layout, target);
    }

    private constructor(cells: CsvCells, { plan, options, nullFor }: BatchLayout, target: RowTarget) {
        this.#cells = cells;
        this.#target = target;
        this.#dictionary = target.dictionary;
        this.#columns = target.columns;
        this.#nullFor = nullFor;
        this.#expected = plan.expected;
        this.#cutsMore = plan.cutsMore;
        this.#targets = new Int32Array(plan.expected).fill(-1);
        this.#targets.set(plan.targets);
        const mayBeNull = /^-?\d+$/.test(options.nullString);
        this.#kinds = Uint8Array.from(this.#targets, at => {
            const kind = at < 0 ? SKIPPED : cellKind(target.columns[at]!);
            return kind === INTEGER && mayBeNull ? CAST : kind;
        });
        this.#absent = plan.absent;
        this.#delimiter = options.delimiter.charCodeAt(0);
        this.#separator = options.recordSeparator?.charCodeAt(0) ?? LF;
        this.#byLines = options.recordSeparator === undefined;
        this.#numbers = options.numbers;
        this.#nullBytes = encoder.encode(options.nullString);
        const size = target.columns.length * ROWS;
        this.#ids = new Int32Array(size);
        this.#starts = new Int32Array(size);
        this.#hashes = new Int32Array(size);
        const values = target.columns.map((_, at) => this.#ids.subarray(at * ROWS, (at + 1) * ROWS));
        for (const [from, to] of plan.copies) values[to] = values[from]!;
        this.#values = values;
        this.#texts = [...this.#kinds.keys()].filter(at => this.#kinds[at] === TEXT).map(at => this.#targets[at]!);
        this.#nulls = new Int32Array(plan.expected);
    }

    /** Reads the next rows, from the start of a record to the first that must be read cell by cell or needs more input. */
    read(): void {
        while (this.#readBatch() === ROWS);
    }

    #readBatch(): number {
        const cells = this.#cells;
        const dictionary = this.#dictionary;
        const columns = this.#columns;
        const kinds = this.#kinds;
        const targets = this.#targets;
        const expected = this.#expected;
        const delimiter = this.#delimiter;
        const separator = this.#separator;
        const delimiters = Math.imul(delimiter, ONES);
        const separators = Math.imul(separator, ONES);
        const byLines = this.#byLines;
        const nullLength = this.#nullBytes.length;
        const nullFirst = this.#nullBytes[0];
        const ids = this.#ids;
        const starts = this.#starts;
        const hashes = this.#hashes;
        const { bytes, view, at, end } = cells.window;

        let limit = end;
        while (limit > at && bytes[limit - 1] !== separator) limit--;
        let i = at;
        let start = at;
        let row = 0;
        rows: for (; row < ROWS && start < limit; row++, start = i) {
            let byte = bytes[i]!;
            if (byte === separator || byte === CR) break;
            let nulls = 0;
            let column = 0;
            for (;;) {
                const kind = column < expected ? kinds[column]! : SKIPPED;
                const place = column < expected ? targets[column]! * ROWS + row : 0;
                let from = i;
                byte = bytes[i]!;
                if (kind === INTEGER) {
                    const isNegative = byte === MINUS;
                    if (isNegative) byte = bytes[++i]!;
                    const first = i;
                    let value = 0;
                    for (let digit = byte - ZERO; digit >>> 0 <= 9; digit = byte - ZERO) {
                        value = (Math.imul(value, 10) + digit) | 0;
                        byte = bytes[++i]!;
                    }
                    const digits = i - first;
                    if (byLines && byte === CR && bytes[i + 1] === LF) byte = bytes[++i]!;
                    if (digits > 0 && digits <= SMALL_DIGITS && (byte === delimiter || byte === separator)) {
                        ids[place] = smallInteger(isNegative ? -value : value);
                        i++;
                        column++;
                        if (byte === separator) break;
                        continue;
                    }
                    i = from;
                    byte = bytes[i]!;
                }
                const isQuoted = byte === QUOTE;
                if (isQuoted) from = ++i;
                const ends = isQuoted ? QUOTES : delimiters;
                let hash = TEXT_SEED;
                let bits = 0;
                for (;;) {
                    const word = view.getInt32(i, true);
                    const first = word ^ ends;
                    const second = word ^ separators;
                    const found = (((first - ONES) & ~first) | ((second - ONES) & ~second)) & HIGHS;
                    if (found === 0) {
                        hash = textHashStep(hash, word);
                        bits |= word;
                        i += 4;
                        continue;
                    }
                    const before = 31 - Math.clz32(found & -found);
                    if (before > 7) {
                        const part = word & ((1 << (before & 24)) - 1);
                        hash = textHashStep(hash, part);
                        bits |= part;
                        i += before >>> 3;
                    }
                    break;
                }
                let to = i;
                byte = bytes[i]!;
                if (isQuoted) {
                    if (byte !== QUOTE) break rows;
                    byte = bytes[++i]!;
                    if (byLines && byte === CR) byte = bytes[++i] === LF ? LF : QUOTE;
                    if (byte !== delimiter && byte !== separator) break rows;
                } else if (byLines && byte === separator && to > from && bytes[to - 1] === CR) {
                    to--;
                    hash = hashOfText(view, from, to);
                }
                i++;
                if (to - from > CELL_LIMIT || ((bits & HIGHS) !== 0 && invalidUtf8(bytes, from, to) >= 0)) break rows;
                if (kind !== SKIPPED) {
                    if (
                        !isQuoted &&
                        to - from === nullLength &&
                        (nullLength === 0 || (bytes[from] === nullFirst && this.#isNull(bytes, from)))
                    ) {
                        this.#nulls[nulls++] = targets[column]!;
                        starts[place] = NO_START;
                    } else if (kind === TEXT) {
                        starts[place] = from;
                        ids[place] = to - from;
                        hashes[place] = textHash(hash, to - from);
                    } else {
                        const id = cellValue(bytes, from, to, columns[targets[column]!]!, dictionary, this.#numbers);
                        if (id === undefined) break rows;
                        ids[place] = id;
                    }
                }
                column++;
                if (byte === separator) break;
                if (column >= COLUMN_LIMIT) break rows;
            }
            if (column < expected || (column > expected && this.#cutsMore)) break;
            for (let k = 0; k < nulls; k++) ids[this.#nulls[k]! * ROWS + row] = this.#nullFor(this.#nulls[k]!);
            for (const absent of this.#absent) ids[absent * ROWS + row] = this.#nullFor(absent);
        }
        if (row === 0) return 0;
        for (const text of this.#texts) dictionary.utf8All(bytes, view, starts, ids, hashes, text * ROWS, text * ROWS + row);
        const line = cells.nextLine;
        cells.skip(row, start);
        if (this.#target.addRows === undefined) this.#addRowByRow(row, line);
        else this.#target.addRows(this.#values, row, line);
        return row;
    }

    #addRowByRow(count: number, line: number): void {
        const row = new Int32Array(this.#values.length);
        for (let i = 0; i < count; i++) {
            for (let column = 0; column < row.length; column++) row[column] = this.#values[column]![i]!;
            this.#target.add(row, line + i);
        }
    }

    #isNull(bytes: Uint8Array, from: number): boolean {
        const nullBytes = this.#nullBytes;
        for (let i = 0; i < nullBytes.length; i++) if (bytes[from + i] !== nullBytes[i]) return false;
        return true;
    }
}

const QUOTES = Math.imul(QUOTE, ONES);

/** True for a single byte that occurs in no number and is not a quote. */
export function isPlainSign(sign: string): boolean {
    return sign.length === 1 && sign < '\x80' && !/[-.0-9"\r]/.test(sign);
}
