import { object, type Shape, textUpTo } from './shape.ts';

/** Requests about problems, by method name. They run nothing and need no trust. */
export type ProblemRequests = {
    /** What a code means, as Markdown; nothing where there is no such code. */
    'rulelang/problemHelp': { readonly params: { readonly code: string }; readonly result: string | null };
};

/** What the client calls for the action that explains a problem; the code is its argument. */
export const EXPLAIN_PROBLEM = 'rulelang.explainProblem';

export const isProblemHelpQuestion: Shape<ProblemRequests['rulelang/problemHelp']['params']> = object({ code: textUpTo(64) });
