import type { HostGrant } from './host-grant.ts';
import { RESULT_FORMAT_NAMES, type ResultFormat } from './result-formats.ts';
import type { PythonUse, RunLimits } from './run-process.ts';
import type { RunProgress } from './runs.ts';

/** What the command line asks of its worker thread. */
export type Job = RunJob | CheckJob | ExplainJob | ValidateJob | FormatJob | GraphJob | ToolJob;

/** Where the job's words go, and how. Widths are those of a terminal; absent where the stream is none. */
export interface Streams {
    readonly outputWidth?: number;
    readonly errorWidth?: number;
    readonly outputColour: boolean;
    readonly errorColour: boolean;
}

export interface Access {
    readonly currentFolder: string;
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    /** Nothing else is written, not even below the folder of the program. */
    readonly noWrite?: true;
    readonly allowNet: readonly HostGrant[];
    /** Variables of the environment that credentials of binds may name. */
    readonly secrets: readonly string[];
}

export interface EvaluationLimits extends RunLimits {
    readonly maxFacts?: number;
    /** Facts of one tree that are equal but for their nulls, where nulls of a recursion are joined. */
    readonly isoDepth?: number;
}

interface Evaluation extends Access {
    readonly file: string;
    /** Name and text, in the order of the command line; a later value replaces an earlier one. */
    readonly parameters: readonly (readonly [string, string])[];
    readonly limits: EvaluationLimits;
    /** What makes the functions of chance and of the present give the same values in every run. */
    readonly surroundings: GivenSurroundings;
    readonly python: PythonUse;
    /** Calls at most for which a model of the environment is asked; none may be asked where absent. */
    readonly modelCalls?: number;
}

export interface GivenSurroundings {
    readonly seed?: number;
    /** Milliseconds since 1970. */
    readonly now?: number;
}

export type RunFormat = 'table' | ResultFormat;
export const RUN_FORMATS: readonly RunFormat[] = ['table', ...RESULT_FORMAT_NAMES];

export const PROFILE_FORMATS = ['text', 'json', 'flame'] as const;
export type ProfileFormat = (typeof PROFILE_FORMATS)[number];

export interface RunJob extends Evaluation {
    readonly kind: 'run';
    /** The outputs to print; all where empty. */
    readonly outputs: readonly string[];
    readonly format: RunFormat;
    /** Rows printed per output; absent where the command line says nothing. */
    readonly limit?: number | 'all';
    readonly statistics: boolean;
    /** Counts and times the rules; in a file of that name where there is one. */
    readonly profile?: { readonly format: ProfileFormat; readonly file?: string };
    /** Ragged rows and failed conversions are errors. */
    readonly strict: boolean;
    /** Rows come in the order of evaluation. */
    readonly unordered: boolean;
}

export interface ExplainJob extends Evaluation {
    readonly kind: 'explain';
    readonly fact: string;
    readonly format: 'text' | 'json';
    /** Every derivation instead of the first. */
    readonly all: boolean;
    /** Facts explained at most, of those that fit the question. */
    readonly limit: number;
    /** Facts below one another in the tree at most. */
    readonly depth?: number;
    /** What the format text shows of an explanation. */
    readonly parts: readonly ExplanationPart[];
    /** A model of the environment tells it, too. */
    readonly inWords: boolean;
}

export interface ValidateJob extends Evaluation {
    readonly kind: 'validate';
    /** In words, for a model. */
    readonly rule: string;
    /** Whose rows are checked; the only one where absent. */
    readonly output?: string;
    /** Rows that are checked at most. */
    readonly limit: number;
    readonly format: 'text' | 'json';
}

export type ExplanationPart = 'tree' | 'text';

export const CHECK_FORMATS = ['pretty', 'compact', 'json', 'sarif', 'junit', 'github'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

export const FAIL_LEVELS = ['error', 'warning', 'information', 'hint'] as const;

export interface CheckJob extends Access {
    readonly kind: 'check';
    /** Files, folders and patterns; `-` is standard input. */
    readonly paths: readonly string[];
    /** What standard input is called, and where its settings and data are looked for. */
    readonly inputName?: string;
    readonly format: CheckFormat;
    readonly hints: boolean;
    /** Tells only what makes the check fail. */
    readonly quiet: boolean;
    /** Problems at least so severe make the check fail. */
    readonly failLevel: (typeof FAIL_LEVELS)[number];
    /** More warnings make it fail too. */
    readonly maxWarnings?: number;
    /** Rewrites the files, or prints the fixed text of standard input. */
    readonly fix: boolean;
    readonly python: PythonUse;
}

export interface FormatJob {
    readonly kind: 'format';
    /** Files, folders and patterns; `-` is standard input. */
    readonly paths: readonly string[];
    readonly check: boolean;
}

export interface GraphJob extends Access {
    readonly kind: 'graph';
    readonly file: string;
    readonly format: 'dot' | 'mermaid' | 'json';
}

/** Prints what a program says about itself. */
export interface ToolJob {
    readonly kind: 'tool';
    readonly tool: 'analyze' | 'binds';
    readonly file: string;
    /** A predicate whose binds are outputs. */
    readonly outputPredicate?: string;
}

/** What the worker starts with. */
export interface WorkerInput {
    readonly job: Job;
    readonly streams: Streams;
    /** An Int32Array of `CONTROL_WORDS`. */
    readonly control: SharedArrayBuffer;
}

/** Words of the memory that both threads share. */
export const CONTROL = { cancelled: 0, terminal: 1, progressShown: 2, reading: 3 } as const;
export const CONTROL_WORDS = 4;

/** Values of `CONTROL.cancelled`. */
export const CANCELLED = { no: 0, interrupted: 1, terminated: 2, hungUp: 3 } as const;

/** Values of `CONTROL.terminal`: who may write to the terminal now. */
export const TERMINAL = { free: 0, progress: 1, worker: 2 } as const;

/** Values of `CONTROL.reading`: how far the reading of a program is that has a time limit. */
export const READING = { begun: 0, ended: 1, late: 2 } as const;

/** How far a job is; facts of explanations are those that are explained, none where one is looked for that is missing. */
export type JobProgress = Omit<RunProgress, 'run' | 'phase'> & { readonly phase: RunProgress['phase'] | 'explaining' };

/** A program is read, which looks at no clock: the other thread ends this one when the time is up, with these words. */
export interface Reading {
    readonly kind: 'reading';
    readonly milliseconds: number;
    readonly words: string;
}

export type WorkerMessage =
    | { readonly kind: 'progress'; readonly progress: JobProgress }
    | Reading
    /** A temporary file exists, or is gone. */
    | { readonly kind: 'temporary'; readonly path: string; readonly exists: boolean }
    | { readonly kind: 'finished'; readonly exitCode: number };

export const EXIT = { fine: 0, failed: 1, usage: 2, internal: 3, interrupted: 130, terminated: 143, hungUp: 129 } as const;
