import { stop } from '#engine/reports/reports.ts';
import { chosenColumns } from '#engine/sources/column-plan.ts';
import { csvColumns } from '#engine/sources/csv-columns.ts';
import { byteEncoding } from '#engine/sources/csv-encoding.ts';
import { csvLayout, endsWithCrLf } from '#engine/sources/csv-layout.ts';
import { type CsvOptions, csvOptions } from '#engine/sources/csv-options.ts';
import { peekCsv } from '#engine/sources/csv-peek.ts';
import { hasRanges, type PackedRange, type RangeLayout, RangeReader, rangeCount, readCsvRanges } from '#engine/sources/csv-ranges.ts';
import { type CsvInput, readCsv } from '#engine/sources/csv-reader.ts';
import { writeCsv } from '#engine/sources/csv-writer.ts';
import type { SharedBlocks } from '#engine/sources/shared-blocks.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import { type TableColumns, type TablePart, tableColumns } from '#engine/sources/table-part.ts';
import { CONNECTED_SOURCES, sourceOfFile } from '#language/library/connected-sources.ts';
import type { Column, SourceSchema } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { OpenedFile } from '#server/files/open-granted.ts';
import { sharedBlocks } from '#server/team/shared-blocks.ts';
import { type BoundFile, copyLines, copyTarget, type FileFormat, readableTarget, verifyEncoding, withFile } from './bound-file.ts';
import type { MaybePromise } from './connector.ts';
import { chosenOf, type FileEndings, type FilePart, fileParts, partsReading } from './file-parts.ts';
import { writePacked } from './packed-target.ts';

const PEEKED = 1 << 16;
const encoder = new TextEncoder();
const CSV_NAMES: FileEndings = { ...CONNECTED_SOURCES.csv, haveAllColumns: false };

export const CSV_FILES: FileFormat = {
    verify: file => {
        const options = optionsOf(file);
        const { bind, shown, access } = file;
        verifyEncoding(file, options.encoding);
        if (bind.direction === 'input' && !options.useHeaders) chosenColumns(undefined, { file: shown, options, context: access.report });
    },
    many: CSV_NAMES,
    load: (file, target) => {
        const parts = fileParts(file, CSV_NAMES);
        if (parts === undefined) return readAlone(file, target);
        const seen = seenTable(parts, 0);
        if (seen === undefined) return undefined;
        const reading = partsReading(file, seen.table, optionsOf(file), target);
        for (const part of parts) readPart(part.file, target, reading.partOf(part));
        reading.end();
        return undefined;
    },
    peek: (file, records) => {
        const options = optionsOf(file);
        const parts = fileParts(file, CSV_NAMES);
        if (parts === undefined) return peekOne(file, options, records);
        const seen = seenTable(parts, records);
        return seen && { ...seen.schema, columns: chosenOf(file, seen.schema.columns, options) };
    },
    survey: ({ withBytes, name, options }, checkpoint) => {
        const given = withUsual(options, name);
        const file = { file: name, options: csvOptions(given, name, {}) };
        const laidOut = withBytes(bytes => csvLayout({ ...file, bytes }));
        const delimiter = given.has('delimiter') ? undefined : withBytes(bytes => peekCsv({ ...file, options: laidOut, bytes }))?.delimiter;
        const seen = delimiter === undefined ? laidOut : { ...laidOut, delimiter };
        const { numbers, ...table } = withBytes(bytes => csvColumns({ ...file, options: seen, bytes }, checkpoint));
        const found = Object.entries({ ...(delimiter !== undefined && { delimiter }), ...numbers });
        return [{ ...table, ...(found.length > 0 && { options: found }) }];
    },
    write: (file, rows, target) => {
        const given = optionsOf(file);
        const { packing, encoding } = given;
        const { shown, access } = file;
        return writePacked(packing, target, packed => {
            // Rows are added as those are written that are there.
            const options = packed.appends ? layoutOf(readableTarget(file), given) : given;
            const written = packed.appends ? withOwnLineEnds(readableTarget(file), options) : options;
            if (packed.appends) {
                requireSameColumns(file, options, rows.columns);
                const { recordSeparator = '\n' } = options;
                const encoded = (text: string): Uint8Array => byteEncoding(encoding, shown, access.report).encode(encoder.encode(text));
                if (recordSeparator.length > 1) copyTarget(file, packed, packing);
                else copyLines(file, packed, packing, encoded(recordSeparator), encoded(written.recordSeparator ?? recordSeparator));
            }
            const output = { options: written, file: shown, continues: packed.appends, context: access.report };
            writeCsv(rows, output, packed.write, packed.checkpoint);
        });
    },
};

