/** A generator of numbers from 0 to below 1. */
type Random = () => number;

const GIVEN = [
    ['e', 2],
    ['f', 2],
    ['s', 1],
] as const;

/** A small program of joins, repeated variables, negation, conditions, recursion and aggregates over few values. */
export function smallProgram(random: Random): string {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const atom = (names: readonly string[], predicates: readonly (readonly [string, number])[]): string => {
        const [name, arity] = pick(predicates);
        const term = (): string => (random() < 0.12 ? '_' : random() < 0.1 ? `${Math.floor(random() * 4)}` : pick(names));
        return `${name}(${Array.from({ length: arity }, term).join(',')})`;
    };
    const facts = GIVEN.flatMap(([name, arity]) =>
        Array.from(
            { length: 1 + Math.floor(random() * 5) },
            () => `${name}(${Array.from({ length: arity }, () => Math.floor(random() * 4)).join(',')}).`,
        ),
    );
    const known: (readonly [string, number])[] = [...GIVEN];
    const rules: string[] = [];
    for (const name of ['p', 'q', 'r']) {
        const arity = 1 + Math.floor(random() * 2);
        const variables = ['X', 'Y', 'Z'].slice(0, 2 + Math.floor(random() * 2));
        const times = 1 + Math.floor(random() * 2);
        for (let rule = 0; rule < times; rule++) {
            const recursive = rule > 0 && random() < 0.5 ? [[name, arity] as const] : [];
            const body = Array.from({ length: 1 + Math.floor(random() * 3) }, () => atom(variables, [...known, ...recursive]));
            const bound = variables.filter(variable => body.some(one => one.includes(variable)));
            if (bound.length === 0) continue;
            if (random() < 0.35) body.push(`not ${atom([...bound, '_'], known)}`);
            if (random() < 0.35) body.push(`${pick(bound)} ${pick(['<', '>', '!='])} ${pick([...bound, '1', '2'])}`);
            if (rule === 0 && times === 1 && random() < 0.4) {
                const group = arity === 1 ? [] : [pick(bound)];
                const aggregate = pick([`sum(${pick(bound)})`, 'count()', `max(${pick(bound)})`]);
                rules.push(
                    `${name}(${[...group, 'N'].join(',')}) <- ${body.join(', ')}, N = ${aggregate}${random() < 0.3 ? ', N > 2' : ''}.`,
                );
            } else rules.push(`${name}(${Array.from({ length: arity }, () => pick(bound)).join(',')}) <- ${body.join(', ')}.`);
        }
        if (rules.some(rule => rule.startsWith(`${name}(`))) known.push([name, arity]);
    }
    const outputs = known.slice(GIVEN.length).map(([name]) => `@output("${name}").`);
    return [...facts, ...rules, ...outputs].join('\n');
}

/** A small program with unknown values that equality heads may make equal. */
export function linkedProgram(random: Random): string {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const digit = (): number => Math.floor(random() * 4);
    const facts = Array.from({ length: 2 + Math.floor(random() * 4) }, () => `e(${digit()},${digit()}).`);
    const more = [`f(${digit()},${digit()}).`, `s(${digit()}).`];
    if (random() < 0.5) more.push(pick([`f(${digit()},${digit()}).`, `s(${digit()}).`]));
    const links = [
        'who(I,P), who(J,Q), e(E,I), e(E,J)',
        'who(I,P), who(J,Q), f(I,J)',
        'who(I,P), who(J,Q), e(E,I), e(E,J), s(E)',
        'who(I,P), who(J,Q), e(E,I), e(E,J), I < J, J < 3',
    ];
    const rules = [
        `who(I,P) <- ${pick(['e(_,I)', 'e(I,_)', 's(I)'])}.`,
        `P = Q <- ${pick(links)}.`,
        ...(random() < 0.3 ? [`P = Q <- ${pick(links)}.`] : []),
        'same(I,J) <- who(I,P), who(J,P).',
        `rep(I,N) <- who(I,P), who(J,P), N = ${pick(['min(J)', 'count()', 'sum(J)'])}.`,
        `far(I,J) <- who(I,_), who(J,_), not same(I,J)${pick(['', ', I < J'])}.`,
    ];
    return [...facts, ...more, ...rules, ...['same', 'rep', 'far'].map(name => `@output("${name}").`)].join('\n');
}

const TIMED = [
    'p(X) <- u(X,D), D < date:current_date().',
    'p(X) <- u(X,D), e(X,Y), date:diff(D,date:current_date()) > Y * 100.',
    'p(Y) <- e(X,Y), p(X), not s(Y).',
    'q(X,N) <- u(X,D), D >= date:current_date(), N = count(D).',
    'q(X,N) <- p(X), f(X,Y), N = max(Y), N < 3.',
    'r(X) <- s(X), not p(X).',
    'r(X) <- e(X,Y), p(Y), not u(Y,2001-02-03).',
    'l(X,D) <- e(X,Y), u(Y,D), D < date:current_date(), not r(X).',
    'l(X,D) <- q(X,N), u(X,D), N > 1.',
    'h(X,M) <- l(X,_), q(Y,M), f(X,Y).',
    'h(X,M) <- s(X), e(X,Y), M = mmax(Y).',
];

