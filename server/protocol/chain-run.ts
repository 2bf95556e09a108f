import type { RunFolders, RunLimits } from './run-process.ts';
import type { OutputKey } from './runs.ts';

/** What a process is told to do first: evaluate these programs one after the other, each with rows of earlier ones, and then serve their rows. */
export interface ChainRun {
    /** The last one is what was asked for; files of output binds are written for it alone. */
    readonly steps: readonly ChainRunStep[];
    /** The rows of all steps can be asked for, not only those of the last one. */
    readonly keepsAll: boolean;
    /** Relative paths start here. */
    readonly currentFolder: string;
    readonly folders: RunFolders;
    readonly parameters: ReadonlyMap<string, unknown>;
    /** Of all steps together. */
    readonly limits: RunLimits;
}

export interface ChainRunStep {
    /** Its name is its output predicate. */
    readonly concept: string;
    readonly text: string;
    /** Behind this many characters stands what was added to the concept. */
    readonly ownLength: number;
    /** Parameters that count as they are declared in the addition. */
    readonly overridden: readonly string[];
    /** Texts of modules. */
    readonly modules: readonly string[];
    readonly inputs: readonly ChainInput[];
}

/** Where the rows of an input predicate come from. */
export interface ChainInput {
    readonly predicate: string;
    /** The concept that derives it; absent for a predicate that is not defined and has no rows. */
    readonly concept?: string;
}

/** What became of the steps of a chain. */
export interface ChainProgress {
    /** Of each step that was evaluated. */
    readonly milliseconds: readonly number[];
    /** The concept whose evaluation failed. */
    readonly failed?: string;
}

/** Asks for rows as bytes of values, from an offset on. */
export interface ValuesQuestion {
    readonly method: 'rulelang/values';
    readonly params: { readonly output: OutputKey; readonly offset: number };
}

/** Some rows, value by value, as `server/store/ordered-value.ts` writes them. */
export interface ValuesBatch {
    readonly rows: number;
    readonly bytes: Uint8Array;
    /** Where each value ends. */
    readonly ends: Int32Array;
}

export type ToChainProcess =
    | { readonly kind: 'start'; readonly run: ChainRun }
    | { readonly kind: 'ask'; readonly id: number; readonly question: ValuesQuestion };
