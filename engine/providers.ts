/**
 * What a host answers for the evaluator, which has no network and no models of its own: language models, vector stores,
 * functions that a program declares with `@implement`. Without it such a call ends the run with RT060.
 */
export interface Providers {
    /** The function of this name, as the catalogue or `@implement` writes it; undefined where the host has none. */
    find(name: string): Provided | undefined;
}

/**
 * Gets the text form of the arguments, undefined for unknown ones, and gives the text of its answer, which becomes a value
 * of the type that the call has; undefined gives an unknown value. It answers at once: a host that has to wait for its
 * answers evaluates in a thread where it can.
 */
export type Provided = (args: readonly (string | undefined)[]) => string | undefined;
