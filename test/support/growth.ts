/**
 * How many times as much CPU time work of four times the size takes: 4 where it follows the size, 16 where it follows its square. Of each
 * size the quickest of several turns counts, as others use the same processors.
 */
export function growth(work: (size: number) => unknown, size: number): number {
    const turns = Array.from({ length: TURNS }, () => [cpuTime(() => work(size)), cpuTime(() => work(4 * size))] as const);
    return Math.min(...turns.map(([, large]) => large)) / Math.min(...turns.map(([small]) => small));
}

/** Above what grows with the size, and with its logarithm; below what grows with its square. */
export const MOST_GROWTH = 9;

const TURNS = 3;

/** Microseconds. */
function cpuTime(work: () => unknown): number {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
}
