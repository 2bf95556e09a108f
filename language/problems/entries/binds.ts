import type { ProblemEntry } from '../problem-entry.ts';

/** RL606x and RL610x: binds. */
export const BIND_PROBLEMS = {
    RL6060: {
        name: 'query-bind-output',
        severity: 'error',
        message: () => 'A query bind cannot be written',
        remedy: 'use @bind',
        example: 'p(1). @output("h"). h(X) <- p(X). @qbind("h", "postgresql", "db", "select 1").',
    },
    RL6061: {
        name: 'derived-and-bound',
        severity: 'warning',
        message: (p: string) => `'${p}' is derived and bound but not an output`,
        remedy: 'add @output, unless the rows of the source shall be added to the derived ones',
        example: 'q("a"). @bind("p", "csv", "data", "p.csv"). p(X) <- q(X). @output("h"). h(X) <- p(X).',
    },
    RL6062: {
        name: 'bind-columns',
        severity: 'error',
        message: (p: string, n: number, m: number) => `Binds of '${p}' have ${n} and ${m} columns`,
        example: `@bind("p", "csv selectedColumns='[0;1]'", "data", "p.csv"). @bind("p", "csv selectedColumns='[0]'", "data", "q.csv").
@output("h"). h(X) <- p(X).`,
    },
    RL6063: {
        name: 'several-targets',
        severity: 'information',
        message: (p: string, n: number) => `'${p}' is written to ${n} targets`,
        example: `q(1). @output("p"). p(X) <- q(X).
@bind("p", "csv", "data", "a.csv"). @bind("p", "csv", "data", "b.csv").`,
    },
    RL6066: {
        name: 'unused-bind',
        severity: 'hint',
        message: (p: string) => `Bind of '${p}' is never used`,
        remedy: 'remove it',
        example: 'q(1). @output("h"). h(X) <- q(X). @bind("p", "csv", "data", "p.csv").',
        tags: ['unnecessary'],
    },
    RL6067: {
        name: 'identical-bind',
        severity: 'warning',
        message: () => 'Identical bind already given',
        remedy: 'remove it',
        example: '@bind("p", "csv", "data", "p.csv"). @bind("p", "csv", "data", "p.csv"). @output("h"). h(X) <- p(X).',
        tags: ['unnecessary'],
    },
    RL6100: {
        name: 'unknown-source-type',
        severity: 'error',
        message: (s: string) => `Unknown data source type '${s}'`,
        example: '@bind("p", "cvs", "data", "p.csv"). @output("h"). h(X) <- p(X).',
    },
    RL6101: {
        name: 'unknown-option',
        severity: 'warning',
        message: (s: string, type: string) => `Unknown option '${s}' for '${type}'`,
        example: `@bind("p", "csv useHeader=true", "data", "p.csv"). @output("h"). h(X) <- p(X).`,
    },
    RL6102: {
        name: 'missing-option-comma',
        severity: 'error',
        message: (s: string) => `Missing ',' before '${s}='`,
        remedy: "insert ','",
        example: `@bind("p", "csv useHeaders=true delimiter=';'", "data", "p.csv"). @output("h"). h(X) <- p(X).`,
    },
    RL6103: {
        name: 'quote-value',
        severity: 'hint',
        message: () => 'Quote this value',
        example: `@bind("p", "csv delimiter=;", "data", "p.csv"). @output("h"). h(X) <- p(X).`,
    },
    RL6104: {
        name: 'option-value',
        severity: 'error',
        message: (s: string, kind: string) => `'${s}' must be ${kind}`,
        example: `@bind("p", "csv useHeaders=maybe", "data", "p.csv"). @output("h"). h(X) <- p(X).`,
    },
    RL6105: {
        name: 'missing-option',
        severity: 'error',
        message: (s: string, option: string) => `'${s}' needs the option '${option}'`,
        example: '@bind("p", "cobol", "data", "p.dat"). @output("h"). h(X) <- p(X).',
    },
    RL6106: {
        name: 'repeated-option',
        severity: 'warning',
        message: (s: string) => `Option '${s}' is repeated`,
        remedy: 'remove it',
        example: `@bind("p", "csv useHeaders=true, useHeaders=true", "data", "p.csv"). @output("h"). h(X) <- p(X).`,
    },
    RL6107: {
        name: 'options-place',
        severity: 'error',
        message: () => 'Options belong to the second argument',
        remedy: 'move them there',
        example: `@bind("p", "csv", "useHeaders=true, delimiter=';'", "p.csv"). @output("h"). h(X) <- p(X).`,
    },
    RL6110: {
        name: 'secret-in-text',
        severity: 'warning',
        message: () => 'Secret in source text',
        remedy: 'name a secret of the host instead',
        example: `@bind("p", "postgresql password='hunter2'", "db", "p"). @output("h"). h(X) <- p(X).`,
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
