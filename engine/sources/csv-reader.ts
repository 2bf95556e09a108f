import type { Column } from '#language/program/analysed-program.ts';
import { type Report, type ReportContext, report, stop } from '../reports.ts';
import { castText } from '../values/cast.ts';
import type { Dictionary, ValueId } from '../values/dictionary.ts';
import { COLUMN_LIMIT, CsvCells } from './csv-cells.ts';
import { columnPlan } from './csv-columns.ts';
import type { CsvOptions } from './csv-options.ts';
import { invalidUtf8, utf8Reader } from './csv-text.ts';
import type { ByteReader, RowTarget } from './source.ts';

/** One CSV text and what a run knows about it. */
export interface CsvInput {
    readonly bytes: ByteReader;
    /** The name that reports give the text. */
    readonly file: string;
    readonly options: CsvOptions;
    readonly predicate: string;
    /** Names of source columns by position of the predicate, from `@mapping`; they count where the source has headers. */
    readonly mappedNames?: ReadonlyMap<number, string>;
    /** Where the source is named; reports about its rows name the row instead. */
    readonly context?: ReportContext;
    /** Bytes read at a time. */
    readonly windowSize?: number;
}

/** How the cells of a column become values. */
const [TEXT, INTEGER, DECIMAL, CAST, SKIPPED] = [0, 1, 2, 3, 4] as const;

const NO_VALUE = Number.NaN;
const DIGITS_EXACT = 15;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const MINUS = 0x2d;
const POINT = 0x2e;
const SHOWN = 40;

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

    const plan = columnPlan(columns.length, header, input);
    const width = plan.targets.length;
    const kinds = Uint8Array.from(plan.targets, at => (at < 0 ? SKIPPED : kindOf(columns[at]!)));
    const nullBytes = encoder.encode(options.nullString);
    const nullFirst = nullBytes[0];
    const isNull = (): boolean => {
        for (let i = 0; i < nullBytes.length; i++) if (cells.bytes[cells.from + i] !== nullBytes[i]) return false;
        return true;
    };
    const nullFor = nullMaker(input, dictionary);
    const failures = columns.map((): CastFailures => ({ count: 0, example: '', line: 0 }));
    const ragged = { few: 0, fewLine: 0, many: 0, manyLine: 0 };
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
                if (id === undefined) countFailure(failures[at]!, cells);
                row[at] = id ?? nullFor(at);
            }
        }
        column++;
        if (!cells.endsRecord) {
            if (column >= COLUMN_LIMIT) fail(input, `has a row of more than ${COLUMN_LIMIT.toLocaleString('en-US')} columns`, line);
            continue;
        }
        if (column < plan.expected && ragged.few++ === 0) ragged.fewLine = line;
        if (column > plan.expected && plan.cutsMore && ragged.many++ === 0) ragged.manyLine = line;
        for (; column < width; column++) {
            const at = plan.targets[column]!;
            if (at >= 0) row[at] = nullFor(at);
        }
        for (const at of plan.absent) row[at] = nullFor(at);
        for (const [from, to] of plan.copies) row[to] = row[from]!;
        target.add(row, line);
        column = 0;
    }
    for (const found of raggedReports(input, ragged, plan.expected)) target.report(found);
    for (const found of castReports(input, failures, columns)) target.report(found);
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
        if (names.length > COLUMN_LIMIT) fail(input, `has a row of more than ${COLUMN_LIMIT.toLocaleString('en-US')} columns`, cells.line);
        if (cells.endsRecord) return names;
    }
    return undefined;
}

function fail({ file, context }: Pick<CsvInput, 'file' | 'context'>, reason: string, line: number): never {
    stop('RT064', { ...context, source: { file, line } }, file, onLine(reason, line));
}

function onLine(reason: string, line: number): string {
    return `${reason} (line ${line.toLocaleString('en-US')})`;
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
    return castText(dictionary, cellText(cells), column.type);
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

function cellText({ bytes, from, to }: CsvCells): string {
    return decoder.decode(bytes.subarray(from, to));
}

/** The id of the null that stands in a column: its own for each cell, or one for all. */
function nullMaker({ file, predicate, options }: CsvInput, dictionary: Dictionary): (column: number) => ValueId {
    if (options.sameNull) return column => dictionary.labelledNull(`${predicate}[${column}]`, [], false);
    return () => dictionary.freshNull(file);
}

interface CastFailures {
    count: number;
    example: string;
    line: number;
}

function countFailure(failures: CastFailures, cells: CsvCells): void {
    if (failures.count++ > 0) return;
    const text = cellText(cells);
    failures.example = `'${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}'`;
    failures.line = cells.line;
}

function* castReports({ file, predicate }: CsvInput, failures: readonly CastFailures[], columns: readonly Column[]): Iterable<Report> {
    for (const [at, { count, example, line }] of failures.entries()) {
        const { type, name } = columns[at]!;
        if (count > 0) yield report('RT021', { source: { file, line } }, count, type.kind, name, predicate, example);
    }
}

function* raggedReports(
    { file }: CsvInput,
    ragged: { few: number; fewLine: number; many: number; manyLine: number },
    expected: number,
): Iterable<Report> {
    if (ragged.few > 0) yield report('RT071', { source: { file, line: ragged.fewLine } }, ragged.few, 'few', expected);
    if (ragged.many > 0) yield report('RT071', { source: { file, line: ragged.manyLine } }, ragged.many, 'many', expected);
}

function shownBytes({ bytes, from, to }: CsvCells): string {
    const at = invalidUtf8(bytes, from, to);
    const codes = Array.from(bytes.subarray(at, Math.min(at + 4, to)), byte => byte.toString(16).padStart(2, '0'));
    return `the bytes ${codes.join(' ')} have no meaning; name the encoding of the file with encoding='…'`;
}
