import type { AggregateName } from '#language/program/program.ts';
import { isNumeric, type Type } from '#language/program/types.ts';
import { DOUBLE, elementType, INT, setOf } from './result-types.ts';

/** A widening set gets more elements; the order of sets says nothing about that. */
export type Direction = 'increasing' | 'decreasing' | 'widening';

/** The monotonic forms, and the aggregates that have none. */
export type AggregateFamily = Extract<
    AggregateName,
    'msum' | 'mprod' | 'mcount' | 'mmin' | 'mmax' | 'munion' | 'mavg' | 'mmedian' | 'maxcount'
>;

export interface AggregateEntry {
    readonly name: AggregateName;
    /** Least and greatest number of arguments, contributors not counted. */
    readonly least: number;
    readonly most: number;
    /** What the message RL3003 says it takes. */
    readonly takes: string;
    readonly contributors: boolean;
    /** The way a value moves while contributions arrive; absent for aggregates that need their whole input. */
    readonly direction?: Direction;
    /** The monotonic form that means the same outside recursion, or the name itself. */
    readonly family: AggregateFamily;
    readonly result: (argument: Type) => Type;
    readonly documentation: string;
    /** A call over `AGGREGATE_FACTS`, and the rows of regions and values. */
    readonly example: { readonly call: string; readonly rows: string };
}

/** What the examples aggregate: region, quantity, person. */
export const AGGREGATE_FACTS = 'sale("north", 3, "ann"). sale("north", 4, "ann"). sale("north", 4, "bob"). sale("south", 5, "bob").';

const same = (argument: Type): Type => argument;
const total = (argument: Type): Type =>
    isNumeric(argument) && argument.kind !== 'float' ? argument : argument.kind === 'unknown' ? argument : DOUBLE;
const union = (argument: Type): Type => setOf(argument.kind === 'list' || argument.kind === 'set' ? elementType(argument) : argument);
const count = (): Type => INT;
const real = (): Type => DOUBLE;

const SUM = { least: 1, most: 1, takes: 'one value and, in angle brackets, contributors', contributors: true, result: total };
const COUNT = { least: 0, most: 1, takes: 'at most one value and, in angle brackets, contributors', contributors: true, result: count };
const ONE = { least: 1, most: 1, takes: 'one value', contributors: false };

/** The aggregates of section 5. */
export const AGGREGATES: { readonly [N in AggregateName]: AggregateEntry & { readonly name: N } } = {
    msum: {
        name: 'msum',
        family: 'msum',
        ...SUM,
        direction: 'increasing',
        documentation: 'The sum of the contributions.',
        example: { call: 'msum(Q)', rows: '("north", 11), ("south", 5)' },
    },
    sum: {
        name: 'sum',
        family: 'msum',
        ...SUM,
        documentation: 'The sum of the contributions, once all are known.',
        example: { call: 'sum(Q, <P>)', rows: '("north", 8), ("south", 5)' },
    },
    mprod: {
        name: 'mprod',
        family: 'mprod',
        ...SUM,
        direction: 'decreasing',
        documentation: 'The product of the contributions.',
        example: { call: 'mprod(Q)', rows: '("north", 48), ("south", 5)' },
    },
    prod: {
        name: 'prod',
        family: 'mprod',
        ...SUM,
        documentation: 'The product of the contributions, once all are known.',
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
        documentation: 'The number of contributions, once all are known.',
        example: { call: 'count(1, <P>)', rows: '("north", 2), ("south", 1)' },
    },
    mmin: {
        name: 'mmin',
        family: 'mmin',
        ...ONE,
        direction: 'decreasing',
        result: same,
        documentation: 'The smallest contribution.',
        example: { call: 'mmin(Q)', rows: '("north", 3), ("south", 5)' },
    },
    min: {
        name: 'min',
        family: 'mmin',
        ...ONE,
        result: same,
        documentation: 'The smallest contribution, once all are known.',
        example: { call: 'min(Q)', rows: '("north", 3), ("south", 5)' },
    },
    mmax: {
        name: 'mmax',
        family: 'mmax',
        ...ONE,
        direction: 'increasing',
        result: same,
        documentation: 'The largest contribution.',
        example: { call: 'mmax(Q)', rows: '("north", 4), ("south", 5)' },
    },
    max: {
        name: 'max',
        family: 'mmax',
        ...ONE,
        result: same,
        documentation: 'The largest contribution, once all are known.',
        example: { call: 'max(Q)', rows: '("north", 4), ("south", 5)' },
    },
    munion: {
        name: 'munion',
        family: 'munion',
        ...SUM,
        direction: 'widening',
        result: union,
        documentation: 'The set of all contributions and of their elements.',
        example: { call: 'munion(P)', rows: '("north", {"ann","bob"}), ("south", {"bob"})' },
    },
    mavg: {
        name: 'mavg',
        family: 'mavg',
        ...ONE,
        result: real,
        documentation: 'The arithmetic mean of the contributions.',
        example: { call: 'mavg(Q)', rows: '("north", 3.6666666666666665), ("south", 5.0)' },
    },
    avg: {
        name: 'avg',
        family: 'mavg',
        ...ONE,
        result: real,
        documentation: 'The arithmetic mean of the contributions.',
        example: { call: 'avg(Q)', rows: '("north", 3.6666666666666665), ("south", 5.0)' },
    },
    mmedian: {
        name: 'mmedian',
        family: 'mmedian',
        ...ONE,
        most: 2,
        takes: 'one value and, at most, a variant',
        result: real,
        documentation: 'The median of the contributions.',
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
};

/** The variants of `mmedian`; all of them give the exact median (D-40). */
export const MEDIAN_VARIANTS: ReadonlySet<string> = new Set(['exact', 'p2_algorithm', 'reservoir_sampling']);
