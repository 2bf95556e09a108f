import type { FileType } from '#language/library/connected-sources.ts';
import type { FileFormat } from '#server/sources/bound-file.ts';
import { CSV_FILES } from '#server/sources/csv-file.ts';
import { EXCEL_FILES } from '#server/sources/excel/excel-file.ts';
import { JSON_FILES } from '#server/sources/json-file.ts';
import { PARQUET_FILES } from '#server/sources/parquet-file.ts';
import { TEXT_FILES } from '#server/sources/text-file.ts';

/** The formats of the files that a page in a browser reads. */
export const PAGE_FORMATS: Partial<Readonly<Record<FileType, FileFormat>>> = {
    csv: CSV_FILES,
    json: JSON_FILES,
    excel: EXCEL_FILES,
    parquet: PARQUET_FILES,
    text: TEXT_FILES,
};
