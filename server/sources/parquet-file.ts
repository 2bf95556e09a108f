import { stop } from '#engine/reports/reports.ts';
import type { ColumnRequest } from '#engine/sources/column-plan.ts';
import { type ParquetFooter, readParquetFooter } from '#engine/sources/parquet-footer.ts';
import { type SourceOptions, sourceOptions } from '#engine/sources/source-options.ts';
import { type TableColumns, tableColumns } from '#engine/sources/table-part.ts';
import { textOf } from '#engine/values/text.ts';
import { CONNECTED_SOURCES } from '#language/library/connected-sources.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { join, MIXED, printType, type Type } from '#language/program/types.ts';
import { writeParquet } from '#server/compute/parquet-writer.ts';
import { nodeFiles, type OpenedFile, openGranted } from '#server/files/open-granted.ts';
import { type BoundFile, type FileReading, type FileWriting, readableTarget, withFile } from './bound-file.ts';
import { chosenSchema, type FileEndings, type FilePart, fileParts } from './file-parts.ts';
import { firstTexts, footerOf, inWords, partReader, withDatabase } from './parquet-rows.ts';

/** Files that are open at a time. */
const OPEN_FILES = 200;
const PARQUET_NAMES: FileEndings = { ...CONNECTED_SOURCES.parquet, haveAllColumns: false };

export const PARQUET_FILES: FileReading & FileWriting = {
    verify: file => {
        const options = optionsOf(file);
        if (file.bind.direction === 'output') compressionOf(file);
        else chosenBy(options);
    },
    load: async (file, target) => {
        const options = optionsOf(file);
        const parts = partsOf(file);
        const table = tableOf(parts);
        const reader = partReader(file, table, { options: chosenBy(options), sameNull: options.sameNull() }, target);
        for (let from = 0; from < parts.length; from += OPEN_FILES) await reader.read(parts.slice(from, from + OPEN_FILES));
        reader.end();
    },
    many: PARQUET_NAMES,
    peek: file => chosenSchema(file, tableOf(partsOf(file)), chosenBy(optionsOf(file))),
    texts: async (file, records) => {
        const [first] = partsOf(file);
        // Editors look at the front of a file, and do not load what reads it.
        return first === undefined || file.access.files !== nodeFiles ? new Map() : firstTexts(first.file, records);
    },
    survey: ({ withBytes, name }) => {
        const { columns, rows } = withBytes(bytes => readParquetFooter(bytes, reason => stop('RT064', {}, name, reason)));
        return [{ names: columns.map(column => column.name), types: columns.map(column => column.type ?? MIXED), rows }];
    },
    write: async (file, rows, { handle, appends, checkpoint }) => {
        const compression = compressionOf(file);
        const context = file.access.report;
        const unfit = (row: number, column: number): never => {
            const name = rows.columns[column]?.name ?? '';
            const value = textOf(rows.dictionary, rows.at(row, column), MIXED, String);
            return stop(
                'RT064',
                context,
                file.shown,
                say`cannot be written: ${value} in column '${name}' of row ${row + 1} is no exact double`,
            );
        };
        const write = async (existing?: OpenedFile): Promise<void> => {
            if (existing !== undefined) sameColumns(footerOf(existing, file), rows.columns, file);
            const paths = existing === undefined ? [handle] : [handle, existing.handle];
            await inWords(file, say`cannot be written`, () =>
                withDatabase(paths, database => {
                    const target = { path: handle, compression, unfit, ...(existing !== undefined && { existing: existing.handle }) };
                    return writeParquet(database, rows, target, checkpoint);
                }),
            );
        };
        if (!appends) return write();
        const source = readableTarget(file);
        const existing = openGranted(source.path, source.access);
        try {
            await write(existing);
        } finally {
            existing.close();
        }
    },
};

function partsOf(file: BoundFile): readonly FilePart[] {
    return fileParts(file, PARQUET_NAMES) ?? [{ file, folders: new Map() }];
}

/** Columns of the first file; all files say of which type they are. */
function tableOf(parts: readonly FilePart[]): TableColumns {
    const files = parts.map(({ file, folders }) => {
        const { columns } = withFile(file, bytes => footerOf(bytes, file));
        return { names: columns.map(({ name }) => name), types: columns.map(({ type }) => type), folders };
    });
    return tableColumns(files, { ofAll: PARQUET_NAMES.haveAllColumns, areTexts: false });
}

/** Rows are added to a file that has their columns. */
function sameColumns({ columns: found }: ParquetFooter, columns: readonly Column[], { access, shown }: BoundFile): void {
    const words = (list: readonly { readonly name: string; readonly type: Type | undefined }[]): string =>
        list.map(({ name, type }) => `'${name}' (${type === undefined ? say`of another kind` : printType(type)})`).join(', ');
    const isSame = found.length === columns.length && found.every(({ name, type }, at) => fits(name, type, columns[at]));
    if (!isSame)
        stop('RT064', access.report, shown, say`has other columns, so that no rows can be added: ${words(found)}, not ${words(columns)}`);
}

function fits(name: string, type: Type | undefined, column: Column | undefined): boolean {
    if (column === undefined || column.name !== name || type === undefined) return false;
    return column.type.kind === 'mixed' || join(type, column.type).kind !== 'mixed';
}

const COMPRESSIONS = ['snappy', 'gzip', 'zstd', 'lz4'];

function compressionOf(file: BoundFile): string {
    const options = optionsOf(file);
    const word = options.text('compression')?.trim().toLowerCase() ?? 'snappy';
    if (word === 'none' || word === 'uncompressed') return 'uncompressed';
    return (
        COMPRESSIONS.find(known => known === word) ??
        options.refuse('compression', say`write one of ${['none', ...COMPRESSIONS].join(', ')}`)
    );
}

function optionsOf({ bind, shown, access }: BoundFile): SourceOptions {
    return sourceOptions(bind.options, shown, access.report);
}

function chosenBy(options: SourceOptions): ColumnRequest['options'] {
    const selectedColumns = options.selectedColumns();
    return selectedColumns === undefined ? {} : { selectedColumns };
}
