import type { ExplainingInput, FromProcess, ToProcess } from '#server/protocol/run-process.ts';

/** A file with its path, which begins with a slash. */
export type FileBytes = readonly [path: string, bytes: Uint8Array];

/** The first message to a worker: its role, the address of the script of all workers, and the files. */
export type Beginning = {
    readonly script: string;
    readonly files: readonly FileBytes[];
} & ({ readonly role: 'language' } | { readonly role: 'run' } | { readonly role: 'explaining'; readonly input: ExplainingInput });

/** A later message to the worker of a run. */
export type ToRun = ToProcess;

/** A message of the worker of a run. */
export type FromRun = FromProcess | { readonly kind: 'written'; readonly files: readonly FileBytes[] };
