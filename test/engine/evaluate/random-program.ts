/** Picks that depend on the seed only. */
export class Picks {
    #state: number;

    constructor(seed: number) {
        this.#state = seed;
    }

    below(limit: number): number {
        this.#state = (Math.imul(this.#state, 1103515245) + 12345) & 0x7fffffff;
        return Math.floor((this.#state / 0x80000000) * limit);
    }

    chance(probability: number): boolean {
        return this.below(1000) < probability * 1000;
    }

    one<T>(items: readonly T[]): T {
        const item = items[this.below(items.length)];
        if (item === undefined) throw new Error('Nothing to pick from');
        return item;
    }

    list<T>(most: number, make: () => T): T[] {
        return Array.from({ length: this.below(most + 1) }, make);
    }
}

type Named = readonly [name: string, arity: number];

const BASE: readonly Named[] = [
    ['e', 2],
    ['f', 3],
    ['n', 1],
];
/** Predicates of one tier may be recursive with each other; a tier negates and aggregates the tiers below. */
const TIERS: readonly (readonly Named[])[] = [
    [
        ['p', 2],
        ['q', 2],
        ['r', 1],
    ],
    [
        ['s', 2],
        ['t', 1],
        ['a', 2],
    ],
    [
        ['u', 2],
        ['w', 3],
    ],
];
const VARIABLES = ['X', 'Y', 'Z', 'W'];

/**
 * A small program over a small domain, so that values meet: joins, projections, negation, recursion, every aggregate,
 * and one of the usual recursions through an aggregate. Some of them are refused by the checker.
 */
export function randomProgram(seed: number): string {
    const picks = new Picks(seed);
    const domain = 2 + picks.below(4);
    const value = (): number => picks.below(domain);
    const lines = [
        'e(0, 1). f(0, 1, 2). n(0).',
        ...picks.list(8, () => `e(${value()}, ${value()}).`),
        ...picks.list(6, () => `f(${value()}, ${value()}, ${picks.one(['1', '2', '3', '0.5', '0.25', '-1'])}).`),
        ...picks.list(4, () => `n(${value()}).`),
    ];
    for (const [tier, predicates] of TIERS.entries()) {
        const below = [...BASE, ...TIERS.slice(0, tier).flat()];
        for (const predicate of predicates) {
            for (let i = picks.below(3); i >= 0; i--) lines.push(randomRule(predicate, below, predicates, domain, picks));
        }
    }
    return [...lines, ...recursionThroughAggregate(picks)].join('\n');
}

function randomRule([name, arity]: Named, below: readonly Named[], tier: readonly Named[], domain: number, picks: Picks): string {
    const aggregates = name === 'a' || name === 'w';
    const bound = new Set<string>();
    const bindingTerm = (): string => {
        if (picks.chance(0.12)) return String(picks.below(domain));
        if (picks.chance(0.1)) return '_';
        const variable = picks.one(VARIABLES);
        bound.add(variable);
        return variable;
    };
    const body: string[] = [];
    for (let i = picks.below(3); i >= 0; i--) {
        const [literal, width] = picks.one(
            !aggregates && picks.chance(0.35) ? tier.filter(([other]) => other !== 'a' && other !== 'w') : below,
        );
        const shorter = width > 1 && picks.chance(0.08) ? 1 : 0;
        body.push(`${literal}(${Array.from({ length: width - shorter }, bindingTerm).join(', ')})`);
    }
    if (bound.size === 0) {
        body.push('n(X)');
        bound.add('X');
    }
    if (picks.chance(0.25)) {
        // A value that only other literals look for or deny.
        body.push(`C = ${picks.one([...bound])} ${picks.one(['+', '-'])} 1`);
        const [literal, width] = picks.one(below);
        const computed = picks.below(width);
        const terms = Array.from({ length: width }, (_, i) => (i === computed ? 'C' : picks.one(['_', ...bound])));
        body.push(`${picks.one(['', 'not '])}${literal}(${terms.join(', ')})`);
    }
    const variables = [...bound];
    if (picks.chance(0.35)) {
        const [literal, width] = picks.one(below);
        const local = picks.below(width * 3);
        const term = (): string => picks.one(['_', String(picks.below(domain)), ...variables, ...variables]);
        body.push(`not ${literal}(${Array.from({ length: width }, (_, i) => (i === local ? 'L' : term())).join(', ')})`);
    }
    if (picks.chance(0.35)) {
        const right = picks.one([String(picks.below(domain)), picks.one(variables)]);
        body.push(`${picks.one(variables)} ${picks.one(['!=', '<', '>=', '=='])} ${right}`);
    }
    const headTerm = (): string => (picks.chance(0.1) ? String(picks.below(domain)) : picks.one(variables));
    const head = Array.from({ length: aggregates ? arity - 1 : arity }, headTerm);
    if (!aggregates) return `${name}(${head.join(', ')}) <- ${body.join(', ')}.`;
    const aggregate = name === 'a' ? 'msum' : picks.one(['mcount', 'mcount', 'mmin', 'mmax', 'avg', 'mmedian', 'mprod']);
    const takesContributors = ['msum', 'mcount', 'mprod'].includes(aggregate);
    const contributors = takesContributors && picks.chance(0.3) ? `, <${picks.one(variables)}>` : '';
    body.push(`S = ${aggregate}(${aggregate === 'mcount' ? '1' : picks.one(variables)}${contributors})`);
    if (picks.chance(0.25)) body.push(`S > ${picks.below(4)}`);
    return `${name}(${[...head, 'S'].join(', ')}) <- ${body.join(', ')}.`;
}

function recursionThroughAggregate(picks: Picks): string[] {
    const positive = picks.one(['', ', Q > 0']);
    const step = picks.one(['f(Y, Z, W), W > 0', 'dist(Y, Z, W)', 'e(Y, Z), W = 1', 'e(Y, Z), f(_, Z, W), W > 0']);
    return picks.one([
        [
            'dist(X, Y, D) <- f(X, Y, W), W > 0, D = mmin(W).',
            `dist(X, Z, D) <- dist(X, Y, D1), ${step}, D = mmin(D1 + W)${picks.one(['', ', D1 < 4'])}.`,
            `near(X) <- dist(_, X, D), D < ${picks.below(4)}.`,
        ],
        [
            `held(X, X, Y, Q) <- f(X, Y, Q)${positive}.`,
            `held(X, Z, Y, Q) <- ctrl(X, Z), f(Z, Y, Q)${positive}.`,
            `tot(X, Y, S) <- held(X, Z, Y, Q), S = ${picks.one(['msum(Q)', 'msum(Q, <Z>)', 'mcount()', 'mcount(1, <Q>)'])}.`,
            `ctrl(X, Y) <- tot(X, Y, S), S ${picks.one(['> 1', '>= 2', '> 0', '== 2', '< 3'])}.`,
        ],
        [
            'k(X, S) <- n(X), S = mcount().',
            `k(Y, S) <- k(X, T), e(X, Y), T > ${picks.below(2)}, S = mcount(${picks.one(['', '1, <X>'])}).`,
            'kk(X) <- k(X, S), S > 1.',
            picks.one(['', 'k(2, 5).']),
        ],
    ]);
}
