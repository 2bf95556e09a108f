import type { FastifyReply } from 'fastify';
import { ChildProcesses } from '#server/processes/child-processes.ts';
import { BEFORE_LAST } from '#server/processes/yield-priority.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { KIBIBYTE } from '#server/protocol/platform/schema.ts';
import { revived } from '#server/protocol/portable.ts';
import { departure } from './app.ts';
import { type ReadAnswer, type ReadQuestion, readQuestion } from './read-question.ts';
import { type Asker, startWorkers } from './workers.ts';

/**
 * Reads what requests bring: where it is short at once, else in a process that may die. What an import of 63 MB of `{},` becomes has no
 * room in half a gigabyte, and V8 bounds the memory of a thread only where it comes to look: one was at 2.6 GB after a minute.
 */
export interface Bodies {
    /** Fails with the `ApiError` for what cannot be read. */
    read<T>(question: ReadQuestion, asker: Asker): Promise<T>;
    close(): void;
}

/** The query of a request that has none. */
export const NO_QUERY = { schema: {}, given: '' } as const;

/** The common asker of a service that does not identify its callers. */
export function askerOf(name: string, reply: FastifyReply): Asker {
    return { caller: { organization: 'local', username: name, role: 'viewer' }, departure: departure(reply) };
}

/** Bytes that are read at once. */
const SHORT = 32 * KIBIBYTE;
/** Milliseconds: what is read takes as long as it is, so that only a machine that does other things needs them. */
const LONGEST = { user: 60_000, viewer: 60_000 };

export function startBodies(): Bodies {
    const processes = new ChildProcesses({ file: new URL('./read-worker.mjs', import.meta.url), priority: BEFORE_LAST });
    const workers = startWorkers<ReadQuestion, ReadAnswer>({
        count: 1,
        processes,
        isPrepared: false,
        longest: LONGEST,
        subject: () => 'request',
    });
    return {
        read: async <T>(question: ReadQuestion, asker: Asker) => {
            if (lengthOf(question) <= SHORT) return readQuestion(question) as T;
            const answer = await workers.ask(question, asker);
            if (answer.kind === 'read') return revived(answer.value) as T;
            const { code, words, details } = answer.error;
            const error = new ApiError(code, words);
            error.details = details;
            throw error;
        },
        close: () => workers.close(),
    };
}

function lengthOf(question: ReadQuestion): number {
    return question.kind === 'kept' ? question.text.length : question.bytes.length;
}
