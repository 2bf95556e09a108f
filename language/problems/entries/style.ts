import type { ProblemEntry } from '../problem-entry.ts';

/** RL9xxx: style. */
export const STYLE_PROBLEMS = {
    RL9001: {
        name: 'singleton-variable',
        severity: 'hint',
        message: (v: string) => `'${v}' is used only once`,
        remedy: "prefix it with '_'",
        why: "A variable that occurs once joins nothing and is not used. It may be a slip of the pen; with '_' in front it says that any value will do.",
        example: 'p(1, 2). @output("h"). h(X) <- p(X, Y).',
        tags: ['unnecessary'],
    },
    RL9002: {
        name: 'cartesian-product',
        severity: 'warning',
        message: (s: string) => `No join condition between ${s} (cartesian product)`,
        why: 'Nothing connects the atoms, so every fact of one is combined with every fact of the other. With a thousand facts each, that makes a million rows.',
        example: 'p(1). q(2). @output("h"). h(X, Y) <- p(X), q(Y).',
    },
    RL9004: {
        name: 'anonymous-repeated',
        severity: 'warning',
        message: (v: string) => `'${v}' occurs twice but anonymous variables never join`,
        remedy: "remove the '_' to join",
        why: "Each '_' stands for any value, independently of others, also where it has a name. The two places need not be equal.",
        example: 'p(1, 2). @output("h"). h(X) <- p(X, _Y), p(_Y, X).',
    },
    RL9022: {
        name: 'no-effect',
        severity: 'hint',
        message: (s: string) => `'${s}' has no effect`,
        remedy: 'remove it',
        why: 'What it asks for is the case anyway.',
        example: 'p(1). @output("h"). h(X) <- p(X). @post("h", "unique").',
        tags: ['unnecessary'],
    },
    RL9023: {
        name: 'facts-and-rules',
        severity: 'hint',
        message: (p: string) => `'${p}' mixes facts and rules`,
        why: 'Some rows of the predicate are stated and some derived. Explanations and files are easier to follow when the stated facts have a predicate of their own.',
        example: 'p(1). h(2). @output("h"). h(X) <- p(X).',
    },
    RL9024: {
        name: 'second-assignment',
        severity: 'hint',
        message: (v: string) => `Second '${v} = …' is a condition`,
        remedy: "write '=='",
        why: "The first '=' gives the variable its value. The second one only compares, which '==' shows.",
        example: 'p(1). @output("h"). h(Y) <- p(X), Y = X + 1, Y = 2.',
    },
    RL9026: {
        name: 'assignment-order',
        severity: 'hint',
        message: (v: string) => `Assignment uses '${v}' before it is assigned`,
        remedy: 'move it behind',
        why: 'The order of items does not matter to a run, but people read from left to right.',
        example: 'p(1). @output("h"). h(B) <- p(X), B = A + 1, A = X * 2.',
    },
    RL9030: {
        name: 'deprecated',
        severity: 'hint',
        message: (s: string, instead: string) => {
            if (instead === '') return `'${s}' is deprecated`;
            return /^[\w:]+$/u.test(instead) ? `'${s}' is deprecated; use '${instead}'` : `'${s}' is deprecated: ${instead}`;
        },
        why: 'There is a newer name or form. The old one still works and may be dropped some day.',
        example: 'p(1, 2). @output("h"). h(X, Y) <- p(X, Y). @post("h", "mmin(2)").',
        tags: ['deprecated'],
    },
    RL9040: {
        name: 'unused-ignore',
        severity: 'hint',
        message: (code: string) => `Nothing here has the problem '${code}', which this comment ignores`,
        remedy: 'remove it',
        why: 'The comment was for a problem that is gone. Left in place, it would hide the next one.',
        example: '% rulelang-ignore RL9001\np(1).\n@output("h"). h(X) <- p(X).',
        tags: ['unnecessary'],
    },
    RL9041: {
        name: 'ignore-without-effect',
        severity: 'warning',
        message: (reason: string) => `This comment has no effect: ${reason}`,
        remedy: 'remove it',
        why: 'Only known codes that are no errors can be ignored. A comment that ignores nothing gives a wrong idea of what was checked.',
        example: '% rulelang-ignore RL4242\np(1).\n@output("h"). h(X) <- p(X).',
    },
    RL9034: {
        name: 'long-rule',
        severity: 'hint',
        message: (n: number) => `Long rule (${n} items); consider splitting`,
        why: 'A rule with so many items is hard to review. Parts of it with a name of their own can be tested and explained one by one.',
        example: `p(1). @output("h"). h(X) <- p(X), ${Array.from({ length: 16 }, (_, i) => `X != ${i + 2}`).join(', ')}.`,
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
