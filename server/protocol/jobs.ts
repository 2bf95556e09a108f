import type { HostGrant } from './host-grant.ts';
import { type ExportFormat, RESULT_FORMAT_NAMES, type ResultFormat, TABLE_FORMAT_NAMES, type TableFormat } from './result-formats.ts';
import type { PythonUse, RunLimits } from './run-process.ts';
import type { RunProgress } from './runs.ts';
import type { TestFormat } from './tests.ts';

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

/** A job that evaluates one program. */
export interface ProgramJob extends EvaluationOptions {
    readonly kind: string;
    readonly file: string;
    /** The text of the program, where it stands in no file. */
    readonly text?: string;
    /** Its problems other than errors are known already. */
    readonly known?: true;
}

/** How programs are evaluated. */
export interface EvaluationOptions extends Access {
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

export interface RunJob extends ProgramJob {
    readonly kind: 'run';
    /** Says of each stratum where it was evaluated, where the run has an engine. */
    readonly explainsCompute?: boolean;
    /** The outputs to print; all where empty, but none where something is asked. */
    readonly outputs: readonly string[];
    /** Bodies of rules that are asked, each with an output of its own. Nothing is written then. */
    readonly queries: readonly string[];
    /** Predicates that are outputs too, such as those that a notebook shows; nothing is written then. */
    readonly further?: readonly string[];
    readonly format: RunFormat;
    /** The file that has the outputs, which are not printed then. */
    readonly written?: { readonly path: string; readonly format: ExportFormat };
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

export const CHECK_FORMATS = ['pretty', 'compact', 'json', 'sarif', 'junit', 'github'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

export const FAIL_LEVELS = ['error', 'warning', 'information', 'hint'] as const;

export interface TestJob extends EvaluationOptions {
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

export const SEARCH_FORMATS = ['text', 'json'] as const;

export const EXPORT_FORMATS = ['html', 'program'] as const;

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
