import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { type ReportContext, report, stop } from '../reports/reports.ts';
import type { ValueId } from '../values/value-id.ts';
import { type ColumnPlan, columnPlan } from './column-plan.ts';
import { CsvBatches } from './csv-batches.ts';
import { type CellEvents, COLUMN_LIMIT, CsvCells } from './csv-cells.ts';
import type { CsvOptions } from './csv-options.ts';
import { cellKind, cellText, cellValue, SKIPPED, TEXT } from './csv-values.ts';
import { nullMaker, RowFaults } from './row-faults.ts';
import type { ByteReader, RowTarget } from './source.ts';
import { partFill, partPlan, type TablePart } from './table-part.ts';
import { unpackedBytes } from './unpacked-bytes.ts';
import { invalidUtf8, utf8Reader } from './utf8-reader.ts';

/** One CSV text and what a run knows about it. */
export interface CsvInput {
    readonly bytes: ByteReader;
    /** The name that reports give the text. */
    readonly file: string;
    readonly options: CsvOptions;
    readonly predicate: string;
    /** The place that names the source; reports about its rows name the row instead. */
    readonly context?: ReportContext;
    /** Bytes read at a time. */
    readonly windowSize?: number;
    /** Only the front of the text is looked at. */
    readonly isFront?: boolean;
    /** It is one of many files of a table, which reports what is wrong with the rows of all. */
    readonly part?: TablePart;
}

const encoder = new TextEncoder();

/**
 * Reads all rows into the target: strings go from bytes to the dictionary without becoming JavaScript strings, and
 * nothing is allocated per row. Unreadable text ends the run with RT064; ragged rows, failed casts and text behind closing quotes are reported once.
 */
export function readCsv(input: CsvInput, target: RowTarget): void {
    const reading = beginCsv(input, target);
    if (reading === undefined) return;
    reading.read();
    reading.end();
}

/** A text whose header is known. */
export interface CsvReading {
    readonly plan: ColumnPlan;
    /** Reads the rows behind the header, or those of bytes that begin in a line; returns the line that follows them. */
    read(bytes?: ByteReader, line?: number): number;
    /** Tells what is wrong with the rows. */
    end(): void;
}

/** Reads the header of a text; undefined where it has none and should. */
export function beginCsv(input: CsvInput, target: RowTarget): CsvReading | undefined {
    const { options, part } = input;
    const checkpoint = (): void => target.checkpoint();
    const first = openCells(input, checkpoint);
    const header = options.useHeaders ? readHeader(first, input) : undefined;
    if (options.useHeaders && header === undefined) return undefined;

    const plan = part === undefined ? columnPlan(target.columns, header, input) : partPlan(part, header, input);
    const nulls = nullMaker(input, options.sameNull, target.dictionary);
    const nullFor = part === undefined ? nulls : partFill(part, target, nulls);
    const faults = part?.faults ?? new RowFaults(input, target.columns);
    const layout = { plan, nullFor, faults, invalid: (cells: CsvCells) => refuseBytes(cells, input) };
    const loose = { count: 0, line: 0 };
    return {
        plan,
        read: (bytes, line = 1) => {
            const cells = bytes === undefined ? first : new CsvCells(bytes, options, cellEvents(input, checkpoint), input.windowSize, line);
            readRows(cells, input, layout, target);
            if (loose.count === 0) loose.line = cells.loose.line;
            loose.count += cells.loose.count;
            return cells.nextLine;
        },
        end: () => {
            if (part === undefined) for (const found of faults.reports(plan.expected)) target.report(found);
            if (loose.count > 0) target.report(report('RT073', { source: { file: input.file, line: loose.line } }, loose.count));
            target.checkpoint();
        },
    };
}

interface RecordLayout {
    readonly plan: ColumnPlan;
    readonly faults: Pick<RowFaults, 'unreadable' | 'padded' | 'cut'>;
    nullFor(column: number): ValueId;
    /** Called for a cell that is not UTF-8. */
    invalid(cells: CsvCells): never;
}

/** Reads all rows of these cells. */
export function readRows(
    cells: CsvCells,
    input: Pick<CsvInput, 'file' | 'options' | 'context'>,
    layout: RecordLayout,
    target: RowTarget,
): void {
    const { plan, nullFor } = layout;
    const batches = CsvBatches.of(cells, { plan, options: input.options, nullFor }, target);
    const readRecord = recordReader(cells, input, layout, target);
    do batches?.read();
    while (readRecord());
}

