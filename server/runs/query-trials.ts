import type { UnansweredQuery } from '#language/analysis/program-facts.ts';
import type { TriableQueries } from '#server/compute/tried-queries.ts';
import { lengthenWait } from '#server/processes/lengthen-wait.ts';
import type { FileAnswer, FileLook, QueryTrial, RunLimits } from '#server/protocol/run-process.ts';
import type { FileQuestion } from '#server/workspace/look-aside.ts';
import { type EndedChild, startChild } from './run-child.ts';

/** Milliseconds. What computes queries may take long over the text of one alone. */
const LONGEST = 3000;

/** Trials of queries in processes of their own, one after the other. */
export interface QueryTrials {
    /** The texts of the queries that no run answers, without rows; none where the process does not come to its end. */
    tryQueries(queries: TriableQueries): Promise<ReadonlyMap<string, UnansweredQuery>>;
    /** The answer of a bind's files to its query; empty if the process does not come to its end. */
    askFiles(question: FileQuestion): Promise<FileAnswer>;
}

export function queryTrials(given: RunLimits): QueryTrials {
    const limits = { ...given, timeout: lengthenWait(LONGEST) };
    let last: Promise<unknown> = Promise.resolve();
    const ended = async (run: QueryTrial | FileLook): Promise<EndedChild> => {
        const child = startChild(run);
        const end = await child.ended;
        child.kill();
        return end;
    };
    const inTurn = (run: QueryTrial | FileLook): Promise<EndedChild> => {
        const next = last.then(() => ended(run));
        last = next.catch(() => undefined);
        return next;
    };
    return {
        tryQueries: async queries => {
            const { unanswered = [] } = await inTurn({ tried: queries, limits });
            return new Map(unanswered.map(({ text, ...why }) => [text, why]));
        },
        askFiles: async question => (await inTurn({ asked: question, limits })).answer ?? {},
    };
}
