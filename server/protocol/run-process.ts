import type { ChainProgress } from './chain-run.ts';
import type {
    ExportRequest,
    KeepRequest,
    OutputKey,
    RevealRequest,
    RunEnd,
    RunProgress,
    RunReference,
    RunRequests,
    WireRange,
} from './runs.ts';
import type { WhyNotRequests } from './why-not.ts';

/** What a run process is told to do first: evaluate this program, and then serve its rows. */
export interface ProgramRun {
    readonly text: string;
    /** The file whose text it is; relative paths start beside it. */
    readonly file: string;
    /** What it includes, as the editor knows it, saved or not. */
    readonly modules: RunModules;
    /** The folder from which paths are shown. */
    readonly currentFolder: string;
    /** Folders below which binds may read and write. */
    readonly roots: readonly string[];
    /** Files below them that it may write although they are not called like data. */
    readonly writeFiles?: readonly string[];
    /** Shown, by name, instead of the outputs; then no file is written. */
    readonly predicates?: readonly string[];
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly limits: RunLimits;
    /** Texts of modules that come with the program; then `modules` does not count. */
    readonly otherPrograms?: readonly string[];
    /** What a service lets its programs read and write, instead of `roots`. */
    readonly folders?: RunFolders;
}

/** The rows of an earlier run, in a file. */
export interface KeptRun {
    readonly kept: string;
    readonly limits: RunLimits;
}

/** What is known of a run whose rows are kept. */
export type KeptAbout = Omit<Extract<ProcessEnd, { outcome: 'finished' }>, 'outcome' | 'reported' | 'unusualTarget'> & {
    readonly note: string;
};

export interface RunFolders {
    readonly read: readonly string[];
    readonly write: readonly string[];
    /** Nothing in these is read or written, but for roots that lie in them. */
    readonly denied: readonly string[];
}

/** Included files, and what the name in each include stands for. */
export interface RunModules {
    readonly files: readonly { readonly file: string; readonly text: string }[];
    readonly includes: readonly { readonly from: string; readonly name: string; readonly target: RunInclude }[];
}

export type RunInclude =
    | { readonly kind: 'module'; readonly file: string }
    | { readonly kind: 'missing'; readonly looked: readonly string[]; readonly nearest?: string; readonly partly?: boolean }
    | { readonly kind: 'several'; readonly files: readonly string[] }
    | { readonly kind: 'refused'; readonly reason: string };

export interface RunLimits {
    /** Bytes. */
    readonly maxMemory: number;
    /** Milliseconds. */
    readonly timeout?: number;
    /** Rounds of a recursion that makes new values, beyond the facts that it reads. */
    readonly maxRounds?: number;
}

/** The questions about rows that a run process answers; the language server has put paths in place of addresses. */
export type ProcessRequests = Pick<RunRequests, 'rulelang/page' | 'rulelang/cell' | 'rulelang/explain' | 'rulelang/expand'> &
    WhyNotRequests & {
        'rulelang/export': {
            readonly params: Omit<ExportRequest, 'uri'> & { readonly path: string };
            readonly result: { readonly rows: number };
        };
        'rulelang/keep': {
            readonly params: Omit<KeepRequest, 'uri'> & { readonly path: string };
            readonly result: { readonly bytes: number };
        };
        'rulelang/reveal': { readonly params: RevealRequest; readonly result: ProcessPlace | null };
        'rulelang/rows': { readonly params: RowsRequest; readonly result: RowsText };
    };

export interface RowsRequest extends RunReference {
    readonly output: OutputKey;
    readonly offset: number;
}

/** Some rows of an output as JSON: arrays with commas between them. */
export interface RowsText {
    readonly text: string;
    /** Where the next rows begin. */
    readonly next: number;
}

/** A place in the text of the program or of one of its modules, or a line of a data file, zero-based. */
export type ProcessPlace =
    | { readonly kind: 'program'; readonly file: string; readonly range: WireRange }
    | { readonly kind: 'source'; readonly path: string; readonly line: number };

/** One question, by the method that asks it. */
export type ProcessQuestion = {
    [M in keyof ProcessRequests]: { readonly method: M; readonly params: ProcessRequests[M]['params'] };
}[keyof ProcessRequests];

export type ToProcess =
    | { readonly kind: 'start'; readonly run: ProgramRun | KeptRun }
    | { readonly kind: 'ask'; readonly id: number; readonly question: ProcessQuestion }
    /** Nobody waits for an answer any more. */
    | { readonly kind: 'stop'; readonly id: number };

type WithoutRun<T> = T extends unknown ? Omit<T, 'run'> : never;

/** How an evaluation ended, in the words of its process. Who stopped or killed it, only the language server knows. */
export type ProcessEnd = WithoutRun<Extract<RunEnd, { outcome: 'finished' | 'failed' }>> & {
    /** Where reports of the run stand, for the language server alone. */
    readonly reported?: readonly ReportedPlace[];
    /** The target that it may only write once it is granted by name, for the language server alone. */
    readonly unusualTarget?: string;
};

/** The place of a report in the program or in one of its modules. */
export interface ReportedPlace {
    /** Its index among the notices. */
    readonly notice: number;
    readonly file: string;
    /** UTF-16 offsets in the file. */
    readonly start: number;
    readonly end: number;
    /** The facts that it is about. */
    readonly related: readonly RelatedPlace[];
}

export interface RelatedPlace {
    readonly file: string;
    readonly start: number;
    readonly end: number;
    readonly message: string;
}

export type FromProcess =
    | { readonly kind: 'progress'; readonly progress: Omit<RunProgress, 'run'> }
    /** A temporary file exists, or is gone. */
    | { readonly kind: 'temporary'; readonly path: string; readonly exists: boolean }
    | { readonly kind: 'ended'; readonly end: ProcessEnd; readonly chain?: ChainProgress }
    | { readonly kind: 'answer'; readonly id: number; readonly result: unknown }
    /** A question that has no answer, in words for the user. */
    | { readonly kind: 'refused'; readonly id: number; readonly message: string };
