import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

/** RL81xx: scripts in rules. */
export const SCRIPT_PROBLEMS = {
    RL8101: {
        name: 'script-not-alone',
        severity: 'error',
        message: () => say`A script run must be the only body item`,
        remedy: 'give the script a rule of its own, and read its head here',
        why: 'The rows of a script fill the head of its rule as they are. What is to be joined or filtered belongs into a rule that reads them.',
        example: 'n(1). @output("p"). p(X) <- n(X), python:run("fetch").',
    },
    RL8102: {
        name: 'script-head',
        severity: 'error',
        message: () => say`A script concept needs one head atom of distinct variables`,
        remedy: 'filter and compute in a rule that reads it',
        why: 'A script returns rows as dictionaries, and the variables of the head are their keys.',
        example: '@output("p"). p(X, 1) <- python:run("fetch").',
    },
    RL8103: {
        name: 'script-name',
        severity: 'error',
        message: () => say`'python:run' takes one constant script name`,
        remedy: 'write the name of the script in double quotes',
        why: 'Which script is run is known before the program is: its name stands in the rule, with or without .py.',
        example: '@output("p"). p(X) <- python:run(1).',
    },
    RL8104: {
        name: 'script-not-found',
        severity: 'error',
        message: (script: string) => say`Script '${script}' not found`,
        remedy: 'write it beside the program, with a function main that returns a list of dictionaries',
        why: 'A rule names a script by the name of its file, which lies beside the program. There is none of this name.',
        example: '@output("p"). p(X) <- python:run("fetch").',
        scripts: [],
    },
    RL8109: {
        name: 'script-with-other-rules',
        severity: 'error',
        message: (predicate: string) => say`'${predicate}' is a script concept and cannot have other rules`,
        remedy: 'give the rows of the script a predicate of their own',
        why: 'The rows of a predicate with a script are those that the script returns, and no others.',
        example: 'p(1). @output("p"). p(X) <- python:run("fetch").',
    },
    RL8110: {
        name: 'script-not-run',
        severity: 'warning',
        message: (reason: string) => say`Scripts are not run here: ${reason}`,
        why: 'A script is a program of its own, which may do what its user may do. It is run only where somebody has allowed it, and where there is a Python.',
        example: '@output("p"). p(X) <- python:run("fetch").',
        scripts: ['fetch'],
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
