import fc from 'fast-check';

/** A term of an atom: a variable, `_`, or an integer. */
export type Term = string | number;

export interface Atom {
    readonly predicate: string;
    readonly terms: readonly Term[];
}

export interface Comparison {
    readonly left: string;
    readonly operator: '<' | '<=' | '>' | '>=' | '==' | '!=';
    readonly right: Term;
}

/** What an aggregate makes of the different values of a variable, or of the matches. */
export interface Aggregate {
    readonly of: 'count' | 'sum' | 'min' | 'max' | 'matches';
    readonly variable: string;
}

export interface Rule {
    readonly head: Atom;
    readonly atoms: readonly Atom[];
    readonly negated: readonly Atom[];
    readonly conditions: readonly Comparison[];
    /** `N` is this variable plus or minus a number. */
    readonly sum?: { readonly of: string; readonly plus: number };
    /** `A`, the last term of the head. */
    readonly aggregate?: Aggregate;
}

/** A stratified program over integers, which other programs can evaluate too. */
export interface StratifiedProgram {
    readonly facts: readonly Atom[];
    /** The rules of one stratum each. */
    readonly strata: readonly (readonly Rule[])[];
}

/** The predicates, by stratum; those of the first one are facts. */
export const STRATA: readonly (readonly (readonly [name: string, arity: number])[])[] = [
    [
        ['e', 2],
        ['f', 2],
        ['n', 1],
    ],
    [
        ['p', 2],
        ['q', 2],
        ['r', 1],
    ],
    [['c', 2]],
    [
        ['s', 2],
        ['t', 1],
    ],
    [['d', 2]],
    [
        ['u', 3],
        ['v', 1],
    ],
];

/** A rule for each predicate that is neither facts nor aggregated, so that it exists. */
const BASES: readonly (readonly [stratum: number, head: string, from: string])[] = [
    [1, 'p', 'e'],
    [1, 'q', 'f'],
    [1, 'r', 'n'],
    [3, 's', 'q'],
    [3, 't', 'r'],
    [5, 'u', 's'],
    [5, 'v', 't'],
];

/** Strata whose rules aggregate. */
const AGGREGATED = new Set([2, 4]);
const OPERATORS: readonly Comparison['operator'][] = ['<', '<=', '>', '>=', '==', '!='];
const FUNCTIONS: readonly Aggregate['of'][] = ['count', 'sum', 'min', 'max', 'matches'];
const TERMS: readonly Term[] = ['X', 'Y', 'Z', 'X', 'Y', 'Z', 'W', '_', 1, 2];
const EDGES = [2 ** 30 - 1, 2 ** 30, -(2 ** 30), -(2 ** 30) - 1, 2 ** 31 - 2, -(2 ** 31) + 1];

const FIRST_FACTS: readonly Atom[] = [
    { predicate: 'e', terms: [1, 2] },
    { predicate: 'f', terms: [2, 1] },
    { predicate: 'n', terms: [1] },
];

const number = fc.nat({ max: 59 });
const numbers = (length: number) => fc.array(number, { minLength: length, maxLength: length });
const ruleChoice = fc.record({
    head: numbers(4),
    atoms: fc.array(numbers(3), { minLength: 1, maxLength: 3 }),
    negated: fc.array(numbers(3), { maxLength: 1 }),
    conditions: fc.array(numbers(3), { maxLength: 2 }),
    sum: fc.option(numbers(2), { freq: 1, nil: undefined }),
    aggregate: number,
});
type RuleChoice = typeof ruleChoice extends fc.Arbitrary<infer T> ? T : never;

export const stratifiedProgram: fc.Arbitrary<StratifiedProgram> = fc
    .record({
        facts: fc.array(numbers(3), { minLength: 4, maxLength: 16 }),
        edges: fc.array(number, { maxLength: 2 }),
        strata: fc.tuple(
            ...STRATA.slice(1).map((_, i) => fc.array(ruleChoice, { minLength: 1, maxLength: AGGREGATED.has(i + 1) ? 1 : 4 })),
        ),
    })
    .map(({ facts, edges, strata }) => {
        const values = [0, 1, 2, 3, 4, -1, ...edges.map(edge => pick(EDGES, edge))];
        return {
            facts: [
                ...FIRST_FACTS,
                ...facts.map(([which = 0, ...choices]) => {
                    const [predicate, arity] = pick(STRATA[0] ?? [], which);
                    return { predicate, terms: choices.slice(0, arity).map(choice => pick(values, choice)) };
                }),
            ],
            strata: strata.map((rules, i) => [...basesOf(i + 1), ...rules.map(rule => ruleOf(rule, i + 1))]),
        };
    });

