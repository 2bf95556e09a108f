import type { PlanAggregate } from '../plan/plan.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { compareNumbers } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';
import { AggregateNumbers } from './aggregate-numbers.ts';
import type { StateContext } from './aggregate-state.ts';
import { BagState } from './bag-state.ts';

abstract class OrderedState extends BagState {
    protected readonly context: StateContext;
    protected readonly results: AggregateNumbers;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        super(context);
        this.context = context;
        this.results = new AggregateNumbers(aggregate, context);
    }

    protected override combine(values: ValueId[]): ValueId {
        const { dictionary } = this.context;
        return this.combineOrdered(values.sort((left, right) => compareNumbers(dictionary, left, right)));
    }

    /** The result of at least one number, in order. */
    protected abstract combineOrdered(values: readonly ValueId[]): ValueId;
}

/** Products of doubles are rounded at each step, so that the order of 3.4 makes them the same in every run (D-80). */
export class ProductState extends OrderedState {
    protected override combineOrdered(values: readonly ValueId[]): ValueId {
        const { dictionary } = this.context;
        if (values.every(value => dictionary.isInteger(value))) {
            const product = this.results.integer(integerProduct(dictionary, values));
            if (product !== undefined) return product;
        }
        return this.results.double(values.reduce((product, value) => product * dictionary.numberOf(value), 1));
    }
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
export class MedianState extends OrderedState {
    protected override combineOrdered(values: readonly ValueId[]): ValueId {
        const { dictionary } = this.context;
        const middle = values.length >> 1;
        const upper = dictionary.numberOf(values[middle]!);
        if (values.length % 2 === 1) return this.results.double(upper);
        const lower = dictionary.numberOf(values[middle - 1]!);
        const sum = lower + upper;
        return this.results.double(Number.isFinite(sum) ? sum / 2 : lower / 2 + upper / 2);
    }
}