/** Reads the next record cell by cell, whatever it holds; false where there is none. */
function recordReader(
    cells: CsvCells,
    input: Pick<CsvInput, 'file' | 'options' | 'context'>,
    { plan, faults, nullFor, invalid }: RecordLayout,
    target: RowTarget,
): () => boolean {
    const { dictionary, columns } = target;
    const width = plan.targets.length;
    const kinds = Uint8Array.from(plan.targets, at => (at < 0 ? SKIPPED : cellKind(columns[at]!)));
    const nullBytes = encoder.encode(input.options.nullString);
    const isNull = (): boolean => {
        for (let i = 0; i < nullBytes.length; i++) if (cells.bytes[cells.from + i] !== nullBytes[i]) return false;
        return !cells.quoted;
    };
    const row = new Int32Array(columns.length);

    return () => {
        if (!cells.next()) return false;
        const { line } = cells;
        let column = 0;
        for (;;) {
            if (cells.beyondAscii && !isUtf8Cell(cells)) invalid(cells);
            if (column < width && kinds[column] !== SKIPPED) {
                const { bytes, from, to } = cells;
                const at = plan.targets[column]!;
                if (to - from === nullBytes.length && isNull()) {
                    row[at] = nullFor(at);
                } else if (kinds[column] === TEXT) {
                    row[at] = dictionary.utf8(bytes, from, to);
                } else {
                    const id = cellValue(bytes, from, to, columns[at]!, dictionary, input.options.numbers);
                    if (id === undefined) faults.unreadable(at, cells.line, () => cellText(bytes, from, to));
                    row[at] = id ?? nullFor(at);
                }
            }
            column++;
            if (cells.endsRecord) break;
            if (column >= COLUMN_LIMIT) fail(input, say`has a row of more than ${countText(COLUMN_LIMIT)} columns`, line);
            cells.next();
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
        return true;
    };
}

/** The cells of a CSV text, whatever its encoding. */
export function openCells(input: Omit<CsvInput, 'predicate'>, checkpoint: () => void): CsvCells {
    const { options, windowSize } = input;
    const cells = new CsvCells(openText(input), options, cellEvents(input, checkpoint), windowSize);
    if (options.namesDelimiter) while (cells.next() && !cells.endsRecord);
    return cells;
}

/** The text in UTF-8, whatever its encoding. */
export function openText({
    bytes,
    file,
    options,
    context = {},
    isFront = false,
}: Pick<CsvInput, 'bytes' | 'file' | 'context' | 'isFront'> & { readonly options: Pick<CsvOptions, 'packing' | 'encoding'> }): ByteReader {
    const { packing, encoding } = options;
    const text = packing === undefined ? bytes : unpackedBytes(bytes, packing, { file, context, isFront });
    return utf8Reader(text, encoding, file, context);
}

function cellEvents({ file, context = {} }: Pick<CsvInput, 'file' | 'context'>, checkpoint: () => void): CellEvents {
    return {
        fail: (reason, line) => stop('RT064', { ...context, source: { file, line } }, file, onLine(reason, line)),
        checkpoint,
    };
}

/** The cells of the next record as text without outer blanks, undefined where there is none. */
export function readHeader(cells: CsvCells, input: Pick<CsvInput, 'file' | 'context'>): string[] | undefined {
    const names: string[] = [];
    while (cells.next()) {
        const isBlank = names.length === 0 && cells.endsRecord && cells.from === cells.to && !cells.quoted;
        if (isBlank) continue;
        if (cells.beyondAscii) checkUtf8(cells, input);
        names.push(cellText(cells.bytes, cells.from, cells.to).trim());
        if (names.length > COLUMN_LIMIT) fail(input, say`has a row of more than ${countText(COLUMN_LIMIT)} columns`, cells.line);
        if (cells.endsRecord) return names;
    }
    return undefined;
}

/** Ends the run if the cell is not UTF-8. */
export function checkUtf8(cells: CsvCells, input: Pick<CsvInput, 'file' | 'context'>): void {
    if (!isUtf8Cell(cells)) refuseBytes(cells, input);
}

function isUtf8Cell({ bytes, from, to }: CsvCells): boolean {
    return invalidUtf8(bytes, from, to) < 0;
}

function refuseBytes({ bytes, from, to, line }: CsvCells, input: Pick<CsvInput, 'file' | 'context'>): never {
    const at = invalidUtf8(bytes, from, to);
    const codes = Array.from(bytes.subarray(at, Math.min(at + 4, to)), byte => byte.toString(16).padStart(2, '0'));
    const reason = say`is not UTF-8: the bytes ${codes.join(' ')} have no meaning; name the encoding of the file with encoding='…'`;
    return fail(input, reason, line);
}

function fail({ file, context }: Pick<CsvInput, 'file' | 'context'>, reason: string, line: number): never {
    stop('RT064', { ...context, source: { file, line } }, file, onLine(reason, line));
}

function onLine(reason: string, line: number): string {
    return say`${reason} (line ${countText(line)})`;
}
