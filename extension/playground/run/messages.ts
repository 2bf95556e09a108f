import type { ExplainingInput, FromProcess, ProgramRun, ToProcess } from '#server/protocol/run-process.ts';

/** A file with its path, which begins with a slash. */
export type FileBytes = readonly [path: string, bytes: Uint8Array];

/** A message of the page to the worker of a run: as to a run process, but with all files. */
export type ToRun =
    | { readonly kind: 'start'; readonly run: ProgramRun; readonly files: readonly FileBytes[] }
    | Exclude<ToProcess, { readonly kind: 'start' }>;

/** A message of the worker to the page. */
export type FromRun = FromProcess | { readonly kind: 'written'; readonly files: readonly FileBytes[] };

/** The first message to the worker that explains a run; questions follow. */
export interface ToExplain {
    readonly input: ExplainingInput;
    readonly files: readonly FileBytes[];
}
