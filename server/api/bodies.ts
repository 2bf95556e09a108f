import type { FastifyReply } from 'fastify';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { KIBIBYTE } from '#server/protocol/platform/schema.ts';
import { revived } from '#server/protocol/portable.ts';
import { departure } from './app.ts';
import { type ReadAnswer, type ReadQuestion, readQuestion } from './read-question.ts';
import { type Asker, startThreads } from './threads.ts';

/** Reads what requests bring: in the thread that serves where it is short, else in another one, so that nobody waits for it. */
export interface Bodies {
    /** Fails with the `ApiError` for what cannot be read. */
    read<T>(question: ReadQuestion, asker: Asker): Promise<T>;
    close(): void;
}

/** The query of a request that has none. */
export const NO_QUERY = { schema: {}, given: '' } as const;

/** Those who ask a service together, where it does not ask who they are. */
export function askerOf(name: string, reply: FastifyReply): Asker {
    return { caller: { organization: 'local', username: name, role: 'viewer' }, departure: departure(reply) };
}

/** Bytes that are read at once. */
const SHORT = 32 * KIBIBYTE;
/** Milliseconds: what is read takes as long as it is, so that only a machine that does other things needs them. */
const LONGEST = { user: 60_000, viewer: 60_000 };

export function startBodies(): Bodies {
    const threads = startThreads<ReadQuestion, ReadAnswer>({
        threads: 1,
        program: './read-worker.mjs',
        yields: false,
        longest: LONGEST,
        subject: () => 'request',
    });
    return {
        read: async <T>(question: ReadQuestion, asker: Asker) => {
            if (lengthOf(question) <= SHORT) return readQuestion(question) as T;
            const answer = await threads.ask(question, asker);
            if (answer.kind === 'read') return revived(answer.value) as T;
            const { code, words, details } = answer.error;
            const error = new ApiError(code, words);
            error.details = details;
            throw error;
        },
        close: () => threads.close(),
    };
}

function lengthOf(question: ReadQuestion): number {
    return question.kind === 'kept' ? question.text.length : question.bytes.length;
}
