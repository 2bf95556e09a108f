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
