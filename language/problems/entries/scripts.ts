import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

function quoted(names: readonly string[]): string {
    return names.map(name => `'${name}'`).join(', ');
}

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
        scripts: {},
    },
    RL8105: {
        name: 'script-without-main',
        severity: 'error',
        message: (script: string) => say`Script '${script}' must define 'main' with zero or one parameter`,
        remedy: 'write def main(params): at the left margin, and return a list of dictionaries',
        why: 'A run calls the function main of the script, with the parameters where it takes some. There is none that can be called so.',
        example: '@output("p"). p(X) <- python:run("fetch").',
        scripts: { fetch: 'def rows():\n    return []\n' },
    },
    RL8106: {
        name: 'script-columns',
        severity: 'error',
        message: (missing: readonly string[], unexpected: readonly string[]) =>
            missing.length === 0
                ? say`Returned columns do not match the head: unexpected ${quoted(unexpected)}`
                : unexpected.length === 0
                  ? say`Returned columns do not match the head: missing ${quoted(missing)}`
                  : say`Returned columns do not match the head: missing ${quoted(missing)}, unexpected ${quoted(unexpected)}`,
        remedy: 'give each row the variables of the head as its keys, letter by letter',
        why: 'The keys of the rows that a script returns are the variables of the head. A run ends at a row that has others.',
        example: '@output("p"). p(City, Temp) <- python:run("fetch").',
        scripts: { fetch: 'def main():\n    return [{"City": "Oslo", "temp": 3}]\n' },
    },
    RL8107: {
        name: 'script-result',
        severity: 'error',
        message: (returned: string) => say`'main' must return a list of dictionaries, and not ${returned}`,
        remedy: 'return [{…}, {…}], one dictionary for each row',
        why: 'What a script returns become the rows of the head: a list, or whatever else yields them, of dictionaries.',
        example: '@output("p"). p(X) <- python:run("fetch").',
        scripts: { fetch: 'def main():\n    return {"X": 1}\n' },
    },
    RL8108: {
        name: 'script-parameter',
        severity: 'warning',
        message: (parameter: string) => say`Script reads parameter '${parameter}', which is not declared`,
        remedy: 'declare it with @param',
        why: 'A script gets the parameters that the program declares, and those that the run is given. Nothing gives this one a value.',
        example: '@output("p"). p(X) <- python:run("fetch").',
        scripts: { fetch: 'def main(params):\n    return [{"X": params["city"]}]\n' },
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
        why: 'A script is a program of its own. Where the system has no walls for it, it may do what its user may do. It is run only where somebody has allowed it, and where there is a Python.',
        example: '@output("p"). p(X) <- python:run("fetch").',
        scripts: { fetch: 'def main():\n    return []\n' },
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
