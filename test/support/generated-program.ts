import fc from 'fast-check';

/** Numbers that choose among what is possible where they are read, so that every choice makes a correct program. */
interface RuleChoice {
    readonly atoms: readonly (readonly number[])[];
    readonly negated: readonly number[] | undefined;
    readonly condition: readonly number[] | undefined;
    readonly assigned: boolean;
    readonly head: readonly number[];
}

interface Layer {
    readonly predicate: string;
    readonly arity: number;
    /** What its rules may read; the last ones are computed in the same layer. */
    readonly reads: readonly Readable[];
    /** What its rules may negate. */
    readonly negates: readonly Readable[];
    /** A rule that every program has, so that the predicate exists. */
    readonly base: string;
}

type Readable = readonly [predicate: string, arity: number];

const FACTS: readonly Readable[] = [
    ['a', 2],
    ['b', 2],
    ['c', 1],
];
const P: Readable = ['p', 2];
const S: Readable = ['s', 1];
const Q: Readable = ['q', 2];
const T: Readable = ['t', 2];

const LAYERS: readonly Layer[] = [
    { predicate: 'p', arity: 2, reads: [...FACTS, P, S], negates: FACTS, base: 'p(X, Y) <- a(X, Y).' },
    { predicate: 's', arity: 1, reads: [...FACTS, P, S], negates: FACTS, base: 's(X) <- c(X).' },
    { predicate: 'q', arity: 2, reads: [...FACTS, P, S, Q], negates: [...FACTS, P, S], base: 'q(X, Y) <- b(X, Y).' },
    { predicate: 'u', arity: 1, reads: [...FACTS, P, Q, T], negates: [...FACTS, S, Q, T], base: 'u(X) <- t(X, _).' },
];

const VALUES = ['0', '1', '2', '3', '1.5', '2.0', '"a"', '"b"', '#T', 'null'];
/** What the values of a program are taken from: of several kinds, mostly of one, and where a kind ends. The first, of which every column has
 * one, is a number, so that all aggregates are possible. */
const PALETTES: readonly (readonly string[])[] = [
    VALUES,
    VALUES,
    ['0', '1', '2', '3', '4'],
    ['0', '"a"', '"b"', '"c"', '""', '"B"', '"ä"'],
    ['0.5', '1.5', '2.0', '1', '-0.25', '0.1'],
    ['1', '"a"', '#F', '2', '1.5', '2031-04-09'],
    [...VALUES, '#F', '""', '2031-04-09', '2031-04-09 00:00:00', '0001-01-01', '9999-12-31 23:59:59.999999', '[1]', '{}', '"1"'],
    ['1', '2', '9007199254740991', '9007199254740992', '9007199254740993', '9007199254740992.0', '-9007199254740993', '0.5'],
    ['1', '"a"', '9223372036854775806', '-9223372036854775808', '9223372036854775808.0', '1.0e308', '-1.0e308', '5.0e-324', '-0.0', '0'],
    ['1073741823', '1073741824', '-1073741824', '-1073741825', '2147483647', '2147483648', '0', '#T', '"a"'],
];
const TERMS = ['X', 'Y', 'Z', 'X', 'Y', '_', '1', '"a"', 'W'];
const OPERATORS = ['==', '!=', '<', '<=', '>', '>='];
const AGGREGATES = ['mcount', 'msum', 'mmin', 'mmax', 'mprod', 'count', 'mavg', 'mmedian', 'maxcount'];

const number = fc.nat({ max: 59 });
const numbers = (length: number) => fc.array(number, { minLength: length, maxLength: length });

const ruleChoice: fc.Arbitrary<RuleChoice> = fc.record({
    atoms: fc.array(numbers(3), { minLength: 1, maxLength: 3 }),
    negated: fc.option(numbers(3), { nil: undefined, freq: 2 }),
    condition: fc.option(numbers(3), { nil: undefined, freq: 2 }),
    assigned: fc.boolean(),
    head: numbers(2),
});

