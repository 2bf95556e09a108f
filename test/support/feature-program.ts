import fc from 'fast-check';

/** A predicate with the number of its columns. */
type Shape = readonly [name: string, arity: number];

/** What a rule of a level may define; it reads the levels up to its own and negates and aggregates those below. */
const LEVELS: readonly (readonly Shape[])[] = [
    [
        ['a', 2],
        ['b', 2],
        ['c', 1],
        ['l', 1],
    ],
    [
        ['p', 2],
        ['e', 2],
        ['n', 1],
    ],
    [
        ['q', 2],
        ['s', 1],
    ],
    [
        ['t', 2],
        ['w', 2],
    ],
    [
        ['u', 2],
        ['v', 1],
    ],
];

const BASES = [
    'p(X, Y) <- a(X, Y).',
    'e(X, Y) <- b(X, Y).',
    'n(X) <- c(X).',
    'q(X, Y) <- p(X, Y).',
    's(X) <- e(X, _).',
    't(X, A) <- q(X, _), A = mcount().',
    'w(X, X) <- s(X).',
    'u(X, Y) <- t(X, Y).',
    'v(X) <- w(X, _).',
];

const VALUES = [
    '0',
    '1',
    '2',
    '3',
    '1.0',
    '2.5',
    '-1',
    '"a"',
    '"b"',
    '"1"',
    '#T',
    'null',
    '2031-04-09',
    '2031-04-09 00:00:00',
    '[1, "a"]',
    '[null]',
];
const COLLECTIONS = ['[]', '[1, 2, 1]', '{2, 1.0}', '["a", null]', 'null', '[[1], {2}]', '{#T, 2031-04-09}', '7'];
const TERMS = ['X', 'Y', 'Z', 'X', 'Y', '_', '1', '"a"', '?k', 'W'];

/** `$0` and `$1` stand for variables that the body binds. */
const CONDITIONS = [
    '$0 == $1',
    '$0 != $1',
    '$0 < $1',
    '$0 >= 2',
    '$0 != "a"',
    '!($0 == 1)',
    '!($0 < $1) || $1 == 1',
    'is_null($0)',
    'is_not_null($0) && $0 != 2',
    '$0 in [1, "a", $1]',
    '$0 !in {1, 2}',
    '$0 in ?ks',
    '$0 !in ?ks',
    '$0 > ?k',
    '$0 >= 2031-01-01',
    '_between($0, 0, 2)',
    'between_("a", $0, $1)',
    'as_string($0) < "b"',
    'dom(*)',
    'collections:contains([$0, 1], $1)',
    'xor(is_null($0), $1 == 1)',
];

const VALUES_OF = [
    '$0',
    '#f($0, $1)',
    '#g($1)',
    'null',
    'as_string($0)',
    '[$0, $1]',
    '{} | $0 | $1',
    '{$0, $1} & [$1]',
    'if($0 == 1, $1, "no")',
    'nullManagement:coalesce($0, 7)',
    'nullManagement:ifnull($0, $1, 2)',
    '$0 == $1',
    'struct("a", $0, "b", $1)',
    'struct:get("a", struct("a", $0))',
    'collections:map("k", $0, $1, 2)',
    'date:next_day(as_date($0))',
    'as_timestamp($0)',
    'as_int($0) + 1',
    'as_double($0) / 4',
    'collections:explode([$0, $1, $0])',
    'collections:size([$0])',
    'collections:sort([$1, $0, 2])',
    'collections:get([$0, $1], as_int($1))',
    'concat_ws("-", $0, $1)',
    '"<" + $0',
    'as_json([$0])',
    'hash:md5($0)',
    'math:max(1, as_int($0))',
    'substring(as_string($0), 2)',
    'collections:transform([1, 2], "x -> x + 1")',
    '?k',
    'collections:explode(?ks)',
];

/** The argument and the contributors of an aggregate. */
const AGGREGATES = [
    'mcount()',
    'mcount($0)',
    'mcount(1, <$0>)',
    'count($1, <$0>)',
    'mmin($0)',
    'max($0)',
    'munion($0)',
    'munion([$0, 1], <$1>)',
    'msum(as_int($0))',
    'msum(as_double($0), <$1>)',
    'prod(as_int($0), <$1>)',
    'mavg(as_double($0))',
    'mmedian(as_int($0))',
    'maxcount($0)',
    'maxcount()',
    'sum(if(is_null($0), 1, 2))',
];

