import { isNumeric, type Type } from './types.ts';

/** A widening set gets more elements; the order of sets says nothing about that. */
export type Direction = 'increasing' | 'decreasing' | 'widening';

interface Description {
    readonly name: string;
    /** Least and greatest number of arguments, contributors not counted. */
    readonly least: number;
    readonly most: number;
    /** The input in the words of message RL3003. */
    readonly takes: string;
    /** Values that a second argument may have. */
    readonly variants?: readonly string[];
    /** The input: `rows`, of which a value only says whether they count; `numbers`, where any other value ends the run; or any `values`. */
    readonly domain: 'rows' | 'numbers' | 'values';
    readonly contributors: boolean;
    /** The way a value moves while contributions arrive; absent for aggregates that need their whole input. */
    readonly direction?: Direction;
    /** The range of contributions, from zero on, in which the value moves that way. Without it they may be anything. */
    readonly range?: { readonly most?: number; readonly words: string };
    /** A contribution that comes again changes nothing. */
    readonly idempotent?: true;
    /** The result is one of the contributions, or lies among them. */
    readonly chooses?: 'one' | 'between';
    /** The monotonic form that means the same outside recursion, or the name itself. */
    readonly family: string;
    readonly result: (argument: Type) => Type;
    readonly documentation: string;
    /** Words with which explanations introduce the contributions to a result. */
    readonly words: string;
    /** A call over `AGGREGATE_FACTS`, and the rows of regions and values. */
    readonly example: { readonly call: string; readonly rows: string };
}

/** The facts behind the examples: region, quantity, person. */
export const AGGREGATE_FACTS = 'sale("north", 3, "ann"). sale("north", 4, "ann"). sale("north", 4, "bob"). sale("south", 5, "bob").';

const same = (argument: Type): Type => argument;
const total = (argument: Type): Type =>
    isNumeric(argument) && argument.kind !== 'float' ? argument : argument.kind === 'unknown' ? argument : real();
const union = (argument: Type): Type => ({
    kind: 'set',
    element: argument.kind === 'list' || argument.kind === 'set' ? argument.element : argument,
});
const count = (): Type => ({ kind: 'int' });
const real = (): Type => ({ kind: 'double' });

const SUM = { least: 1, most: 1, takes: 'one value and, in angle brackets, contributors', contributors: true, result: total } as const;
const COUNT = {
    least: 0,
    most: 1,
    takes: 'at most one value and, in angle brackets, contributors',
    domain: 'rows',
    contributors: true,
    result: count,
    words: 'counting',
} as const;
const ONE = { least: 1, most: 1, takes: 'one value', contributors: false } as const;
const BEST = { ...ONE, domain: 'values', idempotent: true, chooses: 'one', result: same } as const;
const MIDDLE = { ...ONE, domain: 'numbers', chooses: 'between', result: real } as const;

