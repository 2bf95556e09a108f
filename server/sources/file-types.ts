import type { ConnectedType } from '#language/library/data-sources.ts';

/** The connected types whose sources are files of one format. */
const FILE_TYPES = ['csv', 'json', 'parquet', 'excel', 'text', 'binary'] as const satisfies readonly ConnectedType[];

export type FileType = (typeof FILE_TYPES)[number];

export function isFileType(type: string): type is FileType {
    return (FILE_TYPES as readonly string[]).includes(type);
}
