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
    RL5003: {
        name: 'argument-type',
        severity: 'error',
        message: (n: number, f: string, t: string) => `Argument ${n} of '${f}' must be ${t}`,
        example: 's("a"). @output("h"). h(N) <- s(S), N = math:sqrt("a").',
    },
    RL5004: {
        name: 'invalid-option',
        severity: 'error',
        message: (s: string, what: string, expected: string) => `'${s}' is not a valid ${what}; expected ${expected}`,
        example: 's("a"). @output("h"). h(N) <- s(S), N = hash:sha2(S, 200).',
    },
    RL5006: {
        name: 'malformed-schema',
        severity: 'error',
        message: (s: string) => `Malformed schema text: ${s}`,
        remedy: 'Write "name:type, name:type".',
        example: 's("{}"). @output("h"). h(N) <- s(S), N = as_struct(S, "a").',
    },
    RL5007: {
        name: 'computed-field-name',
        severity: 'error',
        message: () => 'Field names must be constant strings',
        example: 's("a"). @output("h"). h(N) <- s(S), N = struct(S, 1).',
    },
    RL5008: {
        name: 'repeated-field',
        severity: 'error',
        message: (s: string) => `Duplicate or unpaired field '${s}'`,
        example: 's("a"). @output("h"). h(N) <- s(S), N = struct("a", 1, "a", S).',
    },
    RL5011: {
        name: 'position-zero',
        severity: 'warning',
        message: () => 'Positions start at 1',
        example: 's([1]). @output("h"). h(N) <- s(S), N = collections:get(S, 0).',
    },
    RL5012: {
        name: 'explode-place',
        severity: 'error',
        message: () => "'explode' must be the whole right side of an assignment",
        remedy: 'Assign it to a variable of its own first.',
        example: 's([1]). @output("h"). h(N) <- s(S), N = collections:explode(S) + 1.',
    },
    RL5013: {
        name: 'lambda-syntax',
        severity: 'error',
        message: (s: string) => `Lambda syntax: ${s}`,
        remedy: 'Write "x -> …" or "(x, i) -> …".',
        example: 's([1]). @output("h"). h(N) <- s(S), N = collections:filter(S, "x => x").',
    },
    RL5014: {
        name: 'unknown-lambda-name',
        severity: 'error',
        message: (s: string) => `Unknown name '${s}' in lambda`,
        example: 's([1]). @output("h"). h(N) <- s(S), N = collections:filter(S, "x -> y").',
    },
    RL5015: {
        name: 'computed-lambda',
        severity: 'error',
        message: () => 'The lambda must be a constant string',
        example: 's([1], "x"). @output("h"). h(N) <- s(S, L), N = collections:filter(S, L).',
    },
    RL5016: {
        name: 'unknown-pattern-letter',
        severity: 'error',
        message: (s: string) => `Unknown pattern letter '${s}'`,
        example: 's(2031-04-09). @output("h"). h(N) <- s(S), N = date:format(S, "YYYY").',
    },
    RL5020: {
        name: 'literal-replace',
        severity: 'hint',
        message: () => "'replace' is literal; this looks like a pattern",
        example: 's("a"). @output("h"). h(N) <- s(S), N = replace(S, "\\\\s+", "").',
    },
    RL5021: {
        name: 'needs-provider',
        severity: 'information',
        message: (f: string) => `'${f}' needs a provider and is not run by the embedded evaluator`,
        example: 's("a"). @output("h"). h(N) <- s(S), N = llm:generate(S).',
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