/** The aggregates of section 5, each once; everything else that knows their names has them from here. */
const DESCRIPTIONS = {
    msum: {
        name: 'msum',
        family: 'msum',
        ...SUM,
        domain: 'numbers',
        direction: 'increasing',
        range: { words: 'non-negative' },
        documentation: 'The sum of the contributions.',
        words: 'the sum of',
        example: { call: 'msum(Q)', rows: '("north", 11), ("south", 5)' },
    },
    sum: {
        name: 'sum',
        family: 'msum',
        ...SUM,
        domain: 'numbers',
        documentation: 'The sum of the contributions, after all input is complete.',
        words: 'the sum of',
        example: { call: 'sum(Q, <P>)', rows: '("north", 8), ("south", 5)' },
    },
    mprod: {
        name: 'mprod',
        family: 'mprod',
        ...SUM,
        domain: 'numbers',
        direction: 'decreasing',
        range: { most: 1, words: '[0, 1]' },
        documentation: 'The product of the contributions.',
        words: 'the product of',
        example: { call: 'mprod(Q)', rows: '("north", 48), ("south", 5)' },
    },
    prod: {
        name: 'prod',
        family: 'mprod',
        ...SUM,
        domain: 'numbers',
        documentation: 'The product of the contributions, after all input is complete.',
        words: 'the product of',
        example: { call: 'prod(Q, <P>)', rows: '("north", 12), ("south", 5)' },
    },
    mcount: {
        name: 'mcount',
        family: 'mcount',
        ...COUNT,
        direction: 'increasing',
        documentation: 'The number of contributions.',
        example: { call: 'mcount()', rows: '("north", 3), ("south", 1)' },
    },
    count: {
        name: 'count',
        family: 'mcount',
        ...COUNT,
        documentation: 'The number of contributions, after all input is complete.',
        example: { call: 'count(1, <P>)', rows: '("north", 2), ("south", 1)' },
    },
    mmin: {
        name: 'mmin',
        family: 'mmin',
        ...BEST,
        direction: 'decreasing',
        documentation: 'The smallest contribution.',
        words: 'the smallest of',
        example: { call: 'mmin(Q)', rows: '("north", 3), ("south", 5)' },
    },
    min: {
        name: 'min',
        family: 'mmin',
        ...BEST,
        documentation: 'The smallest contribution, after all input is complete.',
        words: 'the smallest of',
        example: { call: 'min(Q)', rows: '("north", 3), ("south", 5)' },
    },
    mmax: {
        name: 'mmax',
        family: 'mmax',
        ...BEST,
        direction: 'increasing',
        documentation: 'The largest contribution.',
        words: 'the largest of',
        example: { call: 'mmax(Q)', rows: '("north", 4), ("south", 5)' },
    },
    max: {
        name: 'max',
        family: 'mmax',
        ...BEST,
        documentation: 'The largest contribution, after all input is complete.',
        words: 'the largest of',
        example: { call: 'max(Q)', rows: '("north", 4), ("south", 5)' },
    },
    munion: {
        name: 'munion',
        family: 'munion',
        ...SUM,
        domain: 'values',
        direction: 'widening',
        idempotent: true,
        result: union,
        documentation: 'The set of all contributions and of their elements.',
        words: 'the union of',
        example: { call: 'munion(P)', rows: '("north", {"ann","bob"}), ("south", {"bob"})' },
    },
    mavg: {
        name: 'mavg',
        family: 'mavg',
        ...MIDDLE,
        documentation: 'The arithmetic mean of the contributions.',
        words: 'the average of',
        example: { call: 'mavg(Q)', rows: '("north", 3.6666666666666665), ("south", 5.0)' },
    },
    avg: {
        name: 'avg',
        family: 'mavg',
        ...MIDDLE,
        documentation: 'The arithmetic mean of the contributions.',
        words: 'the average of',
        example: { call: 'avg(Q)', rows: '("north", 3.6666666666666665), ("south", 5.0)' },
    },
    mmedian: {
        name: 'mmedian',
        family: 'mmedian',
        ...MIDDLE,
        most: 2,
        takes: 'one value and, at most, a variant',
        // All of them give the exact median (D-40).
        variants: ['exact', 'p2_algorithm', 'reservoir_sampling'],
        documentation: 'The median of the contributions.',
        words: 'the median of',
        example: { call: 'mmedian(Q)', rows: '("north", 4.0), ("south", 5.0)' },
    },
    maxcount: {
        name: 'maxcount',
        family: 'maxcount',
        ...COUNT,
        takes: 'at most one value',
        contributors: false,
        documentation: 'The number of contributions, for the largest groups only.',
        example: { call: 'maxcount()', rows: '("north", 3)' },
    },
} as const satisfies Readonly<Record<string, Description>>;

export type AggregateName = keyof typeof DESCRIPTIONS;

/** The monotonic forms, and the aggregates that have none. */
export type AggregateFamily = (typeof DESCRIPTIONS)[AggregateName]['family'];

export interface AggregateEntry extends Description {
    readonly name: AggregateName;
    readonly family: AggregateFamily;
}

export const AGGREGATES: Readonly<Record<AggregateName, AggregateEntry>> = DESCRIPTIONS;

export function isAggregateName(name: string): name is AggregateName {
    return Object.hasOwn(AGGREGATES, name);
}