/** A program without errors: joins, recursion, negation, conditions, assignments and aggregates over a few facts. */
export const generatedProgram: fc.Arbitrary<string> = fc
    .record({
        facts: fc.array(numbers(3), { minLength: 3, maxLength: 14 }),
        rules: fc.array(fc.tuple(fc.nat({ max: LAYERS.length - 1 }), ruleChoice), { maxLength: 6 }),
        aggregate: number,
        aggregates: fc.array(fc.tuple(ruleChoice, fc.option(number, { nil: undefined })), { minLength: 1, maxLength: 3 }),
        recursive: number,
        heads: fc.array(ruleChoice, { maxLength: 2 }),
        extra: fc.array(number, { maxLength: 2 }),
        palette: fc.nat({ max: PALETTES.length - 1 }),
    })
    .map(({ facts, rules, aggregate, aggregates, recursive, heads, extra, palette }) => {
        const from = PALETTES[palette] ?? VALUES;
        const layers = [...LAYERS.map(({ base }) => base), ...rules.map(([layer, choice]) => ruleText(pick(LAYERS, layer), choice))];
        const name = pick(AGGREGATES, aggregate);
        const shared = name === 'maxcount' ? aggregates.slice(0, 1) : aggregates;
        const hasThreshold = pick(RECURSIVE, recursive).some(rule => rule.startsWith('g('));
        const outputs = [...'pqstuabcd', ...(hasThreshold ? ['g'] : [])].map(output => `@output("${output}").`);
        return [
            ...FACTS.map(([predicate, arity]) => factText(predicate, arity, [0, 0], from)),
            ...facts.map(([which = 0, ...values]) => factText(...pick(FACTS, which), values, from)),
            ...layers,
            ...shared.map(([choice, having]) => aggregateText(name, choice, having)),
            ...pick(RECURSIVE, recursive),
            ...heads.map(severalHeads),
            ...(name === 'maxcount' ? [] : extra.map(which => pick(EXTRA, which))),
            ...outputs,
        ].join('\n');
    });

function pick<T>(items: readonly T[], index: number): T {
    return items[index % items.length] as T;
}

function factText(predicate: string, arity: number, values: readonly number[], from: readonly string[]): string {
    return `${predicate}(${Array.from({ length: arity }, (_, i) => pick(from, values[i] ?? 0)).join(', ')}).`;
}

function atomText([predicate, arity]: Readable, choice: readonly number[], terms: readonly string[]): string {
    return `${predicate}(${Array.from({ length: arity }, (_, i) => pick(terms, choice[i + 1] ?? 0)).join(', ')})`;
}

/** The items of a body and the variables that they bind. */
function bodyOf(layer: Pick<Layer, 'reads' | 'negates'>, choice: RuleChoice): { readonly items: string[]; readonly bound: string[] } {
    const items = choice.atoms.map(atom => atomText(pick(layer.reads, atom[0] ?? 0), atom, TERMS));
    const bound = [...new Set(items.join().match(/\b[WXYZ]\b/gu) ?? [])].sort();
    const ground = [...bound, '_', '1', '"a"'];
    if (choice.negated !== undefined) items.push(`not ${atomText(pick(layer.negates, choice.negated[0] ?? 0), choice.negated, ground)}`);
    const known = [...bound, '1', '2', '"a"'];
    if (choice.condition !== undefined && bound.length > 0) {
        const [left = 0, operator = 0, right = 0] = choice.condition;
        items.push(`${pick(bound, left)} ${pick(OPERATORS, operator)} ${pick(known, right)}`);
    }
    return { items, bound };
}

/** An assigned value stays between two bounds, so that a recursion through it ends soon, from wherever it begins. */
function ruleText(layer: Layer, choice: RuleChoice): string {
    const { items, bound } = bodyOf(layer, choice);
    const [first] = bound;
    if (choice.assigned && first !== undefined) {
        items.push(`N = ${first} + 1`, 'N < 5', 'N > -5');
        bound.push('N');
    }
    const terms = bound.length === 0 ? ['1'] : bound;
    const head = Array.from({ length: layer.arity }, (_, i) => pick(terms, choice.head[i] ?? 0));
    return `${layer.predicate}(${head.join(', ')}) <- ${items.join(', ')}.`;
}

