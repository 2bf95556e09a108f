import type { TextRange } from '#language/document/open-document.ts';

export type CompletionKind =
    | 'predicate'
    | 'variable'
    | 'function'
    | 'aggregate'
    | 'relation-function'
    | 'annotation'
    | 'keyword'
    | 'parameter'
    | 'source'
    | 'option'
    | 'value'
    | 'directive'
    | 'type'
    | 'column'
    | 'table'
    | 'file'
    | 'folder'
    | 'library'
    | 'module';

/** A text to insert, with the parts of it that are meant to be typed over, in order. */
export interface Insertion {
    readonly text: string;
    readonly placeholders: readonly TextRange[];
}

export interface Completion {
    readonly label: string;
    readonly kind: CompletionKind;
    readonly insert: Insertion;
    /** Better ones are smaller; equal ones go by their labels. */
    readonly rank: number;
    readonly detail?: string;
    /** Markdown. */
    readonly documentation?: string;
    /** Another one should be chosen. */
    readonly deprecated?: boolean;
    /** Choosing it is usually followed by another choice: a folder, an option. */
    readonly continues?: boolean;
}

export interface Completions {
    /** The range that every item replaces. */
    readonly range: TextRange;
    /** In order. */
    readonly items: readonly Completion[];
    /** There were too many, or a source has not answered yet; more letters give others. */
    readonly incomplete: boolean;
}

export function plain(text: string): Insertion {
    return { text, placeholders: [] };
}

/** `name(A, B)` with a placeholder for each argument; `quote` stands around each of them. */
export function callInsertion(name: string, given: readonly string[], quote = ''): Insertion {
    let text = `${name}(`;
    const placeholders: TextRange[] = [];
    for (const [index, argument] of given.entries()) {
        if (index > 0) text += ', ';
        text += quote;
        placeholders.push({ start: text.length, end: text.length + argument.length });
        text += `${argument}${quote}`;
    }
    return { text: `${text})`, placeholders };
}

/** A completion whose details are made when it is among the ones that are shown. */
export interface Candidate {
    readonly label: string;
    readonly rank: number;
    build(): Completion;
}
