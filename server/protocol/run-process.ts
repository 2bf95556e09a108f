import { type ChainRun, isChainProgress } from './chain-run.ts';
import { isColumnType } from './column-type.ts';
import type { ComputeName } from './compute-names.ts';
import { EXPLAINING_METHODS } from './explaining.ts';
import type { HostGrant } from './host-grant.ts';
import type { Login } from './login.ts';
import type { AskedBy } from './methods.ts';
import { isRunEffects } from './run-difference.ts';
import { EXPORT, KEEP, RELAYED_METHODS, RUN_METHODS } from './run-methods.ts';
import { FAILED, FINISHED, isCell, type OutputKey, PROGRESS } from './runs.ts';
import {
    either,
    isAnything,
    isBytes,
    isCount,
    isFlag,
    isIntegers,
    isText,
    listOf,
    type Of,
    object,
    oneOf,
    optional,
    type Shape,
} from './shape.ts';
import type { WhatIfChanges } from './what-if.ts';

/** The first message to a run process: evaluate this program, and then serve its rows. */
export interface ProgramRun {
    readonly text: string;
    /** The file whose text it is; relative paths start beside it. */
    readonly file: string;
    /** Its modules as the editor knows them, saved or not. */
    readonly modules: RunModules;
    /** The folder from which paths are shown. */
    readonly currentFolder: string;
    /** Folders below which binds may read and write. */
    readonly roots: readonly string[];
    /** Files below them that it may write although they are not called like data. */
    readonly writeFiles?: readonly string[];
    /** Hosts that it may talk to; none where absent. */
    readonly hosts?: readonly HostGrant[];
    /** Variables of the environment that credentials of its binds may name. */
    readonly secrets?: readonly string[];
    /** Passwords of databases, for binds that tell none. */
    readonly logins?: readonly Login[];
    /** Shown, by name, instead of the outputs; then no file is written. */
    readonly predicates?: readonly string[];
    /** Counts the matches that reach its atoms. */
    readonly profiled?: true;
    /** Access that its project needs and the user has not granted: the run ends with this before it begins. */
    readonly refused?: { readonly what: string; readonly reason: string } | undefined;
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly limits: RunLimits;
    /** Texts of modules that come with the program; then `modules` does not count. */
    readonly otherPrograms?: readonly string[];
    /** The folders that a service lets its programs read and write, instead of `roots`. */
    readonly folders?: RunFolders;
    readonly python?: PythonUse;
    /** Its rows may be kept, with what they were made of. */
    readonly remembered?: true;
    /** Its rows are to follow edits; where it only `looks`, nothing is written. */
    readonly live?: 'looks' | 'writes';
}

/** Whether scripts are run (12.2), and with what. */
export interface PythonUse {
    readonly enabled: boolean;
    /** The interpreter: a path, or a name on PATH. */
    readonly path?: string;
    /** Scripts have the network where they are walled in; else they have what the system lets them have. */
    readonly network: boolean;
    /** The kind of host in which users change these settings. */
    readonly door: 'run' | 'serve' | 'editor';
}

/** The rows of an earlier run, in a file. */
export interface KeptRun {
    readonly kept: string;
    readonly limits: RunLimits;
}

/** Rows that the process is given, to write them to files. */
export interface GatheredRows {
    readonly gathered: { readonly name: string; readonly columns: readonly string[]; readonly types: readonly string[] };
    readonly limits: RunLimits;
}

/** The rows of two earlier runs, in files, that are compared; what differs is served. */
export interface ComparedRuns {
    readonly compared: { readonly before: string; readonly after: string };
    readonly limits: RunLimits;
}

/** Queries that the process tries without rows, as `triableQueries` finds them; no rows are served then. */
export interface QueryTrial {
    readonly tried: object;
    readonly limits: RunLimits;
}

/** A query over files whose columns are asked for, as a `FileQuestion`; no rows are served then. */
export interface FileLook {
    readonly asked: object;
    readonly limits: RunLimits;
}

/**
 * Two earlier runs, in files, of which is searched what makes the difference between their rows; no rows are served then. The program of each
 * reaches what a run of the editor does.
 */
export interface DifferenceSearch extends Pick<ProgramRun, 'roots' | 'hosts' | 'secrets' | 'limits'> {
    readonly searched: ComparedRuns['compared'];
}

/** The first message to a process. */
export type AnyRun = ProgramRun | ChainRun | KeptRun | GatheredRows | ComparedRuns | DifferenceSearch | QueryTrial | FileLook;

/** The data with which the thread starts that explains a run. */
export interface ExplainingInput {
    readonly run: ProgramRun;
    /** Bytes that its evaluations may hold. */
    readonly maxMemory: number;
    /** The present of the run, in milliseconds since 1970. */
    readonly now: number;
    /** The parts of explanations have numbers above this one. */
    readonly lastNode: number;
    /** Changes of the program to explain. */
    readonly changes?: WhatIfChanges;
}

