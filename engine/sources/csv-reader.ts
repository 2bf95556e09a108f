import type { Column } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import type { Type } from '#language/program/types.ts';
import { type ReportContext, stop } from '../reports.ts';
import { castText, castValue } from '../values/cast.ts';
import type { Dictionary, ValueId } from '../values/dictionary.ts';
import { columnPlan } from './column-plan.ts';
import { COLUMN_LIMIT, CsvCells } from './csv-cells.ts';
import type { CsvOptions } from './csv-options.ts';
import { nullMaker, RowFaults } from './row-faults.ts';
import type { ByteReader, RowTarget } from './source.ts';
import { invalidUtf8, utf8Reader } from './utf8-reader.ts';

/** One CSV text and what a run knows about it. */
export interface CsvInput {
    readonly bytes: ByteReader;
    /** The name that reports give the text. */
    readonly file: string;
    readonly options: CsvOptions;
    readonly predicate: string;
    /** Where the source is named; reports about its rows name the row instead. */
    readonly context?: ReportContext;
    /** Bytes read at a time. */
    readonly windowSize?: number;
}

/** How the cells of a column become values. */
const [TEXT, INTEGER, DECIMAL, CAST, SKIPPED] = [0, 1, 2, 3, 4] as const;

const STRING: Type = { kind: 'string' };
const NO_VALUE = Number.NaN;
const DIGITS_EXACT = 15;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const MINUS = 0x2d;
const POINT = 0x2e;

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Reads all rows into the target: strings go from bytes to the dictionary without becoming JavaScript strings, and
 * nothing is allocated per row. Unreadable text ends the run with RT064; ragged rows and failed casts are reported once.
 */
export function readCsv(input: CsvInput, target: RowTarget): void {
    const { options } = input;
    const { dictionary, columns } = target;
    const cells = openCells(input, () => target.checkpoint());
    const header = options.useHeaders ? readHeader(cells, input) : undefined;
    if (options.useHeaders && header === undefined) return;

    const plan = columnPlan(columns, header, input);
    const width = plan.targets.length;
    const kinds = Uint8Array.from(plan.targets, at => (at < 0 ? SKIPPED : kindOf(columns[at]!)));
    const nullBytes = encoder.encode(options.nullString);
    const nullFirst = nullBytes[0];
    const isNull = (): boolean => {
        for (let i = 0; i < nullBytes.length; i++) if (cells.bytes[cells.from + i] !== nullBytes[i]) return false;
        return true;
    };
    const nullFor = nullMaker(input, options.sameNull, dictionary);
    const faults = new RowFaults(input, columns);
    const row = new Int32Array(columns.length);
    let line = 0;
    let column = 0;

    while (cells.next()) {
        if (column === 0) line = cells.line;
        if (cells.beyondAscii && invalidUtf8(cells.bytes, cells.from, cells.to) >= 0) {
            fail(input, `is not UTF-8: ${shownBytes(cells)}`, cells.line);
        }
        if (column < width && kinds[column] !== SKIPPED) {
            const at = plan.targets[column]!;
            if (
                !cells.quoted &&
                cells.to - cells.from === nullBytes.length &&
                (nullFirst === undefined || (cells.bytes[cells.from] === nullFirst && isNull()))
            ) {
                row[at] = nullFor(at);
            } else if (kinds[column] === TEXT) {
                row[at] = dictionary.utf8Hashed(cells.bytes, cells.from, cells.to, cells.hash);
            } else {
                const id = typedValue(cells, kinds[column]!, columns[at]!, dictionary);
                if (id === undefined) faults.unreadable(at, cells.line, () => cellText(cells));
                row[at] = id ?? nullFor(at);
            }
        }
        column++;
        if (!cells.endsRecord) {
            if (column >= COLUMN_LIMIT) fail(input, `has a row of more than ${countText(COLUMN_LIMIT)} columns`, line);
            continue;
        }
        if (column < plan.expected) faults.padded(line);
        if (column > plan.expected && plan.cutsMore) faults.cut(line);
        for (; column < width; column++) {
            const at = plan.targets[column]!;
            if (at >= 0) row[at] = nullFor(at);
        }
        for (const at of plan.absent) row[at] = nullFor(at);
        for (const [from, to] of plan.copies) row[to] = row[from]!;
        target.add(row, line);
        column = 0;
    }
    for (const found of faults.reports(plan.expected)) target.report(found);
    target.checkpoint();
}

