import { isDouble, isIntegral } from '#engine/evaluate/expression-arithmetic.ts';
import { shown } from '#engine/evaluate/expression-site.ts';
import { type ReportContext, stop } from '#engine/reports/reports.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { compareValues } from '#engine/values/order.ts';
import { setOf } from '#engine/values/set-of.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { AGGREGATES, type AggregateName } from '#language/program/aggregates.ts';
import type { Type } from '#language/program/types.ts';
import { exactSum } from './exact-sum.ts';

/** One aggregated position: its function, the type of its argument and where its reports point to. */
export interface AggregateSite {
    readonly name: AggregateName;
    readonly type: Type;
    readonly context: ReportContext;
}

/** The kept values of one group, by contributor. */
export type Contributions = Map<string, ValueId>;

/** Keeps the better of the values of one contributor (5.3, 5.5.2). */
export function contribute(
    dictionary: Dictionary,
    site: AggregateSite,
    contributions: Contributions,
    contributor: string,
    value: ValueId,
): void {
    const kept = contributions.get(contributor);
    contributions.set(contributor, kept === undefined ? value : better(dictionary, site.name, kept, value));
}

function better(dictionary: Dictionary, name: AggregateName, kept: ValueId, value: ValueId): ValueId {
    const { family } = AGGREGATES[name];
    const { direction } = AGGREGATES[family];
    if (direction === 'widening') return setOf(dictionary, [...elements(dictionary, kept), ...elements(dictionary, value)]);
    const order = compareValues(dictionary, value, kept);
    return (direction === 'decreasing' ? order < 0 : order > 0) ? value : kept;
}

/** The value of a group from the values that its contributors keep, which are not null. */
export function combine(dictionary: Dictionary, site: AggregateSite, values: readonly ValueId[]): ValueId {
    const sorted = [...values].sort((a, b) => compareValues(dictionary, a, b));
    switch (AGGREGATES[site.name].family) {
        case 'mmin':
            return sorted[0]!;
        case 'mmax':
            return sorted.at(-1)!;
        case 'munion':
            return setOf(
                dictionary,
                values.flatMap(value => elements(dictionary, value)),
            );
        case 'mcount':
        case 'maxcount':
        case 'msum':
            return sum(dictionary, site, sorted);
        case 'mprod':
            return product(dictionary, site, sorted);
        case 'mavg':
            return finite(dictionary, site, mean(dictionary, site, sorted));
        case 'mmedian':
            return median(dictionary, site, sorted);
    }
}

function elements(dictionary: Dictionary, value: ValueId): readonly ValueId[] {
    const kind = dictionary.kind(value);
    return kind === 'list' || kind === 'set' ? dictionary.membersOf(value) : [value];
}

function sum(dictionary: Dictionary, site: AggregateSite, values: readonly ValueId[]): ValueId {
    const numbers = exactNumbersOf(dictionary, site, values);
    const exact = useIntegers(dictionary, site, values)
        ? values.reduce((total, value) => total + dictionary.bigintOf(value), 0n)
        : undefined;
    return integer(dictionary, site, exact) ?? finite(dictionary, site, exactSum(numbers));
}

function product(dictionary: Dictionary, site: AggregateSite, values: readonly ValueId[]): ValueId {
    const numbers = numbersOf(dictionary, site, values);
    const exact = useIntegers(dictionary, site, values)
        ? values.reduce((total, value) => total * dictionary.bigintOf(value), 1n)
        : undefined;
    const rounded = (): number => numbers.reduce((total, value) => total * value, 1);
    return integer(dictionary, site, exact) ?? finite(dictionary, site, rounded());
}

function mean(dictionary: Dictionary, site: AggregateSite, values: readonly ValueId[]): number {
    return exactSum(exactNumbersOf(dictionary, site, values)) / values.length;
}

function median(dictionary: Dictionary, site: AggregateSite, sorted: readonly ValueId[]): ValueId {
    const numbers = numbersOf(dictionary, site, sorted);
    const middle = Math.floor(numbers.length / 2);
    if (numbers.length % 2 === 1) return finite(dictionary, site, numbers[middle]!);
    const sum = numbers[middle - 1]! + numbers[middle]!;
    return finite(dictionary, site, Number.isFinite(sum) ? sum / 2 : numbers[middle - 1]! / 2 + numbers[middle]! / 2);
}

function useIntegers(dictionary: Dictionary, site: AggregateSite, values: readonly ValueId[]): boolean {
    return !isDouble(site.type) && values.every(value => isIntegral(dictionary, value));
}

function numbersOf(dictionary: Dictionary, site: AggregateSite, values: readonly ValueId[]): number[] {
    return values.map(value =>
        dictionary.isNumber(value) ? dictionary.numberOf(value) : stop('RT022', site.context, site.name, shown(dictionary, value)),
    );
}

/** An integer that no double holds is added as it is. */
function exactNumbersOf(dictionary: Dictionary, site: AggregateSite, values: readonly ValueId[]): (number | bigint)[] {
    return numbersOf(dictionary, site, values).map((number, i) =>
        dictionary.isExactDouble(values[i]!) ? number : dictionary.bigintOf(values[i]!),
    );
}

/** Undefined for no integer, and beyond 64 bits where the column is not one of integers alone. */
function integer(dictionary: Dictionary, site: AggregateSite, value: bigint | undefined): ValueId | undefined {
    if (value === undefined) return undefined;
    if (value >= -(2n ** 63n) && value < 2n ** 63n) return dictionary.bigint(value);
    return site.type.kind === 'int' || site.type.kind === 'long' ? stop('RT010', site.context, site.name) : undefined;
}

function finite(dictionary: Dictionary, site: AggregateSite, value: number): ValueId {
    return Number.isFinite(value) ? dictionary.number(value) : stop('RT010', site.context, site.name);
}