/** Facts about a run whose rows are kept. */
export type KeptAbout = Omit<Extract<ProcessEnd, { outcome: 'finished' }>, 'outcome' | 'reported' | 'atoms' | 'askedTarget'> & {
    readonly note: string;
    /** Absent unless the host asked for it. */
    readonly inputs?: RunInputs;
};

/** The inputs of a run. */
export interface RunInputs {
    /** A digest of its program, by which the file beside its rows is called that has the text. */
    readonly program: string;
    /** Values of parameters. */
    readonly given: Readonly<Record<string, unknown>>;
    readonly sources: readonly SourceState[];
}

/** A source as it was when a run began to read it. */
export interface SourceState {
    /** As people call it. */
    readonly name: string;
    /** Another text where its rows may be others; absent where nothing tells, as for a database. */
    readonly stamp?: string;
    /** Of one file. */
    readonly bytes?: number;
    /** Of all bytes of a small file. */
    readonly digest?: string;
}

export interface RunFolders {
    readonly read: readonly string[];
    readonly write: readonly string[];
    /** Nothing in these is read or written, but for roots that lie in them. */
    readonly denied: readonly string[];
    /** Hosts that its programs may talk to; none where absent. */
    readonly hosts?: readonly HostGrant[];
    /** Databases that its programs may use there. */
    readonly logins?: readonly Login[];
    /** Secrets that credentials of binds may name; one without a value is granted, and has none. */
    readonly secrets?: readonly (readonly [name: string, value: string | undefined])[];
    /** Defaults for options that binds leave out, by `type.option`. */
    readonly defaults?: readonly (readonly [name: string, value: string])[];
}

const isRunInclude = either(
    object({ kind: oneOf('module'), file: isText }),
    object({ kind: oneOf('missing'), looked: listOf(isText), nearest: optional(isText), partly: optional(isFlag) }),
    object({ kind: oneOf('several'), files: listOf(isText) }),
    object({ kind: oneOf('refused'), reason: isText }),
);
export type RunInclude = Of<typeof isRunInclude>;

/** Included files, and what the name in each include stands for. */
export const isRunModules = object({
    files: listOf(object({ file: isText, text: isText })),
    includes: listOf(object({ from: isText, name: isText, target: isRunInclude })),
});
export type RunModules = Of<typeof isRunModules>;

export interface RunLimits {
    /** Bytes. */
    readonly maxMemory: number;
    /** Milliseconds. */
    readonly timeout?: number;
    /** Rounds of a recursion that makes new values, beyond the facts that it reads. */
    readonly maxRounds?: number;
    /** Threads that work at once; one where absent. */
    readonly threads?: number;
    /** The engine that evaluates what has an exact counterpart there; without it the run is evaluated here. */
    readonly compute?: ComputeName;
}

/** Some rows of an output as JSON: arrays with commas between them. */
const isRowsText = object({
    text: isText,
    /** The index at which the next rows begin. */
    next: isCount,
});
export type RowsText = Of<typeof isRowsText>;

/** Some rows, value by value, as `server/store/ordered-value.ts` writes them. */
const isValuesBatch = object({
    rows: isCount,
    bytes: isBytes,
    /** The end of each value. */
    ends: isIntegers,
});
export type ValuesBatch = Of<typeof isValuesBatch>;

/** Rows of an output from one on. */
const isRowsQuestion = object({ output: isText as Shape<OutputKey>, offset: isCount });

/** The questions about rows that a run process answers; the language server has put paths in place of addresses. */
export const PROCESS_METHODS = {
    ...RELAYED_METHODS,
    ...EXPLAINING_METHODS,
    'rulelang/export': { ...RUN_METHODS['rulelang/export'], params: object({ ...EXPORT, path: isText }) },
    'rulelang/give': RUN_METHODS['rulelang/give'],
    'rulelang/keep': { ...RUN_METHODS['rulelang/keep'], params: object({ ...KEEP, path: isText }) },
    'rulelang/follow': { ...RUN_METHODS['rulelang/follow'], params: object({ text: isText, modules: isRunModules, rested: isFlag }) },
    'rulelang/rows': { params: isRowsQuestion, result: isRowsText },
    /**
     * The first rows of a predicate, an output or not, and how many values of each column are unknown. Null if the run did not keep its
     * rows.
     */
    'rulelang/sample': {
        params: object({ predicate: isText as Shape<OutputKey>, limit: isCount }),
        result: either(object({ columns: listOf(isText), cells: listOf(listOf(isCell)), unknown: listOf(isCount) }), oneOf(null)),
    },
    /** The texts of a column of a predicate that begin with some letters, small or capital, the most frequent first. */
    'rulelang/texts': {
        params: object({ predicate: isText as Shape<OutputKey>, column: isCount, begun: isText, limit: isCount }),
        result: listOf(isText),
    },
    /** Rows that would come or go, as JSON. */
    'rulelang/whatIfValues': {
        params: object({ number: isCount, output: isText as Shape<OutputKey>, fate: oneOf('comes', 'goes'), offset: isCount }),
        result: isRowsText,
    },
    /** Of the steps of a chain. */
    'rulelang/values': { params: isRowsQuestion, result: isValuesBatch },
} as const;
export type ProcessMethods = typeof PROCESS_METHODS;
export type ProcessMethod = keyof ProcessMethods;

