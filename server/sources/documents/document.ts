import type { ForeignKey, FoundColumn } from '../surveys/found-table.ts';

/** What a file shows somebody who reads it. */
export interface ReadDocument {
    /** Of the file, without its folder. */
    readonly name: string;
    readonly lines: readonly DocumentLine[];
    /** What only shows as a picture: an image, or pages without text. */
    readonly pictures: readonly DocumentPicture[];
}

export interface DocumentLine {
    /** From 1; undefined in a text, which has no pages. */
    readonly page: number | undefined;
    /** From 1, in its page. */
    readonly line: number;
    readonly text: string;
}

export interface DocumentPicture {
    /** From 1; undefined for an image. */
    readonly page: number | undefined;
    /** `image/png` */
    readonly type: string;
    readonly bytes: Uint8Array;
}

/** The types that columns of a document have, as the platform calls them; models write them in lower case. */
export const DOCUMENT_COLUMN_TYPES = ['INT', 'DOUBLE', 'STRING', 'BOOLEAN', 'DATE', 'DATETIME'] as const;
export type DocumentColumnType = (typeof DOCUMENT_COLUMN_TYPES)[number];

/** A table that is looked for in a document. */
export interface DocumentTable {
    readonly name: string;
    readonly columns: readonly (FoundColumn & { readonly type: DocumentColumnType })[];
    readonly foreignKeys: readonly ForeignKey[];
}
