import type { OutputSummary } from '#server/protocol/runs.ts';
import type { RowSource } from '../grid/row-source.ts';

/** A concept of the project, as far as tiles need to know it. */
export interface DashboardConcept {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    /** The parameters of it and of all that it reads, with their defaults as JSON, if they have some. */
    readonly parameters: readonly { readonly name: string; readonly usual: string | undefined }[];
    readonly isStale: boolean;
}

/** Stored rows of a concept. */
export interface DashboardRows extends RowSource {
    readonly output: OutputSummary;
}

/** The surroundings of a dashboard, and its permitted actions. */
export interface DashboardHost {
    concepts(): Promise<readonly DashboardConcept[]>;
    /** The rows that are stored now; nothing where there are none. `replaced` is called when others have taken their place. */
    rows(concept: string, replaced: () => void): Promise<DashboardRows | undefined>;
    /** Runs a concept with values as they were written, and resolves when its rows are stored. Absent for those who may only look, as is `save`. */
    run?: ((concept: string, values: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<void>) | undefined;
    /** Stores a definition, unless the stored one has changed since it was read; `anyway` stores it even so. */
    save?: ((definition: object, anyway: boolean) => Promise<'saved' | 'changed'>) | undefined;
    /** Returns the stored definition. */
    load(): Promise<unknown>;
    /** Keeps unstored changes for later; undefined if everything is stored. */
    drafted(definition: object | undefined): void;
    open(concept: string): void;
    /** Copies an address at which others see the dashboard, where it has one. */
    copyLink?: (() => void) | undefined;
    copied(text: string, description: string): void;
    announce(text: string): void;
    /** An error in words. */
    wordsOf(reason: unknown): string;
}
