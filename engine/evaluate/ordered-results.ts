import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { AggregateNumbers } from './aggregate-numbers.ts';

/** The result of at least one number; numbers come in the order of 3.4. */
export type OrderedResult = (values: readonly ValueId[], dictionary: Dictionary, results: AggregateNumbers) => ValueId;

/** Aggregates that are computed from all contributions of a group in order, by family. */
export const ORDERED_RESULTS = {
    mprod: product,
    mmedian: median,
} as const satisfies Readonly<Record<string, OrderedResult>>;

/** Products of doubles are rounded at each step, so that the order makes them the same in every run (D-80). */
function product(values: readonly ValueId[], dictionary: Dictionary, results: AggregateNumbers): ValueId {
    if (values.every(value => dictionary.isInteger(value))) {
        const exact = results.integer(integerProduct(dictionary, values));
        if (exact !== undefined) return exact;
    }
    return results.double(values.reduce((rounded, value) => rounded * dictionary.numberOf(value), 1));
}

function integerProduct(dictionary: Dictionary, values: readonly ValueId[]): bigint {
    let small = 1;
    let product = 1n;
    for (const value of values) {
        const factor = dictionary.isExactDouble(value) ? dictionary.numberOf(value) : Number.NaN;
        if (factor === 0) return 0n;
        if (Number.isSafeInteger(small * factor)) {
            small *= factor;
        } else {
            product *= BigInt(small) * dictionary.bigintOf(value);
            small = 1;
        }
    }
    return product * BigInt(small);
}

/** The exact median for all variants (D-40). */
function median(values: readonly ValueId[], dictionary: Dictionary, results: AggregateNumbers): ValueId {
    const middle = values.length >> 1;
    const upper = dictionary.numberOf(values[middle]!);
    if (values.length % 2 === 1) return results.double(upper);
    const lower = dictionary.numberOf(values[middle - 1]!);
    const sum = lower + upper;
    return results.double(Number.isFinite(sum) ? sum / 2 : lower / 2 + upper / 2);
}
