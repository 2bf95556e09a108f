import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

/** `'a' and 'b'`. */
function listed(names: readonly string[]): string {
    return names.map(name => `'${name}'`).join(say` and `);
}

/** A hint for each of thousands of variables does not name thousands of others. */
const MOST_NAMES = 8;

function shortList(names: readonly string[]): string {
    return [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['…'] : [])].join(', ');
}

/** RL2xxx: safety, logic and termination. */
export const LOGIC_PROBLEMS = {
    RL2001: {
        name: 'unbound-head-variable',
        severity: 'warning',
        message: (v: string) => say`Head variable '${v}' is not bound by the body`,
        remedy: 'bind it in a positive body atom',
        why: 'A head variable that the body does not bind stands for a new unknown value. Here it looks like a slip: another variable is spelt almost the same, or it occurs only where nothing binds it.',
        example: 'p(1, 2). @output("h"). h(X, Nmae) <- p(X, Name).',
    },
    RL2002: {
        name: 'unbound-variable',
        severity: 'error',
        message: (v: string) => say`'${v}' is used here but never bound`,
        remedy: 'bind it in a positive body atom, or remove the condition',
        why: "A condition or computation needs a value, and values come from atoms that are not negated, or from '='. Nothing here gives this variable one.",
        example: 'p(1). @output("h"). h(X) <- p(X), Y > 3.',
    },
    RL2003: {
        name: 'variable-in-fact',
        severity: 'error',
        message: (v: string) => say`Facts cannot contain variables ('${v}')`,
        remedy: 'quote it, or turn the fact into a rule',
        why: 'A fact states something about definite values. "For every value" cannot be stored; mostly the quotes around a text are missing.',
        example: 'p(X). @output("h"). h(X) <- p(X).',
    },
    RL2004: {
        name: 'bound-only-by-negation',
        severity: 'error',
        message: (v: string) => say`'${v}' occurs in more than one item but only inside negation`,
        remedy: 'add a positive atom that binds it',
        why: "'not' asks whether a fact is absent and gives no values. A variable that is used elsewhere too must get its value from an atom that is not negated.",
        example: 'p(1). q(1). @output("h"). h(X) <- p(X), not q(Y), Y > 1.',
    },
    RL2005: {
        name: 'comparison-does-not-bind',
        severity: 'error',
        message: (v: string) => say`'==' does not bind '${v}'; use '=' to assign`,
        remedy: "write '='",
        why: "'==' compares two values that are there; '=' also gives a value to a variable that has none.",
        example: 'p(1). @output("h"). h(Y) <- p(X), Y == X + 1.',
    },
    RL2006: {
        name: 'assigned-variable-left',
        severity: 'error',
        message: () => say`The variable to assign must stand alone on the left`,
        remedy: 'swap the sides',
        why: 'In an assignment the variable that gets the value stands left, alone. That way it can be seen at once what is computed from what.',
        example: 'p(1). @output("h"). h(Y) <- p(X), X + 1 = Y.',
    },
    RL2007: {
        name: 'circular-assignment',
        severity: 'error',
        message: (cycle: string) => say`Circular assignment: ${cycle}`,
        why: 'Each of these values is computed from another one of them, so none can be computed first.',
        example: 'p(1). @output("h"). h(A) <- p(_), A = B, B = A.',
    },
    RL2010: {
        name: 'only-body-item',
        severity: 'error',
        message: (s: string) => say`${s} must be the only body item`,
        remedy: 'move it to a helper predicate',
        why: 'A graph function, a query and a script compute a whole relation at once. Other items would have nothing to join with; they belong into a rule that reads the result.',
        example: 'e(1, 2). p(1). @output("h"). h(X) <- #TC(e), p(X).',
    },
    RL2011: {
        name: 'one-head-atom',
        severity: 'error',
        message: () => say`This call needs one head atom with distinct variables`,
        why: 'The result of this call fills the columns of its head, one after another. For that, the head is one atom, and its variables are distinct.',
        example: 'e(1, 2). @output("h"). h(X, X) <- #TC(e).',
    },
    RL2012: {
        name: 'skolem-place',
        severity: 'error',
        message: (s: string) => say`A '#${s}' term must be the whole right side of '='`,
        remedy: 'assign it to a variable of its own',
        why: "A '#f(…)' term makes an unknown value from its arguments: the same one for the same arguments. Nothing can be computed with an unknown value, so it is assigned as it is.",
        example: 'p(1). @output("h"). h(Y) <- p(X), Y = #f(X) + 1.',
    },
    RL2101: {
        name: 'existential-variable',
        severity: 'hint',
        message: (v: string, frontier: readonly string[]) =>
            frontier.length === 0
                ? say`'${v}' is an existential variable: one new unknown value`
                : say`'${v}' is an existential variable: a new unknown value per (${shortList(frontier)})`,
        why: 'The rule says that something exists without saying what: an owner, a parent, a number. An invented value such as z1 stands for it. This is only a remark, in case that was not intended.',
        example: 'account("A1"). @output("owner"). owner(Z, A) <- account(A).',
    },
    RL2102: {
        name: 'unknown-values-in-output',
        severity: 'information',
        message: (p: string, n: number) => say`Output '${p}' may contain unknown values in column ${n}`,
        remedy: 'add @post("…", "certain") to leave out rows with unknown values',
        why: 'Rows of this output may hold invented values such as z1. Whoever reads the result may expect known values only.',
        example: 'account("A1"). @output("owner"). owner(Z, A) <- account(A).',
    },
    RL2201: {
        name: 'not-warded',
        severity: 'error',
        message: (names: readonly string[], atoms: readonly string[]) =>
            say`Rule is not warded: ${listed(names)} may hold unknown values and ${names.length === 1 ? say`is` : say`are`} shared by ${listed(atoms)}`,
        remedy: "join in a helper predicate that does not pass them on, add 'dom(*)' to join constants only, or write @relaxedSafety",
        why: 'Unknown values that were invented in a recursion are joined with each other here and passed on. Then a run might never come to an end, and no method finds all answers for such programs.',
        example: 's(1). @output("k"). h(X, N) <- s(X). s(N) <- h(_, N). k(N) <- h(X, N), h(Y, N), X != Y.',
    },
    RL2202: {
        name: 'recursive-null-creation',
        severity: 'information',
        message: (cycle: string) => say`Unknown values are created recursively through ${cycle}`,
        why: 'The rules of this cycle invent unknown values from unknown values. A run still ends: facts that differ from earlier ones only in their unknown values are not derived again.',
        example: 'person("ada"). @output("parent"). parent(Y, X) <- person(X). person(Y) <- parent(Y, _).',
    },
    RL2203: {
        name: 'harmful-join',
        severity: 'hint',
        message: (v: string) => say`Join on '${v}', which may hold unknown values`,
        remedy: "add 'dom(*)' to join constants only",
        why: 'Unknown values are equal only when they are the same invented value. The join is allowed, but it finds nothing where two invented values would turn out to be the same person or thing.',
        example: 's(1). @output("t"). h(X, N) <- s(X). t(X, Y) <- h(X, N), h(Y, N).',
    },
    RL2204: {
        name: 'unbounded-growth',
        severity: 'warning',
        message: (p: string, n: number) => say`Values grow in recursion at '${p}' column ${n}; evaluation may not terminate`,
        remedy: 'add a condition that limits them',
        why: 'Each round of the recursion makes a new value from the last, and no condition ends that. A run stops only at its limits, with an error.',
        example: 'n(1). @output("n"). n(Y) <- n(X), Y = X + 1.',
    },
    RL2205: {
        name: 'recursive-predicate',
        severity: 'information',
        message: (p: string, cycle: string) => say`'${p}' is recursive: ${cycle}`,
        why: 'The predicate depends on itself. Its rules are evaluated again and again until nothing new is derived.',
        example: 'e(1, 2). @output("p"). p(X, Y) <- e(X, Y). p(X, Z) <- p(X, Y), e(Y, Z).',
        offByDefault: true,
    },
    RL2301: {
        name: 'equality-of-constants',
        severity: 'information',
        message: () => say`These values can never be unknown; the rule acts as a constraint`,
        remedy: "write '#F' and the inequality as a condition",
        why: 'Two different known values can never be made equal. The rule can only end a run with an error where they differ; a constraint says that more plainly.',
        example: 'p(1, 2). @output("h"). h(X) <- p(X, _). X = Y <- p(K, X), p(K, Y).',
    },
    RL2302: {
        name: 'trivial-equality',
        severity: 'warning',
        message: () => say`Equation is always true`,
        remedy: 'remove the rule',
        why: 'A value is always equal to itself, so the rule does nothing. Probably two different variables were meant.',
        example: 'p(1). @output("h"). h(X) <- p(X). X = X <- p(X).',
    },
    RL2303: {
        name: 'cycle-through-equality',
        severity: 'warning',
        message: (cycle: string) => say`Equations and conditions that see unknown values depend on each other: ${cycle}`,
        remedy: 'break the cycle, so that the equations are finished first',
        why: "'not', is_null, '!=', aggregates and functions see that a value is unknown, so they wait until equality heads have replaced what they can. Here an equality head needs what was decided before: what was derived stays, although the value may be known in the end.",
        example: 's(1). c(2, 1). taken(2). @output("h"). o(N, X) <- s(X). h(X) <- o(N, X), not taken(N). N = M <- o(N, X), c(M, X), h(X).',
    },
    RL2401: {
        name: 'recursion-through-negation',
        severity: 'error',
        message: (cycle: string) => say`Recursion through negation: ${cycle}`,
        remedy: 'break the cycle, so that the negated predicate is finished first',
        why: "'not p' can be answered only when p is complete. Here p depends on the answer, so whatever is answered could turn out wrong.",
        example: 'p(1). @output("a"). a(X) <- p(X), not b(X). b(X) <- p(X), not a(X).',
    },
    RL2402: {
        name: 'negation-of-empty',
        severity: 'warning',
        message: (p: string) => say`'not ${p}(…)' is always true: '${p}' is empty`,
        remedy: 'remove it',
        why: 'Nothing gives the predicate facts, so the question whether one is absent always has the same answer. Mostly a rule or a source is missing.',
        example: `@model("q", "['n:int']"). p(1). @output("h"). h(X) <- p(X), not q(X).`,
    },
    RL2403: {
        name: 'contradictory-atoms',
        severity: 'warning',
        message: (p: string) => say`Rule contradicts itself: '${p}(…)' and 'not ${p}(…)'`,
        remedy: 'remove the rule, or one of the atoms',
        why: 'A fact cannot be present and absent at once, so the rule never derives anything.',
        example: 'p(1). @output("h"). h(X) <- p(X), X > 3. h(X) <- p(X), not p(X).',
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
