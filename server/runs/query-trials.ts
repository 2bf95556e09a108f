import type { UnansweredQuery } from '#language/analysis/program-facts.ts';
import type { TriableQueries } from '#server/compute/tried-queries.ts';
import type { RunLimits } from '#server/protocol/run-process.ts';
import { startChild } from './run-child.ts';

/** Milliseconds. What computes queries may take long over the text of one alone. */
const LONGEST = 3000;

/**
 * Tries queries without rows in a process of their own, one program after the other, and gives the texts of those that no run answers; none
 * where the process does not come to its end.
 */
export function queryTrials(limits: RunLimits): (queries: TriableQueries) => Promise<ReadonlyMap<string, UnansweredQuery>> {
    let last: Promise<unknown> = Promise.resolve();
    const tried = async (queries: TriableQueries): Promise<ReadonlyMap<string, UnansweredQuery>> => {
        const child = startChild({ tried: queries, limits: { ...limits, timeout: LONGEST } });
        const { unanswered = [] } = await child.ended;
        child.kill();
        return new Map(unanswered.map(({ text, ...why }) => [text, why]));
    };
    return queries => {
        const next = last.then(() => tried(queries));
        last = next.catch(() => undefined);
        return next;
    };
}