/** The options, which end lines with CRLF if those of the file do. */
function withOwnLineEnds(file: BoundFile, options: CsvOptions): CsvOptions {
    if (options.recordSeparator !== undefined) return options;
    const isCrLf = withFile(file, bytes => endsWithCrLf({ bytes, file: file.shown, options, context: file.access.report }, true));
    return isCrLf ? { ...options, recordSeparator: '\r\n' } : options;
}

/** RT064 where rows of these columns would stand below others: with names of another order, or as many as no record of the file has. */
function requireSameColumns(file: BoundFile, options: CsvOptions, given: readonly Column[]): void {
    const { selectedColumns: _, ...whole } = options;
    const found = peekOne(readableTarget(file), whole, 0)?.columns.map(({ name }) => name);
    if (found === undefined) return;
    const names = given.map(({ name }) => name);
    const isOrdered = found.every((name, at) => name === undefined || name === names[at] || !names.includes(name));
    if (found.length === names.length && isOrdered) return;
    const listed = found.map((name, at) => name ?? say`column ${at + 1}`).join(', ');
    const reason = say`has other columns, so that no rows can be added: ${listed}, not ${names.join(', ')}`;
    stop('RT064', { ...file.access.report, source: { file: file.shown } }, file.shown, reason);
}

/** A long file is read by all threads of the run. */
function readAlone(file: BoundFile, target: RowTarget): MaybePromise<void> {
    return withFile(file, bytes => {
        const input = inputOf(file);
        return hasRanges(input.options, bytes.size)
            ? readCsvRanges(input, bytes, target, layout => sharedRanges(file, bytes, layout))
            : readCsv({ bytes, ...input }, target);
    });
}

function readPart(file: BoundFile, target: RowTarget, part: TablePart): void {
    withFile(file, bytes => readCsv({ bytes, ...inputOf(file), part }, target));
}

function inputOf(file: BoundFile): Omit<CsvInput, 'bytes'> {
    return { file: file.shown, options: layoutOf(file, optionsOf(file)), predicate: file.bind.predicate, context: file.access.report };
}

/** The options of a bind, with what the file says of its layout besides. */
function layoutOf(file: BoundFile, options: CsvOptions): CsvOptions {
    return withFile(file, bytes => csvLayout({ bytes, file: file.shown, options, context: file.access.report }));
}

function sharedRanges({ team }: BoundFile, bytes: OpenedFile, layout: RangeLayout): SharedBlocks<PackedRange> | undefined {
    if (team === undefined) return undefined;
    const own = new RangeReader(bytes, layout);
    const work = { kind: 'csv', descriptor: bytes.descriptor, size: bytes.size, layout } as const;
    return sharedBlocks(team, work, [1, rangeCount(bytes)], range => own.read(range));
}

function peekOne(file: BoundFile, options: CsvOptions, records: number): SourceSchema | undefined {
    const { shown, access } = file;
    const laidOut = layoutOf(file, options);
    return withFile(file, bytes => peekCsv({ bytes, file: shown, options: laidOut, context: access.report, windowSize: PEEKED }, records));
}

/** A table in many files, as the first of them with rows or a header shows it, with texts from so many of its records; undefined without such a file. */
function seenTable(
    parts: readonly FilePart[],
    records: number,
): { readonly table: TableColumns; readonly schema: SourceSchema } | undefined {
    for (const { file } of parts) {
        const { selectedColumns: _, ...options } = optionsOf(file);
        const first = peekOne(file, options, records);
        if (first === undefined) continue;
        const names = first.columns.map(({ name }, at) => name ?? `c${at}`);
        const files = parts.map(({ folders }, i) => ({ names: i === 0 ? names : [], types: [], folders }));
        const table = tableColumns(files, { ofAll: CSV_NAMES.haveAllColumns, areTexts: true });
        const isOfFolder = (name: string): boolean => table.names.includes(name, table.stored);
        const examples = (column: string): string[] => parts.flatMap(({ folders }) => folders.get(column) ?? []);
        const columns = [
            ...first.columns.filter((_column, at) => !isOfFolder(names[at] ?? '')),
            ...table.names.slice(table.stored).map(name => ({ name, ...(records > 0 && { examples: [...new Set(examples(name))] }) })),
        ];
        return { table, schema: { ...first, columns } };
    }
    return undefined;
}

function optionsOf({ bind, shown, access }: BoundFile): CsvOptions {
    return csvOptions(withUsual(bind.options, shown), shown, access.report);
}

/** Adds the options that the ending of a name stands for: cells of a `.tsv` file are separated by tabs if nothing else is said. */
function withUsual(options: ReadonlyMap<string, string>, name: string): ReadonlyMap<string, string> {
    const usual = sourceOfFile(name);
    return usual?.type === 'csv' ? new Map([...Object.entries(usual.options), ...options]) : options;
}
