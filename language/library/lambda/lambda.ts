import type { Expression } from '#language/program/program.ts';

/**
 * The second argument of `transform` and `filter` (D-56). Its body is an expression of the rule language in other words,
 * over its own parameters alone, so that it is typed and evaluated as any expression is.
 */
export interface Lambda {
    /** The element and, where it is written, its 0-based position. */
    readonly parameters: readonly string[];
    readonly body: Expression;
}

/** A mistake in the text of a lambda, with its place in the text. */
export interface LambdaProblem {
    /** RL5013: the text is not written as a lambda; RL5014: a name stands for nothing. */
    readonly kind: 'syntax' | 'unknown name';
    /** For `unknown name`, the name. */
    readonly words: string;
    readonly offset: number;
    readonly length: number;
}

export type ReadLambda = { readonly ok: true; readonly lambda: Lambda } | { readonly ok: false; readonly problem: LambdaProblem };
