import type { ProblemEntry } from '../problem-entry.ts';

/** RL1xxx: names and arity. */
export const NAME_PROBLEMS = {
    RL1101: {
        name: 'undefined-predicate',
        severity: 'error',
        message: (p: string) => `Predicate '${p}' is not defined: no rule, fact, bind or @input`,
        remedy: 'define it, or declare it with @input',
        example: 'p(1). @output("h"). h(X) <- pp(X).',
    },
    RL1102: {
        name: 'too-many-terms',
        severity: 'error',
        message: (p: string, n: number, m: number) => `'${p}' has ${n} columns but ${m} are given`,
        remedy: 'remove terms, or add columns to its definition',
        example: 'p(1, 2). @output("h"). h(X) <- p(X, _, _).',
    },
    RL1103: {
        name: 'several-arities',
        severity: 'warning',
        message: (p: string, n: number, m: number) => `'${p}' is defined with ${n} and with ${m} columns; these are different predicates`,
        remedy: "pad the shorter head with '_', or rename one",
        example: 'p(1). p(1, 2). @output("h"). h(X) <- p(X), p(X, _).',
    },
    RL1104: {
        name: 'ignored-columns',
        severity: 'warning',
        message: (p: string, n: number, m: number) => `'${p}' has ${n} columns; the last ${m} are ignored`,
        remedy: "pad with '_'",
        example: 'p(1, 2). @output("h"). h(X) <- p(X).',
    },
    RL1105: {
        name: 'ambiguous-arity',
        severity: 'error',
        message: (p: string) => `'${p}' exists with several arities; write all columns`,
        remedy: "pad with '_' to the arity that is meant",
        example: 'p(1, 2). p(1, 2, 3). @output("h"). h(X) <- p(X).',
    },
    RL1106: {
        name: 'ambiguous-annotation',
        severity: 'error',
        message: (p: string) => `'${p}' exists with several arities; the annotation is ambiguous`,
        remedy: 'rename one of the predicates',
        example: 'n(1). p(X) <- n(X). p(X, X) <- n(X). @output("p").',
    },
    RL1107: {
        name: 'expression-in-atom',
        severity: 'error',
        message: () => 'Expressions are not allowed in body atoms',
        remedy: 'give the value to a variable and compare it',
        example: 'p(1). @output("h"). h(X) <- p(X), p(X + 1).',
    },
    RL1110: {
        name: 'unused-predicate',
        severity: 'warning',
        message: (p: string) => `'${p}' is never used and is not an output`,
        remedy: 'add @output, or remove its clauses',
        example: 'p(1). @output("h"). h(X) <- p(X). k(X) <- p(X).',
        tags: ['unnecessary'],
    },
    RL1112: {
        name: 'empty-predicate',
        severity: 'warning',
        message: (p: string) => `'${p}' can never have facts: it depends only on itself or on empty predicates`,
        remedy: 'add a rule, a fact, a bind or @input',
        example: `@model("p", "['name:string']"). @output("h"). h(X) <- p(X).`,
    },
    RL1116: {
        name: 'nothing-new',
        severity: 'warning',
        message: () => 'The head repeats a body atom; the rule derives nothing new',
        remedy: 'remove the rule',
        example: 'q(1). p(2). @output("p"). p(X) <- p(X), q(X).',
    },
    RL1210: {
        name: 'predicate-or-function',
        severity: 'warning',
        message: (s: string) => `'${s}' is both a predicate and a function; it is read as a predicate`,
        remedy: 'rename the predicate',
        example: 'contains("ab", "b"). @output("h"). h(X) <- contains(X, Y), contains(X, Y).',
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