function aggregateText(name: string, choice: RuleChoice, having: number | undefined): string {
    const { items, bound } = bodyOf({ reads: [...FACTS, P, S, Q], negates: [...FACTS, S, P] }, choice);
    const [key = 0, argument = 0] = choice.head;
    const value = pick(bound.length === 0 ? ['2'] : bound, argument);
    const takesContributors = ['mcount', 'msum', 'mprod', 'count'].includes(name);
    const contributors = takesContributors && choice.assigned && bound.length > 0 ? [`<${pick(bound, key + argument)}>`] : [];
    const call = `${name}(${[value, ...contributors].join(', ')})`;
    const condition = having === undefined || name === 'maxcount' ? [] : [`A ${pick(OPERATORS, having)} ${having % 4}`];
    // Values that are no numbers would end the run: they are filtered before.
    const numeric = ['mmin', 'mmax', 'mcount', 'count', 'maxcount'].includes(name) || value === '2' ? [] : [`${value} >= 0`];
    const keys = pick(bound.length === 0 ? ['1'] : [...bound, '"k"'], key);
    return `t(${keys}, A) <- ${[...items, ...numeric, `A = ${call}`, ...condition].join(', ')}.`;
}

const RECURSIVE: readonly (readonly string[])[] = [
    ['d(X, Y, D) <- p(X, Y), D = mmin(1).', 'd(X, Z, D) <- d(X, Y, E), b(Y, Z), D = mmin(E + 1).'],
    ['d(X, Y, D) <- p(X, Y), D = mmin(1).', 'd(X, Z, D) <- d(X, Y, E), d(Y, Z, F), D = mmin(E + F).'],
    ['d(X, X, D) <- s(X), D = mcount(1, <X>).', 'd(X, Z, D) <- d(X, Y, E), E > 0, b(Y, Z), D = mcount(1, <Y>).'],
    ['d(X, Y, D) <- p(X, Y), D = mmax(0).', 'd(X, Z, D) <- d(X, Y, E), b(Y, Z), E < 4, D = mmax(E + 1).'],
    ['d(X, Y, D) <- p(X, Y), D = msum(2, <Y>).', 'd(X, Z, D) <- g(X, Y), b(Y, Z), D = msum(1, <Y>).', 'g(X, Y) <- d(X, Y, E), E > 1.'],
    // Values of any kind, and a threshold that a better one may fall behind.
    ...['mmin', 'mmax'].flatMap(name =>
        ['E > 1', 'E < 2', 'E >= "a"', 'E <= "b"', 'E < 2031-04-09', '!(E > 1)', '1 < E, E != 2', 'E >= X'].map(threshold => [
            `d(X, X, D) <- p(X, Y), D = ${name}(Y).`,
            `d(Y, Y, D) <- g(X), b(X, Y), a(Y, W), D = ${name}(W).`,
            `d(Y, Y, D) <- d(X, X, E), a(X, Y), g(Y), D = ${name}(E).`,
            `g(X) <- d(X, _, E), ${threshold}.`,
        ]),
    ),
    ['d(X, X, D) <- p(X, Y), D = munion(Y).', 'd(Y, Y, D) <- g(X), b(X, Y), d(X, X, E), D = munion(E).', 'g(X) <- d(X, _, E), 1 in E.'],
];

/** Facts of the aggregated predicate: they contribute. */
const EXTRA = ['t("k", 2).', 't(1, 3).', 't(0, 1).'];

/** A rule with two heads, of which one is recursive. */
function severalHeads(choice: RuleChoice): string {
    const { items, bound } = bodyOf({ reads: [...FACTS, P, S, Q], negates: FACTS }, choice);
    const terms = bound.length === 0 ? ['1'] : bound;
    const [first = 0, second = 0] = choice.head;
    return `q(${pick(terms, first)}, "h"), q(${pick(terms, second)}, ${pick(terms, first)}) <- ${items.join(', ')}.`;
}
