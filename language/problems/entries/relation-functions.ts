import type { ProblemEntry } from '../problem-entry.ts';

/** RL71xx: relation functions. */
export const RELATION_FUNCTION_PROBLEMS = {
    RL7101: {
        name: 'relation-function-columns',
        severity: 'error',
        message: (f: string, columns: string, head: number) =>
            `'${f}' returns (${columns}) with these options but the head has ${head} ${head === 1 ? 'column' : 'columns'}`,
        remedy: 'give the head one term for each column',
        example: 'e(1, 2). @output("t"). t(X) <- #TC(e).',
    },
    RL7103: {
        name: 'unknown-relation-option',
        severity: 'error',
        message: (option: string, f: string) => `Unknown option '${option}' of '${f}'`,
        example: 'e(1, 2). @output("t"). t(X, Y, V) <- #PATHS(e, "visitd=true").',
    },
    RL7104: {
        name: 'repeated-relation-option',
        severity: 'error',
        message: (option: string) => `Option '${option}' is repeated`,
        remedy: 'remove one of them',
        example: 'e(1, 2). @output("t"). t(X, S) <- #DC(e, "type=in, type=out").',
    },
    RL7105: {
        name: 'relation-option-value',
        severity: 'error',
        message: (option: string, expected: string) => `'${option}' must be ${expected}`,
        example: 'e(1, 2). @output("t"). t(X, S) <- #PR(e, "damping=1").',
    },
    RL7106: {
        name: 'excluding-relation-options',
        severity: 'error',
        message: (first: string, second: string) => `Options '${first}' and '${second}' exclude each other`,
        remedy: 'remove one of them',
        example: 'e(1, 2). @output("t"). t(X, Y, L) <- #BFS(e, "source=1, sources=[1,2]").',
    },
    RL7107: {
        name: 'missing-relation-option',
        severity: 'error',
        message: (f: string, option: string) => `'${f}' needs the option '${option}'`,
        example: 'e(1, 2, 3). @output("t"). t(X, Y, C) <- #SSSP(e).',
    },
    RL7108: {
        name: 'recursion-through-relation-function',
        severity: 'error',
        message: (f: string, predicate: string) => `'${f}' reads '${predicate}', which depends on this rule`,
        remedy: 'break the cycle, so that the input is finished first',
        example: 'e(1, 2). @output("t"). t(X, Y) <- #TC(u). u(X, Y) <- e(X, Y). u(X, Y) <- t(X, Y).',
    },
    RL7109: {
        name: 'relation-function-input',
        severity: 'error',
        message: (f: string, needed: number, predicate: string, columns: number) =>
            `'${f}' needs ${needed} input columns but '${predicate}' has ${columns}`,
        remedy: 'give it a predicate of the columns that it needs',
        example: 'e(1, 2). @output("t"). t(X, Y, C) <- #ASP(e).',
    },
    RL7110: {
        name: 'ignored-input-columns',
        severity: 'warning',
        message: (f: string, columns: number) => `'${f}' ignores columns after ${columns}`,
        example: 'e(1, 2, 3). @output("t"). t(X, Y) <- #TC(e).',
    },
    RL7111: {
        name: 'all-paths-without-visited',
        severity: 'warning',
        message: () => "'all_paths' has no effect without 'visited=true'",
        remedy: "add 'visited=true'",
        example: 'e(1, 2). @output("t"). t(X, Y) <- #PATHS(e, "all_paths=true").',
    },
    RL7120: {
        name: 'placeholder-without-value',
        severity: 'error',
        message: (placeholder: string) => `Placeholder '${placeholder}' has no value`,
        remedy: 'name a bound variable, an argument as arg_1, or a parameter',
        example: `s("a"). @output("h"). h(N) <- s(Thing), N = llm:generate("Describe \${Think}").`,
    },
    RL7121: {
        name: 'unused-prompt-argument',
        severity: 'hint',
        message: (n: number) => `Argument ${n} is not used by the prompt`,
        remedy: 'remove it, or name it in the prompt',
        example: 's("a"). @output("h"). h(N) <- s(S), N = llm:generate("Hello", S).',
    },
    RL7122: {
        name: 'prompt-column',
        severity: 'error',
        message: (n: number) => `Input has only ${n} ${n === 1 ? 'column' : 'columns'}`,
        example: 's("a"). @output("h"). h(X, Y) <- #LLM(s, "prompt=Describe {arg_2}").',
    },
    RL7123: {
        name: 'prompt-count',
        severity: 'error',
        message: (n: number) => (n === 1 ? 'There is only 1 prompt' : `There are only ${n} prompts`),
        example: 's("a"). @output("h"). h(X, Y) <- #LLM(s, "prompt=Describe {arg_1}, projected_columns=arg_1:llm_2").',
    },
    RL7124: {
        name: 'prompt-numbers',
        severity: 'error',
        message: () => 'Prompt numbers must be consecutive from 1',
        example: 's("a"). @output("h"). h(X, Y, Z) <- #LLM(s, "prompt_1=Describe {arg_1}, prompt_3=Why?").',
    },
    RL7113: {
        name: 'unknown-relation-function',
        severity: 'error',
        message: (f: string) => `Unknown relation function '${f}'`,
        example: 'e(1, 2). @output("t"). t(X, Y) <- #TCX(e).',
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