const ON_RESULTS = ['A > 1', 'A == $0', 'A != 1', 'not c(A)', 'not a($0, A)', '$0 < A || A == 2', 'is_not_null(A)', 'B = A'];

const WHOLE_RULES = [
    'p(X, Z) <- p(X, Y), a(Y, Z).',
    'p(X, Z) <- p(X, Y), p(Y, Z).',
    'e(X, E) <- n(X).',
    'n(Y) <- e(X, Y).',
    'e(E, X), n(E) <- n(X).',
    'e(X, E) <- e(X, Y), a(X, _).',
    'e(X, E) <- p(X, Y), E = #f(Y).',
    'n(E) <- n(X), E = #g(X).',
    'p(X, V) <- a(X, Y), V = [] | X | Y.',
    'p(X, V) <- p(X, W), a(X, Z), Z !in W, V = W | Z.',
    'q(X, D) <- a(X, _), D = mmin(1).',
    'd(X, Y, D) <- p(X, Y), D = mmin(1). d(X, Z, D) <- d(X, Y, E), a(Y, Z), D = mmin(E + 1). u(X, D) <- d(X, _, D).',
    'r(X, S) <- a(X, Y), S = munion(Y). r(X, S) <- a(X, Y), r(Y, T), S = munion(T). v(S) <- r(_, S).',
    'h(X, N) <- a(Y, X), g(Y), N = mcount(1, <Y>). g(X) <- h(X, N), N >= 2. g(X) <- c(X). v(X) <- g(X).',
    'h(X, N) <- a(Y, X), g(Y), N = msum(0.5, <Y>). g(X) <- h(X, N), N >= 1. g(X) <- n(X). u(X, N) <- h(X, N).',
    'm(X, M) <- c(X), M = mmax(0). m(Y, M) <- m(X, N), b(X, Y), N < 3, M = mmax(N + 1). u(X, M) <- m(X, M).',
    'k(A, B) <- #TC(p).',
    'u(X, C) <- #CC(a).',
    'y(X, Y, L) <- #BFS(p).',
];

const EQUALITIES = [
    'Y = Z <- e(X, Y), e(X, Z).',
    'Y = Z <- e(X, Y), a(X, Z).',
    'X = Y <- n(X), n(Y), e(X, Y).',
    'Y = 1 <- e(1, Y).',
    'Y = A <- t(X, A), e(X, Y).',
    'Y = Z <- q(X, Y), e(X, Z), not s(Z).',
    '#F <- e(X, X).',
    '#F <- t(X, A), not v(X).',
];

const DIRECTIVES = [
    'certain',
    'limit(2)',
    'prelimit(3)',
    'orderby(-2)',
    'orderby(2,-1)',
    'min(2)',
    'max(1)',
    'argmin(2,<1>)',
    'argmax(1,<>)',
    'unique',
];

const MODELS = ["['x:string', 'y:double']", "['x:int', 'y:list<int>']", "['x:date', 'y:boolean']", "['x:set<string>', 'y:timestamp']"];

interface Choice {
    readonly level: number;
    readonly heads: readonly (readonly number[])[];
    readonly atoms: readonly (readonly number[])[];
    readonly negated: readonly number[] | undefined;
    readonly condition: readonly number[] | undefined;
    readonly value: readonly number[] | undefined;
    readonly aggregate: readonly number[] | undefined;
}

const number = fc.nat({ max: 59 });
const numbers = (length: number) => fc.array(number, { minLength: length, maxLength: length });
const maybe = (length: number, freq: number) => fc.option(numbers(length), { nil: undefined, freq });

const choice: fc.Arbitrary<Choice> = fc.record({
    level: fc.integer({ min: 1, max: LEVELS.length - 1 }),
    heads: fc.array(numbers(3), { minLength: 1, maxLength: 2 }),
    atoms: fc.array(numbers(4), { minLength: 1, maxLength: 3 }),
    negated: maybe(4, 1),
    condition: maybe(3, 2),
    value: maybe(3, 1),
    aggregate: maybe(4, 1),
});

