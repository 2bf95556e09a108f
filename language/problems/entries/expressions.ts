import type { ProblemEntry } from '../problem-entry.ts';

/** RL4xxx and RL5xxx: constant conditions and functions. */
export const EXPRESSION_PROBLEMS = {
    RL4010: {
        name: 'division-by-zero',
        severity: 'error',
        message: () => 'Division by zero',
        example: 'p(1). @output("h"). h(Y) <- p(X), Y = X / 0.',
    },
    RL5001: {
        name: 'unknown-function',
        severity: 'error',
        message: (f: string) => `Unknown function '${f}'`,
        example: 's("a"). @output("h"). h(N) <- s(S), N = lenght(S).',
    },
    RL5002: {
        name: 'function-arguments',
        severity: 'error',
        message: (f: string, n: string, m: number) => `'${f}' takes ${n} arguments but ${m} are given`,
        example: 's("a"). @output("h"). h(N) <- s(S), N = string_length(S, S).',
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