function basesOf(stratum: number): Rule[] {
    return BASES.filter(([of]) => of === stratum).map(([, predicate, from]) => {
        const arity = STRATA.flat().find(([name]) => name === from)?.[1] ?? 0;
        const terms = ['X', 'Y'].slice(0, arity);
        const head = predicate === 'u' ? [...terms, 'X'] : terms;
        return { head: { predicate, terms: head }, atoms: [{ predicate: from, terms }], negated: [], conditions: [] };
    });
}

function pick<T>(items: readonly T[], index: number): T {
    return items[index % items.length] as T;
}

function ruleOf({ head, atoms, negated, conditions, sum, aggregate }: RuleChoice, stratum: number): Rule {
    const below = STRATA.slice(0, stratum).flat();
    const own = STRATA[stratum] ?? [];
    const isAggregated = AGGREGATED.has(stratum);
    const readable = isAggregated || sum !== undefined ? below : [...below, ...own, ...own];
    const atomOf = (from: typeof below, [which = 0, ...choices]: readonly number[], terms: readonly Term[]): Atom => {
        const [predicate, arity] = pick(from, which);
        return { predicate, terms: choices.slice(0, arity).map(choice => pick(terms, choice)) };
    };
    // An aggregate counts matches, in which each column has a name.
    let fresh = 0;
    const named = (atom: Atom): Atom => ({ ...atom, terms: atom.terms.map(term => (term === '_' ? `V${fresh++}` : term)) });
    const positive = atoms.map(choice => atomOf(readable, choice, TERMS)).map(atom => (isAggregated ? named(atom) : atom));
    const first = variablesOf(positive);
    // A body without a variable gets one.
    if (first.length === 0) positive.push({ predicate: 'n', terms: ['X'] });
    const bound = variablesOf(positive);
    const [predicate, arity] = pick(own, head[0] ?? 0);
    const variables: Term[] = [...bound, ...(sum === undefined ? [] : ['N', 'N']), ...(isAggregated ? [] : [1])];
    const terms = head.slice(1, arity + 1).map(choice => pick(variables, choice));
    return {
        head: { predicate, terms: isAggregated ? [...terms.slice(0, arity - 1), 'A'] : terms },
        atoms: positive,
        negated: negated.map(choice => atomOf(below, choice, [...bound, ...bound, '_', 1])),
        conditions: conditions.map(([left = 0, operator = 0, right = 0]) => ({
            left: pick(bound, left),
            operator: pick(OPERATORS, operator),
            right: pick([...bound, 1, 2, 3], right),
        })),
        ...(sum === undefined ? {} : { sum: { of: pick(bound, sum[0] ?? 0), plus: ((sum[1] ?? 0) % 3) - 1 } }),
        ...(isAggregated ? { aggregate: { of: pick(FUNCTIONS, aggregate), variable: pick(bound, aggregate >> 2) } } : {}),
    };
}

function variablesOf(atoms: readonly Atom[]): string[] {
    return [...new Set(atoms.flatMap(({ terms }) => terms.filter(term => typeof term === 'string' && term !== '_')))] as string[];
}

/** The program in this language, with every predicate as an output. */
export function stratifiedText({ facts, strata }: StratifiedProgram): string {
    const outputs = STRATA.flat().map(([name]) => `@output("${name}").`);
    return [...facts.map(fact => `${atomText(fact)}.`), ...strata.flat().map(ruleText), ...outputs].join('\n');
}

function atomText({ predicate, terms }: Atom): string {
    return `${predicate}(${terms.join(', ')})`;
}

function ruleText({ head, atoms, negated, conditions, sum, aggregate }: Rule): string {
    const items = [
        ...atoms.map(atomText),
        ...negated.map(atom => `not ${atomText(atom)}`),
        ...conditions.map(({ left, operator, right }) => `${left} ${operator} ${right}`),
        ...(sum === undefined ? [] : [`N = ${sum.of} + ${sum.plus < 0 ? `(${sum.plus})` : sum.plus}`]),
        ...(aggregate === undefined ? [] : [`A = ${aggregateText(aggregate)}`]),
    ];
    return `${atomText(head)} <- ${items.join(', ')}.`;
}

function aggregateText({ of, variable }: Aggregate): string {
    switch (of) {
        case 'count':
            return `mcount(1, <${variable}>)`;
        case 'sum':
            return `msum(${variable}, <${variable}>)`;
        case 'min':
        case 'max':
            return `m${of}(${variable})`;
        case 'matches':
            return 'mcount()';
    }
}
