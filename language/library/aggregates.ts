import type { AggregateName } from '#language/program/program.ts';
import { isNumeric, type Type } from '#language/program/types.ts';
import { DOUBLE, elementType, INT, setOf } from './result-types.ts';

/** A widening set gets more elements; the order of sets says nothing about that. */
export type Direction = 'increasing' | 'decreasing' | 'widening';

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
    readonly family: AggregateName;
    readonly result: (argument: Type) => Type;
    readonly documentation: string;
}

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
    msum: { name: 'msum', family: 'msum', ...SUM, direction: 'increasing', documentation: 'The sum of the contributions.' },
    sum: { name: 'sum', family: 'msum', ...SUM, documentation: 'The sum of the contributions, once all are known.' },
    mprod: { name: 'mprod', family: 'mprod', ...SUM, direction: 'decreasing', documentation: 'The product of the contributions.' },
    prod: { name: 'prod', family: 'mprod', ...SUM, documentation: 'The product of the contributions, once all are known.' },
    mcount: { name: 'mcount', family: 'mcount', ...COUNT, direction: 'increasing', documentation: 'The number of contributions.' },
    count: { name: 'count', family: 'mcount', ...COUNT, documentation: 'The number of contributions, once all are known.' },
    mmin: { name: 'mmin', family: 'mmin', ...ONE, direction: 'decreasing', result: same, documentation: 'The smallest contribution.' },
    min: { name: 'min', family: 'mmin', ...ONE, result: same, documentation: 'The smallest contribution, once all are known.' },
    mmax: { name: 'mmax', family: 'mmax', ...ONE, direction: 'increasing', result: same, documentation: 'The largest contribution.' },
    max: { name: 'max', family: 'mmax', ...ONE, result: same, documentation: 'The largest contribution, once all are known.' },
    munion: {
        name: 'munion',
        family: 'munion',
        ...SUM,
        direction: 'widening',
        result: union,
        documentation: 'The set of all contributions and of their elements.',
    },
    mavg: { name: 'mavg', family: 'mavg', ...ONE, result: real, documentation: 'The arithmetic mean of the contributions.' },
    avg: { name: 'avg', family: 'mavg', ...ONE, result: real, documentation: 'The arithmetic mean of the contributions.' },
    mmedian: {
        name: 'mmedian',
        family: 'mmedian',
        ...ONE,
        most: 2,
        takes: 'one value and, at most, a variant',
        result: real,
        documentation: 'The median of the contributions.',
    },
    maxcount: {
        name: 'maxcount',
        family: 'maxcount',
        ...COUNT,
        takes: 'at most one value',
        contributors: false,
        documentation: 'The number of contributions, for the largest groups only.',
    },
};

/** The variants of `mmedian`; all of them give the exact median (D-40). */
export const MEDIAN_VARIANTS: ReadonlySet<string> = new Set(['exact', 'p2_algorithm', 'reservoir_sampling']);