/** A program that mixes most features of the language; some of them have errors. */
export const featureProgram: fc.Arbitrary<string> = fc
    .record({
        facts: fc.array(numbers(3), { minLength: 2, maxLength: 10 }),
        rules: fc.array(choice, { minLength: 1, maxLength: 5 }),
        whole: fc.array(number, { maxLength: 4 }),
        equalities: fc.oneof(fc.constant<number[]>([]), fc.array(number, { minLength: 1, maxLength: 2 })),
        directives: fc.array(numbers(2), { maxLength: 2 }),
        model: fc.option(numbers(2), { nil: undefined, freq: 1 }),
    })
    .map(({ facts, rules, whole, equalities, directives, model }) => {
        const clauses = [
            ...BASES,
            ...rules.map(ruleText),
            ...new Set(whole.map(index => pick(WHOLE_RULES, index))),
            ...new Set(equalities.map(index => pick(EQUALITIES, index))),
        ];
        const outputs = [...'penqstwuvdrhgmky'].filter(name => clauses.some(clause => defines(clause, name)));
        return [
            '@param("k", 1).',
            '@param("ks", [1, "a", null]).',
            ...['a(1, 2).', 'b(2, 1).', 'c(1).', 'l([1]).'],
            ...new Set(facts.map(factText)),
            ...clauses,
            ...outputs.map(name => `@output("${name}").`),
            ...directives.map(([name = 0, directive = 0]) => `@post("${pick(['q', 't', 'u'], name)}", "${pick(DIRECTIVES, directive)}").`),
            ...(model === undefined ? [] : [`@model("${pick(['q', 'u'], model[0] ?? 0)}", "${pick(MODELS, model[1] ?? 0)}").`]),
        ].join('\n');
    });

function pick<T>(items: readonly T[], index: number): T {
    return items[index % items.length] as T;
}

/** The first head is enough: other heads have names that every program defines. */
function defines(clauses: string, name: string): boolean {
    return clauses.split(/(?<=\.) /u).some(clause => clause.startsWith(`${name}(`));
}

function factText([which = 0, ...values]: readonly number[]): string {
    const [name, arity] = pick(LEVELS[0] ?? [], which);
    const from = name === 'l' ? COLLECTIONS : VALUES;
    return `${name}(${values
        .slice(0, arity)
        .map(value => pick(from, value))
        .join(', ')}).`;
}

function ruleText({ level, heads, atoms, negated, condition, value, aggregate }: Choice): string {
    const below = LEVELS.slice(0, level).flat();
    // New values come from lower levels only, so that no recursion makes them without end.
    const readable = value === undefined && aggregate === undefined ? [...below, ...(LEVELS[level] ?? [])] : below;
    const items = atoms.map(([which = 0, ...terms]) => atomText(pick(readable, which), terms, TERMS));
    const bound = [...new Set(items.join().match(/\b[WXYZ]\b/gu) ?? [])].sort();
    const variables = bound.length === 0 ? ['1'] : bound;
    const filled = (template: string, [first = 0, second = 0]: readonly number[]): string =>
        template.replaceAll('$0', pick(variables, first)).replaceAll('$1', pick(variables, second));
    if (negated !== undefined) {
        const [which = 0, ...terms] = negated;
        items.push(`not ${atomText(pick(below, which), terms, [...variables, ...variables, '_', '1', '"a"', 'V'])}`);
    }
    if (condition !== undefined) items.push(filled(pick(CONDITIONS, condition[0] ?? 0), condition.slice(1)));
    if (value !== undefined) {
        items.push(`N = ${filled(pick(VALUES_OF, value[0] ?? 0), value.slice(1))}`);
        variables.unshift('N');
    }
    if (aggregate !== undefined) {
        items.push(`A = ${filled(pick(AGGREGATES, aggregate[0] ?? 0), aggregate.slice(1))}`);
        const [, , , onResult = 0] = aggregate;
        if (onResult > 30) items.push(filled(pick(ON_RESULTS, onResult), aggregate.slice(1)));
        variables.unshift('A', 'A');
    }
    const terms = [...variables, ...variables, 'E', '"h"', '_'];
    const texts = heads.map(([which = 0, ...choices]) => atomText(pick(LEVELS[level] ?? [], which), choices, terms));
    return `${texts.join(', ')} <- ${items.join(', ')}.`;
}

function atomText([name, arity]: Shape, choices: readonly number[], terms: readonly string[]): string {
    return `${name}(${Array.from({ length: arity }, (_, i) => pick(terms, choices[i] ?? 0)).join(', ')})`;
}
