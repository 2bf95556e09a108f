import { availableParallelism } from 'node:os';

/** More help little, and other programs need some. */
const MOST = 8;

/** Threads of a run where nobody says how many. */
export function usualThreads(): number {
    return Math.min(MOST, availableParallelism());
}
