import type { ProblemEntry } from '../problem-entry.ts';

/** RL3xxx: aggregation. */
export const AGGREGATION_PROBLEMS = {
    RL3001: {
        name: 'aggregate-not-assigned',
        severity: 'error',
        message: () => 'Aggregates must be assigned to a variable',
        remedy: 'assign it, and compare the variable',
        example: 'p(1, 2). @output("h"). h(X) <- p(X, Y), msum(Y) > 3.',
    },
    RL3002: {
        name: 'aggregate-place',
        severity: 'error',
        message: () => 'Aggregate not allowed here',
        remedy: 'assign it to a variable in the body',
        example: 'p(1). @output("h"). h(msum(X)) <- p(X).',
    },
    RL3003: {
        name: 'aggregate-arguments',
        severity: 'error',
        message: (f: string, s: string) => `'${f}' takes ${s}`,
        example: 'p(1). @output("h"). h(S) <- p(_), S = msum().',
    },
    RL3004: {
        name: 'unbound-contributor',
        severity: 'error',
        message: (v: string) => `Contributor '${v}' is not bound`,
        example: 'p(1). @output("h"). h(S) <- p(X), S = msum(X, <Z>).',
    },
    RL3005: {
        name: 'group-contributor',
        severity: 'hint',
        message: (v: string) => `Contributor '${v}' is a group column and has no effect`,
        remedy: 'remove it',
        example: 'p(1, 2). @output("h"). h(X, S) <- p(X, Y), S = msum(Y, <X>).',
        tags: ['unnecessary'],
    },
    RL3006: {
        name: 'ignored-contributors',
        severity: 'warning',
        message: (f: string) => `'${f}' ignores contributors`,
        remedy: 'remove them',
        example: 'p(1, 2). @output("h"). h(S) <- p(X, Y), S = mmax(X, <Y>).',
    },
    RL3007: {
        name: 'row-count',
        severity: 'hint',
        message: (v: string) => `Counts rows, not distinct values of '${v}'`,
        remedy: "write 'mcount()' to count rows, 'mcount(1, <…>)' to count distinct values",
        example: 'p(1, 2). @output("h"). h(N) <- p(X, _), N = mcount(X).',
    },
    RL3008: {
        name: 'median-variant',
        severity: 'error',
        message: (s: string) => `Unknown median variant '${s}'`,
        remedy: 'write "exact"',
        example: 'p(1). @output("h"). h(S) <- p(X), S = mmedian(X, "fast").',
    },
    RL3009: {
        name: 'maxcount-alone',
        severity: 'error',
        message: () => "'maxcount' must be the only aggregate of its rule",
        remedy: 'split the rule',
        example: 'p(1, 2). @output("h"). h(X, N, S) <- p(X, Y), N = maxcount(), S = msum(Y).',
    },
    RL3010: {
        name: 'recursive-aggregate',
        severity: 'error',
        message: (f: string, cycle: string) => `'${f}' cannot be used in recursion: ${cycle}`,
        remedy: 'use a monotonic aggregate, or move it out of the recursion',
        example: 't(1, 2). e(2, 3). @output("t"). t(X, A) <- t(X, B), e(B, C), A = avg(C).',
    },
    RL3011: {
        name: 'aggregate-whole-right-side',
        severity: 'error',
        message: () => 'In recursion the aggregate must be the whole right side',
        remedy: 'move the rest into the argument',
        example: `link("a", "b", 4). @output("d").
d(X, Y, D) <- link(X, Y, W), D = mmin(W).
d(X, Z, D) <- d(X, Y, A), link(Y, Z, W), D = mmin(A) + 1.`,
    },
    RL3012: {
        name: 'condition-not-monotone',
        severity: 'warning',
        message: (v: string) => `This condition can become false as '${v}' improves`,
        example: `link("a", "b", 4). @output("d").
d(X, Y, D) <- link(X, Y, W), D = mmin(W).
d(X, Z, D) <- d(X, Y, A), link(Y, Z, W), A > 10, D = mmin(A + W).`,
    },
    RL3020: {
        name: 'mixed-aggregation',
        severity: 'error',
        message: (n: number, p: string, f: string) => `Column ${n} of '${p}' is aggregated with '${f}' in another rule`,
        remedy: 'aggregate it in the same way in every rule',
        example: `link("a", "b", 4). @output("d").
d(X, Y, W) <- link(X, Y, W).
d(X, Z, D) <- d(X, Y, A), link(Y, Z, W), D = mmin(A + W).`,
    },
    RL3021: {
        name: 'fact-is-contribution',
        severity: 'warning',
        message: () => 'Fact for an aggregated predicate counts as a contribution',
        example: 'p("a", 1). total("a", 5). @output("total"). total(X, S) <- p(X, Y), S = msum(Y).',
    },
    RL3030: {
        name: 'implied-group-list',
        severity: 'warning',
        message: () => 'Group-by list is implied by the head; remove it',
        remedy: 'remove the list',
        example: 'p("a", 1). @output("h"). h(K, S) <- p(K, X), S = msum(X, [K]).',
    },
    RL3031: {
        name: 'other-group-list',
        severity: 'error',
        message: () => "Group-by list differs from the head's group columns",
        remedy: 'change the head; it gives the groups',
        example: 'p("a", 1). @output("h"). h(K, S) <- p(K, X), S = msum(X, [X]).',
    },
    RL3032: {
        name: 'unused-aggregate',
        severity: 'hint',
        message: (v: string) => `Aggregate result '${v}' is not used`,
        remedy: 'remove it',
        example: 'p(1, 2). @output("h"). h(X) <- p(X, Y), S = msum(Y).',
        tags: ['unnecessary'],
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
