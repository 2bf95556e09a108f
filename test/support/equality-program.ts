import fc from 'fast-check';

const CONSTANTS = ['1', '2', '"a"'];

/** Facts that share some of their nulls only through equality heads: a literal `null` is another one each time. */
const fact = fc
    .tuple(fc.constantFrom('p', 'e'), fc.constantFrom(...CONSTANTS, 'null', 'null'), fc.constantFrom(...CONSTANTS, 'null', 'null', 'null'))
    .map(([name, first, second]) => `${name}(${first}, ${second}).`);

const RULES = [
    'q(X, Y) <- p(X, Y).',
    'q(X, Z) <- q(X, Y), e(Y, Z).',
    'q(Y, X) <- e(X, Y), e(Y, X).',
    's(X) <- p(X, _), e(_, X).',
    't(X, E) <- s(X).',
    't(X, E) <- q(X, Y), Y != 1, E = #f(Y).',
    'u(X, [X, Y]) <- e(X, Y).',
    'm(X, N) <- q(X, Y), N = mcount(Y).',
    'm(X, N) <- e(X, Y), N = mcount(Y).',
    'few(X) <- m(X, N), N < 2.',
    'top(X, N) <- q(X, Y), N = max(Y).',
    'q(X, Y) <- few(X), e(X, Y).',
    'w(X) <- p(X, _), not e(X, X).',
];

const EQUALITIES = [
    'Y = Z <- p(X, Y), p(X, Z).',
    'Y = Z <- q(X, Y), e(X, Z).',
    'X = Y <- q(X, Y), s(X).',
    'X = 1 <- s(X), p(X, X).',
    'Y = Z <- t(X, Y), t(X, Z).',
    'Y = Z <- t(X, Y), e(X, Z).',
    'Y = Z <- u(X, Y), u(X, Z).',
    'X = Y <- m(X, N), m(Y, N), N > 1.',
    'X = 2 <- few(X), p(_, X).',
    'X = N <- q(X, Y), N = mcount(Y).',
    'X = Y <- w(X), q(X, Y).',
    'Y = Z <- q(X, Y), t(X, Z), not s(Z).',
    'Y = 1 <- t(X, Y), is_null(Y).',
    'Y = Z <- e(X, Y), t(X, Z), Y != 2.',
];

/** Programs with equality heads over nulls of facts, rules and Skolem terms; many of them clash. */
export const equalityProgram = fc
    .tuple(
        fc.array(fact, { minLength: 2, maxLength: 7 }),
        fc.subarray(RULES, { minLength: 2 }),
        fc.subarray(EQUALITIES, { minLength: 1, maxLength: 4 }),
    )
    .map(([facts, rules, equalities]) => programText(['p(1, 1).', 'e(2, 2).', ...facts], rules, equalities));

const RECURSIVE_RULES = [
    'h(X, E) <- g(X).',
    'g(E) <- h(_, E).',
    'h(E, X) <- g(X).',
    'k(X) <- h(X, Y), h(Y, X).',
    'g(X) <- e(X, _).',
    'h(X, Y) <- e(X, Y).',
    'k(Y) <- h(X, Y), g(X).',
    'm(X, N) <- h(X, Y), N = mcount(Y).',
    'w(X) <- h(X, Y), not e(X, Y).',
];

const RECURSIVE_EQUALITIES = [
    'Y = Z <- h(X, Y), e(X, Z).',
    'X = Y <- h(X, Y), k(X).',
    'X = Y <- g(X), k(Y), e(Y, _).',
    'X = Y <- m(X, N), m(Y, N), N > 2.',
    'Y = Z <- h(X, Y), h(X, Z), w(X).',
    'Y = 1 <- h(1, Y).',
];

const edge = fc.tuple(fc.constantFrom('1', '2', 'null'), fc.constantFrom('1', '2', '3', 'null')).map(([from, to]) => `e(${from}, ${to}).`);

/** Programs whose recursion makes nulls, some of which equality heads replace; those that are not warded are refused. */
export const recursiveEqualityProgram = fc
    .tuple(
        fc.array(edge, { minLength: 1, maxLength: 4 }),
        fc.subarray(RECURSIVE_RULES, { minLength: 3 }),
        fc.subarray(RECURSIVE_EQUALITIES, { minLength: 1, maxLength: 3 }),
    )
    .map(([facts, rules, equalities]) => programText(facts, rules, equalities));

const ARITIES = { p: 2, e: 2, q: 2, s: 1, t: 2, u: 2, m: 2, few: 1, w: 1, g: 1, h: 2, k: 1 };

/** Every predicate has a fact or a rule, and all are outputs. */
function programText(facts: readonly string[], rules: readonly string[], equalities: readonly string[]): string {
    const defined = new Set([...facts, ...rules].map(clause => clause.slice(0, clause.indexOf('('))));
    const read = [...rules, ...equalities].join(' ');
    const missing = Object.entries(ARITIES).filter(([name]) => !defined.has(name) && new RegExp(`\\b${name}\\(`, 'u').test(read));
    const outputs = [...defined].map(name => `@output("${name}").`);
    return [
        ...facts,
        ...missing.map(([name, arity]) => `${name}(${Array(arity).fill('0').join(', ')}).`),
        ...rules,
        ...equalities,
        ...outputs,
    ].join('\n');
}
