import type { Bind, PredicateKey, SourceTable } from '#language/program/analysed-program.ts';

/** Names the files that a path can go on to: those whose path begins with the prefix. A folder ends with `/`. */
export type ListFiles = (prefix: string) => readonly string[];

/** The tables among which a bind names one; undefined as long as its source has not answered. */
export type TablesOf = (bind: Bind) => readonly SourceTable[] | undefined;

/**
 * The texts that the last run found in a column of a predicate and that begin with some letters, the most frequent first; undefined as long
 * as the run has not answered.
 */
export type TextsOf = (predicate: PredicateKey, column: number, begun: string) => readonly string[] | undefined;

export interface CompletionOptions {
    readonly listFiles?: ListFiles;
    readonly tablesOf?: TablesOf;
    readonly textsOf?: TextsOf;
    /** Names the modules of the workspace. */
    readonly modules?: () => Iterable<string>;
    /** The errors with which a program or its run may end, by code. */
    readonly errors?: () => Iterable<readonly [code: string, title: string]>;
    /** The greatest number of items. */
    readonly limit: number;
}
