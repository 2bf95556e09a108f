import type { HostGrant } from './host-grant.ts';
import { RESULT_FORMAT_NAMES, type ResultFormat, TABLE_FORMAT_NAMES, type TableFormat } from './result-formats.ts';
import type { PythonUse, RunLimits } from './run-process.ts';
import type { RunProgress } from './runs.ts';
import type { TestFormat } from './tests.ts';

/** A request of the command line to its worker thread. */
export type Job =
    | RunJob
    | CheckJob
    | TestJob
    | ExplainJob
    | WhatIfJob
    | DiffJob
    | ValidateJob
    | FormatJob
    | SearchJob
    | IndexJob
    | GraphJob
    | ExportJob
    | ToolJob;

/** The output and error streams of a job. Widths are those of a terminal; absent if the stream is not a terminal. */
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

interface Evaluation extends Evaluating {
    readonly file: string;
    /** The text of the program, where it stands in no file. */
    readonly text?: string;
    /** Its problems other than errors are known already. */
    readonly known?: true;
}

/** How programs are evaluated. */
interface Evaluating extends Access {
    /** Name and text, in the order of the command line; a later value replaces an earlier one. */
    readonly parameters: readonly (readonly [string, string])[];
    readonly limits: EvaluationLimits;
    /** Surroundings that make the functions of chance and of the present give the same values in every run. */
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

export type RunFormat = TableFormat | ResultFormat;
export const RUN_FORMATS: readonly RunFormat[] = [...TABLE_FORMAT_NAMES, ...RESULT_FORMAT_NAMES];

export const PROFILE_FORMATS = ['text', 'json', 'flame'] as const;
export type ProfileFormat = (typeof PROFILE_FORMATS)[number];

export interface RunJob extends Evaluation {
    readonly kind: 'run';
    /** The outputs to print; all where empty, but none where something is asked. */
    readonly outputs: readonly string[];
    /** Bodies of rules that are asked, each with an output of its own. Nothing is written then. */
    readonly queries: readonly string[];
    /** Predicates that are outputs too, such as those that a notebook shows; nothing is written then. */
    readonly further?: readonly string[];
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
    /** Two unknown values, `z1 = z2`, ask why they are two. */
    readonly fact: string;
    /** Patterns of two facts: why their unknown values are two is asked instead. */
    readonly same?: readonly [string, string];
    readonly format: 'text' | 'json';
    /** Every derivation instead of the first. */
    readonly all: boolean;
    /** Facts explained at most, of those that fit the question. */
    readonly limit: number;
    /** Facts below one another in the tree at most. */
    readonly depth?: number;
    /** The parts of an explanation to print in the format text. */
    readonly parts: readonly ExplanationPart[];
    /** A model of the environment tells it, too. */
    readonly inWords: boolean;
}

export interface WhatIfJob extends Evaluation {
    readonly kind: 'what-if';
    /** Facts and rules that the program has besides, or has not, as texts. */
    readonly added: readonly string[];
    readonly removed: readonly string[];
    /** Values of parameters that are others, by name. */
    readonly set: readonly (readonly [string, string])[];
    /** The outputs that are compared; all where empty. */
    readonly outputs: readonly string[];
    /** Rows printed of each output at most. */
    readonly limit: number;
    readonly format: 'text' | 'json';
    /** Each of them with why it comes or goes. */
    readonly explain: boolean;
}

export interface DiffJob extends Evaluation {
    readonly kind: 'diff';
    /** The later program; `file` is the earlier one. */
    readonly later: string;
    /** Values of parameters that are others in the later run, by name. */
    readonly set: readonly (readonly [string, string])[];
    /** The outputs that are compared; all where empty. */
    readonly outputs: readonly string[];
    /** Rows printed of each output at most. */
    readonly limit: number;
    readonly format: 'text' | 'json';
    /** Milliseconds for what makes the differences. */
    readonly causes: number;
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
    /** The name of standard input, and the folder for its settings and data. */
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

export interface TestJob extends Evaluating {
    readonly kind: 'test';
    /** Files, folders and patterns. */
    readonly paths: readonly string[];
    readonly format: TestFormat;
    /** A part of the names of the cases that are run; all where absent. */
    readonly filter?: string;
    /** The whole names of the cases that are run; all where there are none. */
    readonly cases: readonly string[];
    /** Tells which rules fired in no case. */
    readonly coverage: boolean;
    /** Writes what the cases derive into their files as what they expect. */
    readonly update: boolean;
}

export interface FormatJob {
    readonly kind: 'format';
    /** Files, folders and patterns; `-` is standard input. */
    readonly paths: readonly string[];
    readonly check: boolean;
}

export const SEARCH_FORMATS = ['text', 'json'] as const;

export interface SearchJob {
    readonly kind: 'search';
    /** The pattern, and after `==>` its replacement. */
    readonly search: string;
    /** Files, folders and patterns; `-` is standard input. */
    readonly paths: readonly string[];
    readonly format: (typeof SEARCH_FORMATS)[number];
    /** Rewrites the files. */
    readonly write: boolean;
}

export interface IndexJob {
    readonly kind: 'index';
    /** Files, folders and patterns. */
    readonly paths: readonly string[];
    /** The file that is written. */
    readonly scip: string;
    readonly currentFolder: string;
}

export interface GraphJob extends Access {
    readonly kind: 'graph';
    readonly file: string;
    readonly format: 'dot' | 'mermaid' | 'json';
}

export const EXPORT_FORMATS = ['html', 'program'] as const;

/** Prints a notebook as something else. */
export interface ExportJob extends Evaluation {
    readonly kind: 'export';
    readonly format: (typeof EXPORT_FORMATS)[number];
    /** Rows that are shown of a predicate at most. */
    readonly limit: number;
}

/** Prints what a program says about itself. */
export interface ToolJob {
    readonly kind: 'tool';
    readonly tool: 'analyze' | 'binds';
    readonly file: string;
    /** A predicate whose binds are outputs. */
    readonly outputPredicate?: string;
}

/** The data with which the worker starts. */
export interface WorkerInput {
    readonly job: Job;
    readonly streams: Streams;
    /** An Int32Array of `CONTROL_WORDS`. */
    readonly control: SharedArrayBuffer;
    /** When it began, in milliseconds since the process did. */
    readonly began: number;
    /** It tells which files it reads. */
    readonly tellsReads: boolean;
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
    /** A file is read, or cannot be. */
    | { readonly kind: 'read'; readonly path: string }
    /** A temporary file exists, or is gone. */
    | { readonly kind: 'temporary'; readonly path: string; readonly exists: boolean }
    | { readonly kind: 'finished'; readonly exitCode: number };

export const EXIT = { fine: 0, failed: 1, usage: 2, internal: 3, interrupted: 130, terminated: 143, hungUp: 129 } as const;
