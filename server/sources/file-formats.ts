import type { FileType } from '#language/library/connected-sources.ts';
import { BINARY_FILES } from './binary-file.ts';
import type { FileFormat } from './bound-file.ts';
import { CSV_FILES } from './csv-file.ts';
import { EXCEL_FILES } from './excel/excel-file.ts';
import { JSON_FILES } from './json-file.ts';
import { PARQUET_FILES } from './parquet-file.ts';
import { TEXT_FILES } from './text-file.ts';

/** What the files of each connected type hold. */
export const FILE_FORMATS = {
    csv: CSV_FILES,
    json: JSON_FILES,
    parquet: PARQUET_FILES,
    excel: EXCEL_FILES,
    text: TEXT_FILES,
    binary: BINARY_FILES,
} as const satisfies Readonly<Record<FileType, FileFormat>>;
