import type { ExportFormat } from '#server/protocol/result-formats.ts';

/** Requests of the page to the worker that writes rows to a file, and its answers. */
export interface ExportMethods {
    readonly open: {
        readonly params: { readonly name: string; readonly columns: readonly string[]; readonly types: readonly string[] };
        readonly result: null;
    };
    /** Further rows, as JSON. */
    readonly give: { readonly params: string; readonly result: null };
    /** The file with all of them. */
    readonly write: { readonly params: ExportFormat; readonly result: { readonly rows: number; readonly file: Blob } };
}
