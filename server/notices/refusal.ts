import { say } from '#language/program/say.ts';

/**
 * Parts of a request that can be refused. A handler names the one that it answers for: `question` about the results of a run, `trial` of a
 * program, `source` of rows, `document` and `query` to translate, `service` to ask, `file` of kept rows.
 */
export type RefusalCode = 'question' | 'trial' | 'source' | 'document' | 'query' | 'service' | 'file';

/** Refuses what a user has asked for; the message is for the user. */
export class Refusal extends Error {
    readonly code: RefusalCode;

    constructor(message: string, code: RefusalCode = 'question') {
        super(message);
        this.code = code;
    }
}

/** The process that should answer has ended. It is a class of its own for the reason of an unforeseen end, which is logged. */
export class ProcessEnded extends Refusal {
    readonly defect: string | undefined;

    constructor(defect: string | undefined) {
        super(say`The process of this run has ended. Run the program again`);
        this.defect = defect;
    }
}

export function isRefusal(error: unknown, code: RefusalCode): error is Refusal {
    return error instanceof Refusal && error.code === code;
}

export function refuse(message: string, code: RefusalCode = 'question'): never {
    throw new Refusal(message, code);
}
