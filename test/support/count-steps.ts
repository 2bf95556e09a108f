import { Session } from 'node:inspector/promises';

const OWN = /\/(?:engine|language)\//u;

/**
 * How often the functions and blocks of language and engine were run for some work. V8 may forget some counts while it
 * collects garbage: compare with `LOST_COUNTS`.
 */
export async function countSteps(work: () => unknown): Promise<number> {
    const session = new Session();
    session.connect();
    try {
        await session.post('Profiler.enable');
        await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
        await work();
        const { result } = await session.post('Profiler.takePreciseCoverage');
        const ranges = result.filter(({ url }) => OWN.test(url)).flatMap(({ functions }) => functions.flatMap(one => one.ranges));
        return ranges.reduce((sum, { count }) => sum + count, 0);
    } finally {
        session.disconnect();
    }
}

/** Options of tests that compare counts: work that grows too fast does so each time. */
export const LOST_COUNTS = { retry: 2 };
