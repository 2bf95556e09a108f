import { say } from '#language/program/say.ts';
/** A question that makes no sense for the results of a run; the message is for the user. */
export class Refusal extends Error {}

/** The process that should answer has ended. */
export class ProcessEnded extends Refusal {
    /** The reason of an unforeseen end. */
    readonly defect: string | undefined;

    constructor(defect: string | undefined) {
        super(say`The process of this run has ended. Run the program again`);
        this.defect = defect;
    }
}

export function refuse(message: string): never {
    throw new Refusal(message);
}
