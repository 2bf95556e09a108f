import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

/** RL801x: modules. What an include finds, only the host knows: the examples stand beside further files. */
export const MODULE_PROBLEMS = {
    RL8010: {
        name: 'unknown-module',
        severity: 'error',
        message: (s: string) => say`Module '${s}' not found`,
        remedy: 'write the name of a module, or the path of a file',
        why: 'No file in the workspace calls itself so, and there is no file at that path.',
        example: '@include("othr"). p(1). @output("h"). h(X) <- p(X).',
        modules: { 'a.rulelang': '@module("other").' },
    },
    RL8011: {
        name: 'ambiguous-module',
        severity: 'error',
        message: (s: string) => say`Module name '${s}' is used by two files`,
        remedy: 'rename one of the modules',
        why: 'An include could mean either of the files, and which one is found first must not decide what a program means.',
        example: '@include("twice"). p(1). @output("h"). h(X) <- p(X).',
        modules: { 'one.rulelang': '@module("twice").', 'two.rulelang': '@module("twice").' },
    },
    RL8012: {
        name: 'circular-include',
        severity: 'information',
        message: (s: string) => say`Modules include each other: ${s}`,
        why: 'Each of the modules includes the other. That is allowed, and each counts once; it is only a remark.',
        example: '@include("other"). p(1). @output("h"). h(X) <- p(X).',
        modules: { 'other.rulelang': '@module("other"). @include("example").' },
    },
    RL8013: {
        name: 'outputs-of-module',
        severity: 'information',
        message: () => say`Outputs of the included module are ignored`,
        why: 'Only the outputs of the program that is run are shown and written. Those of a module count when the module is run by itself.',
        example: '@include("other"). @output("h"). h(X) <- p(X).',
        modules: { 'other.rulelang': '@module("other"). p(1). @output("q"). q(X) <- p(X).' },
    },
    RL8014: {
        name: 'late-module-name',
        severity: 'hint',
        message: () => say`'@module' should be the first clause`,
        remedy: 'move it to the top of the file',
        why: 'The name of a module is about the whole file. Readers look for it at the top.',
        example: 'p(1). @module("m").',
    },
    RL8015: {
        name: 'repeated-include',
        severity: 'warning',
        message: () => say`Module is included twice`,
        remedy: 'remove one of the includes',
        why: 'A module counts once, however often it is included.',
        example: '@include("other"). @include("other.rulelang"). @output("h"). h(X) <- p(X).',
        modules: { 'other.rulelang': '@module("other"). p(1).' },
        tags: ['unnecessary'],
    },
    RL8016: {
        name: 'errors-in-module',
        severity: 'error',
        message: (s: string, file: string, problem: string) => say`Module '${s}' has errors; the first is in ${file}: ${problem}`,
        remedy: 'open the module and correct them',
        why: 'The program is made of all its modules, so it cannot run while one of them has errors.',
        example: '@include("other"). @output("h"). h(X) <- p(X).',
        modules: { 'other.rulelang': '@module("other"). p(1). p(X) <- q(X), X > Y.' },
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
