import { counted } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

/** RL71xx: relation functions. */
export const RELATION_FUNCTION_PROBLEMS = {
    RL7101: {
        name: 'relation-function-columns',
        severity: 'error',
        message: (f: string, columns: readonly string[], head: number) =>
            say`'${f}' returns (${columns.join(', ')}) with these options but the head has ${counted(head, 'column')}`,
        remedy: 'give the head one term for each column',
        why: 'The columns of the result fill the head in order. How many there are depends on the function and its options.',
        example: 'e(1, 2). @output("t"). t(X) <- #TC(e).',
    },
    RL7103: {
        name: 'unknown-relation-option',
        severity: 'error',
        message: (option: string, f: string) => say`Unknown option '${option}' of '${f}'`,
        why: 'The function has a fixed set of options, and this is none of them.',
        example: 'e(1, 2). @output("t"). t(X, Y, V) <- #PATHS(e, "visitd=true").',
    },
    RL7104: {
        name: 'repeated-relation-option',
        severity: 'error',
        message: (option: string) => say`Option '${option}' is repeated`,
        remedy: 'remove one of them',
        why: 'The option is given twice. Only one of the two values can count.',
        example: 'e(1, 2). @output("t"). t(X, S) <- #DC(e, "type=in, type=out").',
    },
    RL7105: {
        name: 'relation-option-value',
        severity: 'error',
        message: (option: string, expected: string) => say`'${option}' must be ${expected}`,
        why: 'The option takes a certain kind of value, or one within certain bounds, and this is not one.',
        example: 'e(1, 2). @output("t"). t(X, S) <- #PR(e, "damping=1").',
    },
    RL7106: {
        name: 'excluding-relation-options',
        severity: 'error',
        message: (first: string, second: string) => say`Options '${first}' and '${second}' exclude each other`,
        remedy: 'remove one of them',
        why: 'Both options say from where, or to where, paths are looked for. Together they have no meaning.',
        example: 'e(1, 2). @output("t"). t(X, Y, L) <- #BFS(e, "source=1, sources=[1,2]").',
    },
    RL7107: {
        name: 'missing-relation-option',
        severity: 'error',
        message: (f: string, option: string) => say`'${f}' needs the option '${option}'`,
        why: 'The function cannot start without the option.',
        example: 'e(1, 2, 3). @output("t"). t(X, Y, C) <- #SSSP(e).',
    },
    RL7108: {
        name: 'recursion-through-relation-function',
        severity: 'error',
        message: (f: string, predicate: string) => say`'${f}' reads '${predicate}', which depends on this rule`,
        remedy: 'break the cycle, so that the input is finished first',
        why: 'A graph function reads a finished relation. Here the relation is only finished when the result of the function is known.',
        example: 'e(1, 2). @output("t"). t(X, Y) <- #TC(u). u(X, Y) <- e(X, Y). u(X, Y) <- t(X, Y).',
    },
    RL7109: {
        name: 'relation-function-input',
        severity: 'error',
        message: (f: string, needed: number, predicate: string, columns: number) =>
            predicate === ''
                ? say`'${f}' needs ${needed} input columns but the query returns ${columns}`
                : say`'${f}' needs ${needed} input columns but '${predicate}' has ${columns}`,
        remedy: 'give it a predicate of the columns that it needs',
        why: 'A graph function reads edges: two columns for the ends, and a third for the weight where it needs one.',
        example: 'e(1, 2). @output("t"). t(X, Y, C) <- #ASP(e).',
    },
    RL7110: {
        name: 'ignored-input-columns',
        severity: 'warning',
        message: (f: string, columns: number) => say`'${f}' ignores columns after ${columns}`,
        why: 'The function reads the ends of edges and ignores the other columns. Where weights were to count, another function is meant.',
        example: 'e(1, 2, 3). @output("t"). t(X, Y) <- #TC(e).',
    },
    RL7111: {
        name: 'all-paths-without-visited',
        severity: 'warning',
        message: () => say`'all_paths' has no effect without 'visited=true'`,
        remedy: "add 'visited=true'",
        why: "Without 'visited=true' the result is which nodes are connected, and that does not depend on how many paths there are.",
        example: 'e(1, 2). @output("t"). t(X, Y) <- #PATHS(e, "all_paths=true").',
    },
    RL7120: {
        name: 'placeholder-without-value',
        severity: 'error',
        message: (placeholder: string) => say`Placeholder '${placeholder}' has no value`,
        remedy: 'name a bound variable, an argument as arg_1, or a parameter',
        why: 'Each placeholder of a prompt is filled for every row. Nothing has this name.',
        example: `s("a"). @output("h"). h(N) <- s(Thing), N = llm:generate("Describe \${Think}").`,
    },
    RL7121: {
        name: 'unused-prompt-argument',
        severity: 'hint',
        message: (n: number) => say`Argument ${n} is not used by the prompt`,
        remedy: 'remove it, or name it in the prompt',
        why: 'The value is computed for each row and then not used: the prompt does not mention it.',
        example: 's("a"). @output("h"). h(N) <- s(S), N = llm:generate("Hello", S).',
    },
    RL7122: {
        name: 'prompt-column',
        severity: 'error',
        message: (n: number) => say`Input has only ${counted(n, 'column')}`,
        why: "'arg_1' stands for the first column of the input. There is no column with this number.",
        example: 's("a"). @output("h"). h(X, Y) <- #LLM(s, "prompt=Describe {arg_2}").',
    },
    RL7123: {
        name: 'prompt-count',
        severity: 'error',
        message: (n: number) => (n === 1 ? say`There is only 1 prompt` : say`There are only ${n} prompts`),
        why: "'llm_1' stands for the answer to the first prompt. There is no prompt with this number.",
        example: 's("a"). @output("h"). h(X, Y) <- #LLM(s, "prompt=Describe {arg_1}, projected_columns=arg_1:llm_2").',
    },
    RL7124: {
        name: 'prompt-numbers',
        severity: 'error',
        message: () => say`Prompt numbers must be consecutive from 1`,
        why: 'Answers fill the columns in the order of the numbers of their prompts. A gap leaves a column without an answer.',
        example: 's("a"). @output("h"). h(X, Y, Z) <- #LLM(s, "prompt_1=Describe {arg_1}, prompt_3=Why?").',
    },
    RL7112: {
        name: 'mixed-endpoints',
        severity: 'error',
        message: () => say`Both endpoints must be structs or both simple`,
        remedy: 'make structs of both columns, or of none',
        why: 'A graph function compares the ends of edges to find where one continues the other. A struct never equals a simple value, so no path would lead on.',
        example: 'a(1, 2). e(struct("id", X), Y) <- a(X, Y). @output("t"). t(X, Y) <- #TC(e).',
    },
    RL7113: {
        name: 'unknown-relation-function',
        severity: 'error',
        message: (f: string) => say`Unknown relation function '${f}'`,
        why: 'No graph function has this name. Mostly it is misspelt; docs/functions.md lists them all.',
        example: 'e(1, 2). @output("t"). t(X, Y) <- #TCX(e).',
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
