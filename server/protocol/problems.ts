import { either, isText, object, oneOf, textUpTo } from './shape.ts';

/** Requests about problems, by method name. They run nothing and need no trust. */
export const PROBLEM_METHODS = {
    /** The meaning of a code, as Markdown; null for an unknown code. */
    'rulelang/problemHelp': { params: object({ code: textUpTo(64) }), result: either(isText, oneOf(null)), needs: 'a code' },
} as const;

/** The client's command that explains a problem; the code is its argument. */
export const EXPLAIN_PROBLEM = 'rulelang.explainProblem';
