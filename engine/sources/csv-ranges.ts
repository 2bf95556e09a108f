import type { Column } from '#language/program/analysed-program.ts';
import { RunStopped } from '../reports/reports.ts';
import { Dictionary } from '../values/dictionary.ts';
import { buffersOf, type PackedValues, packValues, TakenValues } from '../values/packed-values.ts';
import { keepsLowestFirst } from '../values/string-store.ts';
import type { ValueId } from '../values/value-id.ts';
import type { ColumnPlan } from './column-plan.ts';
import { isPlainSign } from './csv-batches.ts';
import { CsvCells } from './csv-cells.ts';
import type { CsvOptions } from './csv-options.ts';
import { beginCsv, type CsvInput, readRows } from './csv-reader.ts';
import { nullMaker } from './row-faults.ts';
import type { SharedBlocks } from './shared-blocks.ts';
import type { ByteReader, RowTarget } from './source.ts';
import { isUtf8 } from './utf8-reader.ts';

/** Bytes of a range. What a row is part of depends on its place in the text alone, and not on who reads it. */
export const RANGE = 1 << 21;
/** Shorter texts are read in one piece. */
const LEAST_RANGES = 2;
const PIECE = 1 << 16;

/** A text whose bytes can be read at any place. */
export interface PlacedBytes {
    readonly size: number;
    /** Bytes of a range where they are others than `RANGE`. */
    readonly range?: number;
    readAt(into: Uint8Array, position: number): number;
}

/** The layout of a range for its reader, in a form that another thread can get. */
export interface RangeLayout {
    readonly file: string;
    readonly predicate: string;
    readonly options: CsvOptions;
    readonly columns: readonly Column[];
    readonly plan: ColumnPlan;
}

/** The rows of a range, and the values that its reader has not met before. */
export interface PackedRange {
    readonly values: PackedValues;
    /** Absent where the range holds anything but plain rows, which has to be told: then it is read again, in its turn. */
    readonly rows?: PackedRows;
}

export interface PackedRows {
    /** Ids of the reader, by column and row. */
    readonly columns: readonly Int32Array[];
    /** How many rows were added together, and the number of the first one's line from 0 on. */
    readonly counts: Int32Array;
    readonly lines: Int32Array;
    /** Lines of the whole range. */
    readonly lineCount: number;
}

/** Whether a text of so many bytes is read range by range: it is long enough, and each separator ends a record. */
export function hasRanges(options: CsvOptions, size: number): boolean {
    const { packing, encoding, multiline, delimiter, recordSeparator = '\n' } = options;
    if (size < LEAST_RANGES * RANGE || packing !== undefined || multiline || !keepsLowestFirst) return false;
    return isUtf8(encoding.toLowerCase()) && isPlainSign(delimiter) && isPlainSign(recordSeparator);
}

/** How many ranges a text has. */
export function rangeCount({ size, range = RANGE }: PlacedBytes): number {
    return Math.ceil(size / range);
}

/**
 * Reads a text range by range, if `hasRanges` holds for it. Rows, their order, ids and reports do not depend on which thread reads what.
 * Values get their ids in the order of the ranges, and within each as its reader met them.
 */
export async function readCsvRanges(
    input: Omit<CsvInput, 'bytes'>,
    bytes: PlacedBytes,
    target: RowTarget,
    shared: (layout: RangeLayout) => SharedBlocks<PackedRange> | undefined,
): Promise<void> {
    const { file, predicate, options } = input;
    const reading = beginCsv({ ...input, bytes: rangeBytes(bytes, 0, options) }, target);
    if (reading === undefined) return;
    const { plan } = reading;
    const ranges = rangeCount(bytes);
    const blocks = shared({ file, predicate, options, columns: target.columns, plan });
    const taken = new Map<number, TakenValues>();
    const nullOf = (name: string): ValueId =>
        options.sameNull ? target.dictionary.labelledNull(name, [], false) : target.dictionary.freshNull(name);
    const readHere = (range: number, line: number): number => reading.read(rangeBytes(bytes, range, options), line);
    try {
        let line = reading.read();
        for (let range = 1; range < ranges; range++) {
            const found = await blocks?.take(range, () => target.checkpoint());
            target.checkpoint();
            if (found === undefined) {
                line = readHere(range, line);
                continue;
            }
            const { values, rows } = found.result;
            const known = taken.get(found.thread) ?? new TakenValues(target.dictionary);
            taken.set(found.thread, known);
            if (rows === undefined) line = readHere(range, line);
            known.take(values, rows === undefined && !options.sameNull ? () => NOWHERE : nullOf);
            if (rows !== undefined) line += addRows(rows, line, known, target);
        }
    } finally {
        await blocks?.end();
    }
    reading.end();
}

/** The nulls of rows that were read again stand in no other row. */
const NOWHERE: ValueId = 0;

