/** The error of a script, as data for services. */
export type ScriptFault =
    | { readonly kind: 'unavailable'; readonly reason: string }
    | { readonly kind: 'not-found' | 'no-main' | 'bad-result' }
    /** The keys of a row, counted from one, are not the columns of the head. */
    | { readonly kind: 'columns'; readonly row: number; readonly expected: readonly string[]; readonly actual: readonly string[] }
    | { readonly kind: 'failed'; readonly traceback: string };

/** The place and the details of a failure of a script, as users read them. */
export interface ShownFailure {
    readonly remedy?: string;
    /** The line of the script, one-based, in the file as people call it. */
    readonly source?: { readonly file: string; readonly line?: number };
    /** The same line, zero-based, in the file as the host calls it; UTF-16 offsets in the line. */
    readonly at?: { readonly file: string; readonly line: number; readonly start: number; readonly end: number };
    /** Lines of the traceback, and what the script has printed last. */
    readonly details?: readonly string[];
}
