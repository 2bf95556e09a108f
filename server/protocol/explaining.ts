/** What a run process and the thread that explains its facts say to each other. */
import type { ProcessPlace, ProgramRun } from './run-process.ts';
import type { ExplainedDerivation, Explanation, OutputKey } from './runs.ts';
import type { Absence, WhyNotAnswer } from './why-not.ts';

/** What the thread starts with. */
export interface ExplainingInput {
    readonly run: ProgramRun;
    /** Bytes that its evaluations may hold. */
    readonly maxMemory: number;
    /** The parts of explanations have numbers above this one. */
    readonly lastNode: number;
}

/** A row of a listing, as the first evaluation has it. */
export interface ListedRow {
    readonly output: OutputKey;
    readonly at: number;
    /** Rows of the listing. */
    readonly count: number;
    /** The fact as text. */
    readonly text: string;
}

/** What can be asked of the thread. */
export interface ExplainingRequests {
    readonly row: { readonly params: { readonly row: ListedRow; readonly all: boolean }; readonly result: Explanation };
    /** `further` is a predicate that the run did not need. */
    readonly whyNot: { readonly params: { readonly question: string; readonly further?: OutputKey }; readonly result: WhyNotAnswer };
    readonly expand: { readonly params: { readonly node: number; readonly all: boolean }; readonly result: readonly ExplainedDerivation[] };
    readonly reveal: { readonly params: { readonly node: number; readonly derivation?: number }; readonly result: ProcessPlace | null };
    readonly absence: { readonly params: { readonly node: number }; readonly result: Absence };
}

export type ExplainingQuestion = {
    [K in keyof ExplainingRequests]: { readonly kind: K } & ExplainingRequests[K]['params'];
}[keyof ExplainingRequests];

export type ToExplaining<Q> =
    | { readonly kind: 'ask'; readonly id: number; readonly question: Q }
    /** Nobody waits for the answer any more. */
    | { readonly kind: 'stop'; readonly id: number };

export type FromExplaining =
    | { readonly kind: 'answer'; readonly id: number; readonly result: unknown }
    | { readonly kind: 'refused'; readonly id: number; readonly message: string };
