/**
 * Functions that a host answers for the evaluator, which has no network and no models of its own: language models, vector stores, functions
 * that a program declares with `@implement`. Without it, such a call ends the run with RT060.
 */
export interface Providers {
    /** The function of this name, as the catalogue or `@implement` writes it; undefined where the host has none. */
    find(name: string): Provided | undefined;
    /** Says how the user gets a missing function; the usual remedy of RT060 if absent. */
    remedy?(name: string): string | undefined;
}

/** Of a host that answers nothing. */
export const NO_PROVIDERS: Providers = { find: () => undefined };

/**
 * Answers calls that are all different, in their order. A call is the text form of its arguments, undefined for unknown ones; the text of its
 * answer becomes a value of the type that the call has, and undefined an unknown value. Functions with a prompt get it filled, and their options;
 * `#LLM` the type of the answer too. `look` throws when the run has to end. It fails with a
 * `ProvidedFailed`, or a `ProvidedMissing`.
 */
export type Provided = (calls: readonly ProvidedArguments[], look: () => void) => Promise<readonly ProvidedReply[]>;

export type ProvidedArguments = readonly (string | undefined)[];
export type ProvidedReply = string | undefined;

/** Why calls have no answer; the message goes on from their name: `was not answered: …`. */
export class ProvidedFailed extends Error {
    readonly remedy: string | undefined;

    constructor(message: string, remedy?: string) {
        super(message);
        this.remedy = remedy;
    }
}

/** The host has no such function, as it turns out when it is asked: the same as where it finds none. */
export class ProvidedMissing extends Error {
    readonly remedy: string | undefined;

    constructor(remedy: string | undefined) {
        super();
        this.remedy = remedy;
    }
}
