import type { PythonUse, RunFolders, RunLimits } from './run-process.ts';
import { isNumber, isText, listOf, type Of, object, optional } from './shape.ts';

/**
 * The first message to a process: evaluate these programs one after the other, each with rows of earlier ones, and then serve their rows.
 */
export interface ChainRun {
    /** The last one is what was asked for; files of output binds are written for it alone. */
    readonly steps: readonly ChainRunStep[];
    /** The rows of all steps can be asked for, not only those of the last one. */
    readonly keepsAll: boolean;
    /** Relative paths start here. */
    readonly currentFolder: string;
    readonly folders: RunFolders;
    readonly parameters: ReadonlyMap<string, unknown>;
    /** The present of all steps, in milliseconds since 1970; the real one where absent. */
    readonly now?: number;
    readonly python?: PythonUse;
    /** Of all steps together. */
    readonly limits: RunLimits;
    /** Keeps of all steps how their facts came about, writes no files, and answers questions about that instead of serving rows. */
    readonly explains?: ChainExplaining;
}

export interface ChainExplaining {
    /** The state of the files of each step when its rows were stored. */
    readonly stamps: readonly (readonly FileStamp[])[];
}

/** A file that a step reads, as people call it, and what changes with it; null where it cannot be looked at. */
export interface FileStamp {
    readonly file: string;
    readonly stamp: string | null;
}

export interface ChainRunStep {
    /** Its name is its output predicate. */
    readonly concept: string;
    readonly text: string;
    /** Before the concept's own text stands so much of the first line: the head of a rule that a SQL concept is the query of. */
    readonly ownStart: number;
    /** Behind this many characters stands what was added to the concept. */
    readonly ownLength: number;
    /** Parameters that count as they are declared in the addition. */
    readonly overridden: readonly string[];
    /** Texts of modules. */
    readonly modules: readonly string[];
    readonly inputs: readonly ChainInput[];
    /** The texts of its scripts by their names. */
    readonly scripts?: Readonly<Record<string, string>>;
}

/** The origin of an input predicate's rows. */
export interface ChainInput {
    readonly predicate: string;
    /** The concept that derives it; absent for a predicate that is not defined and has no rows. */
    readonly concept?: string;
}

/** The progress of the steps of a chain. */
export const isChainProgress = object({
    /** Of each step that was evaluated. */
    milliseconds: listOf(isNumber),
    /** The concept whose evaluation failed. */
    failed: optional(isText),
    /** Files that have changed since the stamps were taken. */
    changed: optional(listOf(isText)),
});
export type ChainProgress = Of<typeof isChainProgress>;
