import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

/** RL3xxx: aggregation. */
export const AGGREGATION_PROBLEMS = {
    RL3001: {
        name: 'aggregate-not-assigned',
        severity: 'error',
        message: () => say`Aggregates must be assigned to a variable`,
        remedy: 'assign it, and compare the variable',
        why: 'An aggregate looks at all rows of a group, a condition at one. The value of a group is given to a variable first; a comparison of that variable then chooses groups.',
        example: 'p(1, 2). @output("h"). h(X) <- p(X, Y), msum(Y) > 3.',
    },
    RL3002: {
        name: 'aggregate-place',
        severity: 'error',
        message: () => say`Aggregate not allowed here`,
        remedy: 'assign it to a variable in the body',
        why: "An aggregate is computed in the body, over its matches, and gives one value for each group. Inside a head, a 'not' or another aggregate there is no group yet.",
        example: 'p(1). @output("h"). h(msum(X)) <- p(X).',
    },
    RL3003: {
        name: 'aggregate-arguments',
        severity: 'error',
        message: (f: string, s: string) => say`'${f}' takes ${s}`,
        why: 'The aggregate has too few arguments, too many, or some in another order than it expects.',
        example: 'p(1). @output("h"). h(S) <- p(_), S = msum().',
    },
    RL3004: {
        name: 'unbound-contributor',
        severity: 'error',
        message: (v: string) => say`Contributor '${v}' is not bound`,
        why: "Names in '<…>' say which rows count once together. They have to be variables that the body binds.",
        example: 'p(1). @output("h"). h(S) <- p(X), S = msum(X, <Z>).',
    },
    RL3005: {
        name: 'group-contributor',
        severity: 'hint',
        message: (v: string) => say`Contributor '${v}' is a group column and has no effect`,
        remedy: 'remove it',
        why: "Rows that share this column are one group already, so naming it in '<…>' separates nothing. Alone it is not told: '<…>' with group columns only makes the whole group count once.",
        example: 'p(1, 2, 3). @output("h"). h(X, S) <- p(X, Y, Z), S = msum(Y, <X, Z>).',
        tags: ['unnecessary'],
    },
    RL3006: {
        name: 'ignored-contributors',
        severity: 'warning',
        message: (f: string) => say`'${f}' ignores contributors`,
        remedy: 'remove them',
        why: "The smallest, the largest and the middle value do not depend on how often a value comes. Names in '<…>' change nothing here.",
        example: 'p(1, 2). @output("h"). h(S) <- p(X, Y), S = mmax(X, <Y>).',
    },
    RL3007: {
        name: 'row-count',
        severity: 'hint',
        message: (v: string) => say`Counts rows with a known '${v}', not distinct values`,
        remedy: "write 'mcount()' to count all rows, 'mcount(1, <…>)' to count distinct values",
        why: "'mcount(X)' counts rows, namely those in which X is known, and equal values several times. 'mcount(1, <X>)' counts distinct values instead of rows.",
        example: 'p(1, 2). @output("h"). h(N) <- p(X, _), N = mcount(X).',
    },
    RL3008: {
        name: 'median-variant',
        severity: 'error',
        message: (s: string) => say`Unknown median variant '${s}'`,
        remedy: 'write "exact"',
        why: 'The median is computed exactly, whatever variant is named; a name that no variant has is probably a slip.',
        example: 'p(1). @output("h"). h(S) <- p(X), S = mmedian(X, "fast").',
    },
    RL3009: {
        name: 'maxcount-alone',
        severity: 'error',
        message: () => say`'maxcount' must be the only aggregate of its rule`,
        remedy: 'split the rule',
        why: "'maxcount' keeps only the groups with the most rows. Another aggregate of the same rule would see groups that are left out.",
        example: 'p(1, 2). @output("h"). h(X, N, S) <- p(X, Y), N = maxcount(), S = msum(Y).',
    },
    RL3010: {
        name: 'recursive-aggregate',
        severity: 'error',
        message: (f: string, cycle: string) => say`'${f}' cannot be used in recursion: ${cycle}`,
        remedy: 'use a monotonic aggregate, or move it out of the recursion',
        why: 'The value is needed before all rows that it depends on are known. Only aggregates that move in one direction, such as mmin or msum, can be kept up to date while rows come.',
        example: 't(1, 2). e(2, 3). @output("t"). t(X, A) <- t(X, B), e(B, C), A = avg(C).',
    },
    RL3011: {
        name: 'aggregate-whole-right-side',
        severity: 'error',
        message: () => say`In recursion the aggregate must be the whole right side`,
        remedy: 'move the rest into the argument',
        why: 'In a recursion the column holds the running value of the aggregate itself. What is added afterwards would change that value in each round.',
        example: `link("a", "b", 4). @output("d").
d(X, Y, D) <- link(X, Y, W), D = mmin(W).
d(X, Z, D) <- d(X, Y, A), link(Y, Z, W), D = mmin(A) + 1.`,
    },
    RL3012: {
        name: 'condition-not-monotone',
        severity: 'warning',
        message: (v: string) => say`This condition can become false as '${v}' improves`,
        why: 'While rows come, the aggregate improves. A condition that held for an earlier value may then fail for the final one, and what was derived with it no longer stands.',
        example: `link("a", "b", 4). @output("d").
d(X, Y, D) <- link(X, Y, W), D = mmin(W).
d(X, Z, D) <- d(X, Y, A), link(Y, Z, W), A > 10, D = mmin(A + W).`,
    },
    RL3013: {
        name: 'monotone-range',
        severity: 'information',
        message: (f: string, s: string) => say`'${f}' is monotone only for ${s} values`,
        remedy: 'add a condition that keeps other values out',
        why: 'Recursion with this aggregate is sound as long as more contributions only move it one way. A value outside this range moves it back; a run reports that.',
        example: `own("a", "b", 0.6). @output("c").
c(X, Y, S) <- own(X, Y, W), S = msum(W, <X>).
c(X, Y, S) <- c(X, Z, T), T > 0.5, own(Z, Y, W), S = msum(W, <Z>).`,
    },
    RL3014: {
        name: 'sum-may-not-converge',
        severity: 'hint',
        message: () => say`Sum over a cyclic structure may not converge`,
        remedy: 'see that the data have no cycles',
        why: 'The sum is made of sums of the same predicate. Where the data lead back to their start, it grows in every round, and a run stops only at its limits.',
        example: `part("a", "b", 2). part("b", "c", 3). @output("t").
t(X, Y, S) <- part(X, Y, N), N > 0, S = msum(N, <X>).
t(X, Z, S) <- t(X, Y, A), part(Y, Z, N), A > 0, N > 0, S = msum(A * N, <Y>).`,
    },
    RL3015: {
        name: 'merged-values',
        severity: 'warning',
        message: (v: string, p: string, of: string, isList = false) =>
            isList
                ? say`'${p}' has each value of '${v}' once: equal elements of a list '${of}' are one, and count once here`
                : say`'${p}' has each value of '${v}' once: equal values of several facts of '${of}' are one, and count once here`,
        remedy: 'keep in the head what tells the facts apart',
        why: "A predicate is a set. A rule that leaves out columns gives one fact for all facts that differ in these alone, so that a sum over it misses values; so does one over the elements of lists, which 'explode' makes facts of. A sum in the rule with 'explode' has all elements. Where a sum of different values is meant, 'sum(X, <X>)' says so.",
        example: 'p("a", 5). p("b", 5). v(X) <- p(_, X). @output("h"). h(S) <- v(X), S = sum(X).',
    },
    RL3020: {
        name: 'mixed-aggregation',
        severity: 'error',
        message: (n: number, p: string, f: string) => say`Column ${n} of '${p}' is aggregated with '${f}' in another rule`,
        remedy: 'aggregate it in the same way in every rule',
        why: 'A column that one rule aggregates has one value per group, to which all rules contribute. A rule that states a value plainly, or another aggregate, leaves open how the values come together.',
        example: `link("a", "b", 4). @output("d").
d(X, Y, W) <- link(X, Y, W).
d(X, Z, D) <- d(X, Y, A), link(Y, Z, W), D = mmin(A + W).`,
    },
    RL3021: {
        name: 'fact-is-contribution',
        severity: 'warning',
        message: () => say`Fact for an aggregated predicate counts as a contribution`,
        why: 'The fact does not stand as written: its value goes into the aggregate of its group like the value of a row.',
        example: 'p("a", 1). total("a", 5). @output("total"). total(X, S) <- p(X, Y), S = msum(Y).',
    },
    RL3030: {
        name: 'implied-group-list',
        severity: 'warning',
        message: () => say`Group-by list is implied by the head; remove it`,
        remedy: 'remove the list',
        why: 'The columns of the head that are not aggregated are the groups. A list of them says the same once more.',
        example: 'p("a", 1). @output("h"). h(K, S) <- p(K, X), S = msum(X, [K]).',
    },
    RL3031: {
        name: 'other-group-list',
        severity: 'error',
        message: () => say`Group-by list differs from the head's group columns`,
        remedy: 'change the head; it gives the groups',
        why: 'The columns of the head that are not aggregated are the groups. This list names others, and only one of the two can be meant.',
        example: 'p("a", 1). @output("h"). h(K, S) <- p(K, X), S = msum(X, [X]).',
    },
    RL3032: {
        name: 'unused-aggregate',
        severity: 'hint',
        message: (v: string) => say`Aggregate result '${v}' is not used`,
        remedy: 'remove it',
        why: 'The value is computed for every group and then dropped.',
        example: 'p(1, 2). @output("h"). h(X) <- p(X, Y), S = msum(Y).',
        tags: ['unnecessary'],
    },
    RL3033: {
        name: 'comparison-assigned',
        severity: 'warning',
        message: (v: string, isUnused: boolean) =>
            isUnused
                ? say`'${v}' is whether this comparison holds, and nothing uses it: every group passes`
                : say`'${v}' is whether this comparison holds, and no number: every group passes`,
        remedy: 'assign the aggregate alone, and compare the variable in a condition of its own',
        why: "'N = count() > 1' gives N the value true or false, because '=' takes everything to its right. To choose groups, give N the count, and then compare N.",
        example: 'p(1, 2). @output("h"). h(X) <- p(X, Y), N = count(Y) > 1.',
    },
    RL3035: {
        name: 'condition-counted',
        severity: 'warning',
        message: (f: string) => say`'${f}' counts the values true and false of this condition, not the rows in which it holds`,
        remedy: 'write the condition as an item of its own, and count the rows',
        why: 'What is counted are different values, and a condition has two of them. Only rows for which the items of the body hold are counted, so a condition belongs there.',
        example: 'p(1, 2). p(1, 3). @output("h"). h(X, N) <- p(X, Y), N = count(Y > 2).',
    },
    RL3034: {
        name: 'aggregate-of-group-column',
        severity: 'warning',
        message: (f: string, v: string) =>
            say`'${v}' is in the head, so each value of it is a group of its own, and '${f}' gives the value itself`,
        remedy: 'aggregate in a rule whose head has the group only, and join it',
        why: 'The columns of the head that are not aggregated are the groups. The greatest of a group that has one value is this value, so a comparison with it holds for every row. For the row with the greatest value, one rule computes that value for each group, and another looks for the rows that have it.',
        example: 'p("a", "x", 1). @output("h"). h(K, X, A) <- p(K, X, A), M = max(A), A == M.',
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
