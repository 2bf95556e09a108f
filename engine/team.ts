import type { FollowedBlock, FollowWork } from './evaluate/follow-sources.ts';

/** Threads that help the one that does a run, as the host has them. What they find is the same whatever their number. */
export interface RunTeam {
    /** How many rows there must be, and must be expected still, where other numbers are to be tried. */
    readonly much?: number;
    /** Has all threads follow sources. `own` is what this one does of it. */
    follow(work: FollowWork, own: (block: number) => FollowedBlock): SharedBlocks<FollowedBlock>;
}

/** Work in blocks, which threads take one after another. */
export interface SharedBlocks<T> {
    /**
     * Returns a thread's result of a block, with the number of the thread. Undefined if no thread has begun with it, so that the caller
     * does it. Callers ask for blocks in their order, from the first on. `check` is called while it waits, and may end the run.
     */
    take(block: number, check: () => void): Promise<{ readonly thread: number; readonly result: T } | undefined>;
    /** Settled once no thread works any more. */
    end(): Promise<void>;
}
