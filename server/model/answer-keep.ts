import { createHash } from 'node:crypto';
import type { DataDirectory } from '#server/store/data-directory.ts';

/** A question to a model with everything on which its answer may depend. */
export interface KeptQuestion {
    readonly kind: 'text' | 'vector';
    readonly provider: string;
    readonly baseUrl: string;
    readonly model: string;
    /** The question and its options. */
    readonly asked: unknown;
}

/** Answers of models in a data directory, each in a file that is called by its question, so that a program that asks again gets the same. */
export interface AnswerKeep {
    get(question: KeptQuestion): string | undefined;
    put(question: KeptQuestion, answer: string): void;
}

/** Changes where the same question would be asked in another way. */
const VERSION = 1;

/** Opens the directory when it is first needed. */
export function answerKeep(open: () => Pick<DataDirectory, 'read' | 'write'>): AnswerKeep {
    let opened: ReturnType<typeof open> | undefined;
    const data = (): ReturnType<typeof open> => {
        opened ??= open();
        return opened;
    };
    return {
        get: question => data().read(nameOf(question))?.toString(),
        put: (question, answer) => data().write(nameOf(question), answer),
    };
}

function nameOf({ kind, provider, baseUrl, model, asked }: KeptQuestion): string {
    const text = JSON.stringify([VERSION, kind, provider, baseUrl, model, asked]);
    const hash = createHash('sha256').update(text).digest('hex');
    return `answers/${hash.slice(0, 2)}/${hash}`;
}