/** Adds packed rows to a target; returns how many lines they were read from. */
function addRows({ columns, counts, lines, lineCount }: PackedRows, line: number, known: TakenValues, target: RowTarget): number {
    for (const column of new Set(columns)) known.translate(column);
    let from = 0;
    for (const [i, count] of counts.entries()) {
        const part = columns.map(column => column.subarray(from, from + count));
        from += count;
        if (target.addRows !== undefined) target.addRows(part, count, line + lines[i]!);
        else
            for (let row = 0; row < count; row++)
                target.add(
                    Int32Array.from(part, column => column[row]!),
                    line + lines[i]! + row,
                );
    }
    return lineCount;
}

/** Reads ranges of a text for another thread, with a dictionary of its own. */
export class RangeReader {
    readonly #bytes: PlacedBytes;
    readonly #layout: RangeLayout;
    readonly #dictionary = new Dictionary();
    readonly #nullFor: (column: number) => ValueId;

    constructor(bytes: PlacedBytes, layout: RangeLayout) {
        this.#bytes = bytes;
        this.#layout = layout;
        this.#nullFor = nullMaker(layout, layout.options.sameNull, this.#dictionary);
    }

    read(range: number): PackedRange {
        const from = this.#dictionary.size;
        const rows = this.#rows(range);
        const values = packValues(this.#dictionary, from, this.#dictionary.size);
        if (values === undefined) throw new Error('a range has collections');
        return { values, ...(rows && { rows }) };
    }

    /** Undefined where some of it has to be told. */
    #rows(range: number): PackedRows | undefined {
        const { options, plan, columns } = this.#layout;
        const collected = new CollectedRows(columns.length);
        const target: RowTarget = {
            dictionary: this.#dictionary,
            columns,
            add: (row, line) => collected.add(row, line),
            addRows: (values, count, line) => collected.addRows(values, count, line),
            checkpoint: () => undefined,
            report: notPlain,
        };
        const cells = new CsvCells(
            rangeBytes(this.#bytes, range, options),
            options,
            { fail: notPlain, checkpoint: () => undefined },
            undefined,
            0,
        );
        const faults = { unreadable: notPlain, padded: notPlain, cut: notPlain };
        try {
            readRows(cells, this.#layout, { plan, nullFor: this.#nullFor, faults, invalid: notPlain }, target);
        } catch (error) {
            if (error instanceof NotPlain || error instanceof RunStopped) return undefined;
            throw error;
        }
        return cells.loose.count > 0 ? undefined : collected.rows(cells.nextLine);
    }
}

/** A range whose contents only a reader that knows its place can interpret. */
class NotPlain extends Error {}

function notPlain(): never {
    throw new NotPlain();
}

/** Rows as they come. */
class CollectedRows {
    readonly #columns: Int32Array[];
    #count = 0;
    readonly #counts: number[] = [];
    readonly #lines: number[] = [];
    readonly #single: Int32Array[];

    constructor(width: number) {
        this.#columns = Array.from({ length: width }, () => new Int32Array(PIECE));
        this.#single = Array.from({ length: width }, () => new Int32Array(1));
    }

    add(row: Int32Array, line: number): void {
        for (const [column, single] of this.#single.entries()) single[0] = row[column]!;
        this.addRows(this.#single, 1, line);
    }

    addRows(values: readonly Int32Array[], count: number, line: number): void {
        for (const [at, column] of this.#columns.entries()) {
            const fitting = this.#count + count <= column.length ? column : longer(column);
            this.#columns[at] = fitting;
            fitting.set(values[at]!.subarray(0, count), this.#count);
        }
        this.#count += count;
        this.#counts.push(count);
        this.#lines.push(line);
    }

    rows(lineCount: number): PackedRows {
        const columns = this.#columns.map(column => column.subarray(0, this.#count));
        return { columns, counts: Int32Array.from(this.#counts), lines: Int32Array.from(this.#lines), lineCount };
    }
}

function longer(column: Int32Array): Int32Array {
    const copy = new Int32Array(column.length * 2);
    copy.set(column);
    return copy;
}

/** The buffers of a range, which a message may take along. */
export function rangeBuffers({ values, rows }: PackedRange): ArrayBufferLike[] {
    return [...buffersOf(values), ...(rows === undefined ? [] : [...rows.columns, rows.counts, rows.lines].map(({ buffer }) => buffer))];
}

/** The records that begin in a range, whole. */
function rangeBytes(bytes: PlacedBytes, range: number, { recordSeparator = '\n' }: Pick<CsvOptions, 'recordSeparator'>): ByteReader {
    const separator = recordSeparator.charCodeAt(0);
    const { range: size = RANGE } = bytes;
    const end = recordAt(bytes, (range + 1) * size, separator);
    let at = range === 0 ? 0 : recordAt(bytes, range * size, separator);
    return {
        read: into => {
            const got = at < end ? bytes.readAt(into.subarray(0, Math.min(into.length, end - at)), at) : 0;
            at += got;
            return got;
        },
    };
}

/** Finds the start of the first record at or behind a place. */
function recordAt(bytes: PlacedBytes, place: number, separator: number): number {
    const piece = new Uint8Array(PIECE);
    for (let at = place - 1; at < bytes.size; ) {
        const got = bytes.readAt(piece, at);
        if (got === 0) break;
        const found = piece.subarray(0, got).indexOf(separator);
        if (found >= 0) return at + found + 1;
        at += got;
    }
    return bytes.size;
}