/** The cells of a CSV text, whatever its encoding. */
export function openCells(
    { bytes, file, options, context = {}, windowSize }: Omit<CsvInput, 'predicate'>,
    checkpoint: () => void,
): CsvCells {
    const events = {
        fail: (reason: string, line: number) => stop('RT064', { ...context, source: { file, line } }, file, onLine(reason, line)),
        checkpoint,
    };
    return new CsvCells(utf8Reader(bytes, options.encoding, file, context), options, events, windowSize);
}

/** The cells of the next record as text without outer blanks, undefined where there is none. */
export function readHeader(cells: CsvCells, input: Pick<CsvInput, 'file' | 'context'>): string[] | undefined {
    const names: string[] = [];
    while (cells.next()) {
        if (cells.beyondAscii && invalidUtf8(cells.bytes, cells.from, cells.to) >= 0)
            fail(input, `is not UTF-8: ${shownBytes(cells)}`, cells.line);
        names.push(cellText(cells).trim());
        if (names.length > COLUMN_LIMIT) fail(input, `has a row of more than ${countText(COLUMN_LIMIT)} columns`, cells.line);
        if (cells.endsRecord) return names;
    }
    return undefined;
}

function fail({ file, context }: Pick<CsvInput, 'file' | 'context'>, reason: string, line: number): never {
    stop('RT064', { ...context, source: { file, line } }, file, onLine(reason, line));
}

function onLine(reason: string, line: number): string {
    return `${reason} (line ${countText(line)})`;
}

function kindOf(column: Column): number {
    if (!column.cast) return TEXT;
    switch (column.type.kind) {
        case 'string':
        case 'json':
        case 'unknown':
        case 'mixed':
            return TEXT;
        case 'int':
        case 'long':
            return INTEGER;
        case 'double':
            return DECIMAL;
        default:
            return CAST;
    }
}

function typedValue(cells: CsvCells, kind: number, column: Column, dictionary: Dictionary): ValueId | undefined {
    const value = kind === INTEGER ? plainInteger(cells) : kind === DECIMAL ? plainDecimal(cells) : NO_VALUE;
    if (!Number.isNaN(value) && (kind === DECIMAL || (value >= -0x80000000 && value <= 0x7fffffff) || column.type.kind === 'long')) {
        return dictionary.number(value);
    }
    const text = cellText(cells);
    return isCollection(column.type)
        ? castValue(dictionary, dictionary.string(text), column.type, STRING)
        : castText(dictionary, text, column.type);
}

/** The value of digits with an optional minus, where a double holds it exactly; else NaN. */
function plainInteger({ bytes, from, to }: CsvCells): number {
    const isNegative = bytes[from] === MINUS;
    let i = isNegative ? from + 1 : from;
    if (i >= to || to - i > DIGITS_EXACT) return NO_VALUE;
    let value = 0;
    for (; i < to; i++) {
        const digit = bytes[i]! - 0x30;
        if (digit < 0 || digit > 9) return NO_VALUE;
        value = value * 10 + digit;
    }
    return isNegative ? -value : value;
}

/**
 * The value of digits with an optional minus and point, up to 15 in all; else NaN. Such a number is the quotient of two
 * exact doubles, which division rounds correctly (Clinger 1990, the fast path).
 */
function plainDecimal({ bytes, from, to }: CsvCells): number {
    const isNegative = bytes[from] === MINUS;
    let i = isNegative ? from + 1 : from;
    let digits = 0;
    let fraction = -1;
    let value = 0;
    for (; i < to; i++) {
        const byte = bytes[i]!;
        if (byte === POINT && fraction < 0) {
            fraction = 0;
            continue;
        }
        const digit = byte - 0x30;
        if (digit < 0 || digit > 9 || ++digits > DIGITS_EXACT) return NO_VALUE;
        value = value * 10 + digit;
        if (fraction >= 0) fraction++;
    }
    if (digits === 0) return NO_VALUE;
    const size = fraction > 0 ? value / POWERS_OF_TEN[fraction]! : value;
    return isNegative ? -size : size;
}

function isCollection({ kind }: Type): boolean {
    return kind === 'list' || kind === 'set' || kind === 'map' || kind === 'struct';
}

function cellText({ bytes, from, to }: CsvCells): string {
    return decoder.decode(bytes.subarray(from, to));
}

function shownBytes({ bytes, from, to }: CsvCells): string {
    const at = invalidUtf8(bytes, from, to);
    const codes = Array.from(bytes.subarray(at, Math.min(at + 4, to)), byte => byte.toString(16).padStart(2, '0'));
    return `the bytes ${codes.join(' ')} have no meaning; name the encoding of the file with encoding='…'`;
}