/** One question, by the method that asks it. */
export type ProcessQuestion = AskedBy<ProcessMethods>;

/** A message to a process or a thread that answers questions. */
export type Asking<Q> =
    | { readonly kind: 'ask'; readonly id: number; readonly question: Q }
    /** No caller waits for the answer any more. */
    | { readonly kind: 'stop'; readonly id: number };

export type ToProcess = { readonly kind: 'start'; readonly run: AnyRun } | Asking<ProcessQuestion> | CallAnswer;

/** Calls of a function that the process cannot answer itself: the process that started it has the keys, and counts. */
const isProvidedCalls = object({
    kind: oneOf('call'),
    id: isCount,
    function: isText,
    /** The arguments of each call as texts, null for unknown ones. */
    calls: listOf(listOf(either(isText, oneOf(null)))),
});
export type ProvidedCalls = Of<typeof isProvidedCalls>;

/** The answers in the same order, or the reason for none: the host answers no such calls, or they failed. */
export type CallAnswer = { readonly kind: 'called'; readonly id: number } & (
    | { readonly replies: readonly (string | null)[] }
    | { readonly missing: { readonly remedy?: string } }
    | { readonly failed: { readonly message: string; readonly remedy?: string } }
);

const PLACE = {
    file: isText,
    /** UTF-16 offsets in the file. */
    start: isCount,
    end: isCount,
};

/** The place of a report in the program or in one of its modules. */
const isReportedPlace = object({
    /** Its index among the notices. */
    notice: isCount,
    ...PLACE,
    /** The facts that it is about. */
    related: listOf(
        object({
            ...PLACE,
            /** Of a script, zero-based: then the offsets are those in this line. */
            line: optional(isCount),
            message: isText,
        }),
    ),
});
export type ReportedPlace = Of<typeof isReportedPlace>;
export type RelatedPlace = ReportedPlace['related'][number];

/** Matches that reached an atom in a profiled run, and matches that went on. */
const isAtomFigures = object({
    ...PLACE,
    /** Rows that its rule began with, where it did. */
    read: optional(isCount),
    /** Matches that came from what stands before it, and those that went on. */
    from: optional(isCount),
    to: optional(isCount),
});
export type AtomFigures = Of<typeof isAtomFigures>;

/** Places of the run's reports, and figures of its atoms, for the language server alone. */
const ABOUT_TEXT = { reported: optional(listOf(isReportedPlace)), atoms: optional(listOf(isAtomFigures)) };

/** A target that the run may only write once it is granted by name, for the language server alone. `kept` says why it is not replaced unasked. */
const isAskedTarget = object({ path: isText, kept: optional(isText) });
export type AskedTarget = Of<typeof isAskedTarget>;

/** How an evaluation ended, in the words of its process. Who stopped or killed it, only the language server knows. */
const isProcessEnd = either(
    object({ ...FINISHED, ...ABOUT_TEXT }),
    object({ ...FAILED, ...ABOUT_TEXT, askedTarget: optional(isAskedTarget) }),
);
export type ProcessEnd = Of<typeof isProcessEnd>;

/** A query to which a run has no answer. */
const isUnanswered = object({ text: isText, reason: isText, place: optional(object({ start: isCount, end: isCount })) });
export type Unanswered = Of<typeof isUnanswered>;

/** The answer of files to the query of a bind: the columns, that they are missing, or why a run would end at it. */
const isFileAnswer = object({
    missing: optional(object({ nearest: optional(isText) })),
    schema: optional(object({ columns: listOf(object({ name: optional(isText), type: optional(isColumnType) })) })),
    refused: optional(object({ reason: isText, remedy: optional(isText) })),
});
export type FileAnswer = Of<typeof isFileAnswer>;

/** A message from a run process. The process has read untrusted data, so the receiver checks the shape. */
export const isFromProcess = either(
    /** In a chain, of a step: its number, from 0. */
    object({ kind: oneOf('progress'), progress: object(PROGRESS), step: optional(isCount) }),
    /** A temporary file exists, or is gone. */
    object({ kind: oneOf('temporary'), path: isText, exists: isFlag }),
    isProvidedCalls,
    object({
        kind: oneOf('ended'),
        end: isProcessEnd,
        chain: optional(isChainProgress),
        unanswered: optional(listOf(isUnanswered)),
        answer: optional(isFileAnswer),
        effects: optional(isRunEffects),
    }),
    object({ kind: oneOf('answer'), id: isCount, result: isAnything }),
    /** A question that has no answer, in words for the user. */
    object({ kind: oneOf('refused'), id: isCount, message: isText }),
);
export type FromProcess = Of<typeof isFromProcess>;
export type Answered = Extract<FromProcess, { readonly kind: 'answer' | 'refused' }>;
