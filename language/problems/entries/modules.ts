import type { ProblemEntry } from '../problem-entry.ts';

/** RL801x: modules. What an include finds, only the host knows: the examples stand beside further files. */
export const MODULE_PROBLEMS = {
    RL8010: {
        name: 'unknown-module',
        severity: 'error',
        message: (s: string) => `Module '${s}' not found`,
        remedy: 'write the name of a module, or the path of a file',
        example: '@include("othr"). p(1). @output("h"). h(X) <- p(X).',
        modules: { 'a.rulelang': '@module("other").' },
    },
    RL8011: {
        name: 'ambiguous-module',
        severity: 'error',
        message: (s: string) => `Module name '${s}' is used by two files`,
        remedy: 'rename one of the modules',
        example: '@include("twice"). p(1). @output("h"). h(X) <- p(X).',
        modules: { 'one.rulelang': '@module("twice").', 'two.rulelang': '@module("twice").' },
    },
    RL8012: {
        name: 'circular-include',
        severity: 'information',
        message: (s: string) => `Modules include each other: ${s}`,
        example: '@include("other"). p(1). @output("h"). h(X) <- p(X).',
        modules: { 'other.rulelang': '@module("other"). @include("example").' },
    },
    RL8013: {
        name: 'outputs-of-module',
        severity: 'information',
        message: () => 'Outputs of the included module are ignored',
        example: '@include("other"). @output("h"). h(X) <- p(X).',
        modules: { 'other.rulelang': '@module("other"). p(1). @output("q"). q(X) <- p(X).' },
    },
    RL8014: {
        name: 'late-module-name',
        severity: 'hint',
        message: () => "'@module' should be the first clause",
        remedy: 'move it to the top of the file',
        example: 'p(1). @module("m").',
    },
    RL8015: {
        name: 'repeated-include',
        severity: 'warning',
        message: () => 'Module is included twice',
        remedy: 'remove one of the includes',
        example: '@include("other"). @include("other.rulelang"). @output("h"). h(X) <- p(X).',
        modules: { 'other.rulelang': '@module("other"). p(1).' },
        tags: ['unnecessary'],
    },
    RL8016: {
        name: 'errors-in-module',
        severity: 'error',
        message: (s: string, file: string, problem: string) => `Module '${s}' has errors; the first is in ${file}: ${problem}`,
        remedy: 'open the module and correct them',
        example: '@include("other"). @output("h"). h(X) <- p(X).',
        modules: { 'other.rulelang': '@module("other"). p(1). p(X) <- q(X), X > Y.' },
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
