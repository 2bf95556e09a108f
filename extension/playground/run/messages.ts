import type { ExplainingInput, FromProcess, ProgramRun, ToProcess } from '#server/protocol/run-process.ts';

/** A file with its path, which begins with a slash. */
export type FileBytes = readonly [path: string, bytes: Uint8Array];

/** What the page tells the worker of a run: what a run process is told, but with the files that there are. */
export type ToRun =
    | { readonly kind: 'start'; readonly run: ProgramRun; readonly files: readonly FileBytes[] }
    | Exclude<ToProcess, { readonly kind: 'start' }>;

/** What the worker tells the page. */
export type FromRun = FromProcess | { readonly kind: 'written'; readonly files: readonly FileBytes[] };

/** What the worker that explains a run is started with; then it hears questions. */
export interface ToExplain {
    readonly input: ExplainingInput;
    readonly files: readonly FileBytes[];
}
