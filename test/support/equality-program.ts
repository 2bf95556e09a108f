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
];

/** Programs with equality heads over nulls of facts, rules and Skolem terms; many of them clash. */
export const equalityProgram = fc
    .tuple(
        fc.array(fact, { minLength: 2, maxLength: 7 }),
        fc.subarray(RULES, { minLength: 2 }),
        fc.subarray(EQUALITIES, { minLength: 1, maxLength: 4 }),
    )
    .map(([facts, rules, equalities]) => {
        const heads = ['p', 'e', ...rules.map(rule => rule.slice(0, rule.indexOf('(')))];
        const body = equalities.join(' ') + rules.join(' ');
        const used = ['p', 'e', 'q', 's', 't', 'u', 'm', 'few', 'w'].filter(name => body.includes(`${name}(`) && !heads.includes(name));
        const arity = (name: string): string => (['s', 'few', 'w'].includes(name) ? '0' : '0, 0');
        return [
            ...facts,
            'p(1, 1).',
            'e(2, 2).',
            ...used.map(name => `${name}(${arity(name)}).`),
            ...rules,
            ...equalities,
            ...[...new Set(heads)].map(name => `@output("${name}").`),
        ].join('\n');
    });
