/** Names the files that a path can go on to: those whose path begins with the prefix. A folder ends with `/`. */
export type ListFiles = (prefix: string) => readonly string[];

export interface CompletionOptions {
    readonly listFiles?: ListFiles;
    /** Names the modules of the workspace. */
    readonly modules?: () => Iterable<string>;
    /** The greatest number of items. */
    readonly limit: number;
}
