import { availableParallelism } from 'node:os';

/** More help little, and other programs need some. */
const MOST = 8;

/** Returns the threads of a run by default. */
export function usualThreads(): number {
    return Math.min(MOST, availableParallelism());
}
