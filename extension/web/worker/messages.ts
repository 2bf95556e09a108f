import type { ExplainingInput, FromProcess, ToProcess } from '#server/protocol/run-process.ts';

/** A file with its path, which begins with a slash. */
export type FileBytes = readonly [path: string, bytes: Uint8Array];

/** What a worker is told first: what it is to be, where the script of all workers is, and the files that there are. */
export type Beginning = {
    readonly script: string;
    readonly files: readonly FileBytes[];
} & ({ readonly role: 'language' } | { readonly role: 'run' } | { readonly role: 'explaining'; readonly input: ExplainingInput });

/** What the worker of a run hears once it has begun. */
export type ToRun = ToProcess;

/** What the worker of a run tells. */
export type FromRun = FromProcess | { readonly kind: 'written'; readonly files: readonly FileBytes[] };
