import { Session } from 'node:inspector/promises';

const OWN = /\/(?:engine|language)\//u;

/**
 * Functions have counters when they are compiled, at their first call, while this goes on: it begins before the tests, and
 * files that count stand in `COUNTED` of vitest.config.ts, as what other files ran before has none.
 */
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * How often the functions and blocks of language and engine were run for some work. V8 may forget some counts while it
 * collects garbage: compare with `LOST_COUNTS`.
 */
export async function countSteps(work: () => unknown): Promise<number> {
    await stepsSinceLast();
    await work();
    return stepsSinceLast();
}

async function stepsSinceLast(): Promise<number> {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ranges = result.filter(({ url }) => OWN.test(url)).flatMap(({ functions }) => functions.flatMap(one => one.ranges));
    return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** Options of tests that compare counts: work that grows too fast does so each time. */
export const LOST_COUNTS = { retry: 6 };