/** A small program with conditions on the present, dates, and outputs of which `@post` leaves rows out. */
export function timedProgram(random: Random): string {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const digit = (): number => Math.floor(random() * 4);
    const some = (most: number, one: () => string): string[] => Array.from({ length: 1 + Math.floor(random() * most) }, one);
    const facts = [
        ...some(4, () => `e(${digit()},${digit()}).`),
        ...some(3, () => `f(${digit()},${digit()}).`),
        ...some(3, () => `s(${digit()}).`),
        ...some(4, () => `u(${digit()},${pick(['2001-02-03', '2001-12-31', '2999-01-01', '2999-04-09'])}).`),
    ];
    // Each has a fact, so that nothing is undefined where its rules are left out.
    const rest = ['p(9).', 'q(9,9).', 'r(9).', 'l(9,2001-01-01).', 'h(9,9).'];
    const post = ['@post("q","argmax(2,<1>)").', '@post("l","max(2)").', '@post("h","orderby(-2)").', '@post("h","limit(2)").'];
    const rules = TIMED.filter(() => random() < 0.8);
    const kept = rest.filter(fact => !rules.some(rule => rule.startsWith(fact.slice(0, 2))));
    return [
        ...facts,
        ...kept,
        ...rules,
        ...['p', 'q', 'r', 'l', 'h'].map(name => `@output("${name}").`),
        ...post.filter(() => random() < 0.5),
    ].join('\n');
}

const MIXED = [
    'm(X,M) <- e(X,Y), M = X + Y.',
    'm(X,M) <- e(X,Y), f(Y,Z), M = Y * Z - 1, M > 1.',
    'm(X,M) <- s(X), M = X + 1.',
    'w(X,U), a(U) <- s(X).',
    'w(X,U), a(U) <- e(X,_).',
    'v(U,Y) <- w(X,U), f(X,Y).',
    'o(X,Y) <- v(U,X), v(U,Y), X != Y.',
    'o(X,Y) <- w(X,U), w(Y,U), a(U).',
    'k(X) <- g(X,Y), is_null(Y).',
    'k(X) <- g(X,Y), Y > 1.',
    'k(Y) <- g(X,Y), s(X).',
    'k(Y) <- g(X,Y), f(Y,_), dom(*).',
    'n(X,N) <- g(X,Y), N = sum(Y).',
    'n(X,N) <- g(X,Y), N = min(Y), N > 1.',
    'n(X,N) <- g(Y,X), e(Y,_), N = count(Y).',
    'n(X,N) <- e(X,Y), N = mcount(1,<Y>).',
    'n(X,N) <- e(Z,X), f(Z,Y), N = msum(Y,<Z>).',
    'n(X,N) <- s(X), g(X,Y), N = avg(Y).',
    'd(X) <- s(X), not k(X).',
    'd(X) <- e(X,Y), not n(Y,_).',
    'd(X) <- g(X,_), not o(X,_), X < 3.',
    'd(X) <- k(X), not e(X,X), not f(_,X).',
    'c(X,Y) <- e(X,Y).',
    'c(X,Z) <- c(X,Y), e(Y,Z).',
    'c(X,Z) <- c(X,Y), c(Y,Z), X != Z.',
    'c(X,Y) <- o(X,Y).',
    'b(T,X) <- t(T,X).',
    'b(T,X) <- t(T,Y), e(Y,X), T != "a".',
    'b("c",X) <- s(X), f(X,Y), Y > X.',
    'b(T,N) <- t(T,X), g(X,Y), N = max(Y).',
    'l(X,N) <- n(X,M), M > 1, N = count().',
    'l(X,1) <- c(X,X).',
    'l(X,2) <- b(_,X), c(X,Y), c(Y,Z).',
    'U = V <- w(X,U), w(Y,V), f(X,Y).',
    'U = 1 <- w(2,U), s(3).',
    'U = V <- v(U,Y), v(V,Y), e(Y,_).',
    '#F <- e(X,X), s(X), X > 2.',
    '#F <- m(X,X).',
];

/**
 * A small program with two heads, unknown values of rules and of a CSV file, arithmetic, texts, aggregates that leave unknown values
 * out, equality heads and constraints.
 */
export function mixedProgram(random: Random): string {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const digit = (): number => Math.floor(random() * 4);
    const some = (most: number, one: () => string): string[] => Array.from({ length: 1 + Math.floor(random() * most) }, one);
    const rows = some(4, () => `${digit()},${random() < 0.3 ? 'N' : digit()}`);
    const facts = [
        ...some(4, () => `e(${digit()},${digit()}).`),
        ...some(4, () => `f(${digit()},${digit()}).`),
        ...some(3, () => `s(${digit()}).`),
        ...some(3, () => `t("${pick(['a', 'b', 'A'])}",${digit()}).`),
    ];
    const names = new Set(some(5, () => pick(MIXED).slice(0, 2)));
    const rules = MIXED.filter(rule => names.has(rule.slice(0, 2)) && random() < 0.8);
    const defined = new Set(
        rules.flatMap(rule => (/^[a-z]/u.test(rule) ? [...rule.slice(0, rule.indexOf('<-')).matchAll(/[a-z](?=\()/gu)] : [])).map(String),
    );
    // Of what is not defined here, there are a few facts.
    const isUsed = (name: string): boolean => rules.some(rule => rule.slice(rule.indexOf('<-')).includes(`${name}(`));
    const arity = new Map([...'mwvonlcb'].map(name => [name, 2] as const));
    const given = [...'mwvonlcbakd'].filter(name => !defined.has(name) && isUsed(name));
    const more = given.map(name =>
        name === 'b' ? `b("a",${digit()}).` : `${name}(${Array.from({ length: arity.get(name) ?? 1 }, digit).join(',')}).`,
    );
    return [
        `@bind("g","csv",".","${rows.join(';')}.csv"). @model("g","['x:int','y:int']").`,
        ...facts,
        ...more,
        ...rules,
        ...[...defined].filter(name => name !== 'w' && name !== 'a' && name !== 'v').map(name => `@output("${name}").`),
    ].join('\n');
}
