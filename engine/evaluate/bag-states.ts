import type { PlanAggregate } from '../plan/plan.ts';
import type { Dictionary, ValueId } from '../values/dictionary.ts';
import { compareNumbers } from '../values/order.ts';
import { AggregateNumbers } from './aggregate-numbers.ts';
import { type AggregateState, addEach, NO_VALUE, type StateContext } from './aggregate-state.ts';
import { Bags } from './bags.ts';

abstract class BagState implements AggregateState {
    protected readonly context: StateContext;
    protected readonly results: AggregateNumbers;
    readonly #bags: Bags;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.context = context;
        this.results = new AggregateNumbers(aggregate, context);
        this.#bags = new Bags(context.memory);
    }

    ensure(count: number): void {
        this.#bags.ensure(count);
    }

    add(group: number, value: ValueId): number {
        return this.#bags.add(group, value);
    }

    addAll(groups: Int32Array, values: Int32Array, count: number): void {
        addEach(this, groups, values, count);
    }

    replace(_group: number, contribution: number, _before: ValueId, after: ValueId): void {
        this.#bags.set(contribution, after);
    }

    restart(count: number): void {
        this.#bags.restart(count);
    }

    result(group: number): ValueId {
        const { dictionary } = this.context;
        const values = this.#bags.values(group).sort((left, right) => compareNumbers(dictionary, left, right));
        return values.length === 0 ? NO_VALUE : this.combine(values);
    }

    dispose(): void {
        this.#bags.dispose();
    }

    /** The result of at least one number, in order. */
    protected abstract combine(values: readonly ValueId[]): ValueId;
}

/** Products of doubles are rounded at each step, so that the order of 3.4 makes them the same in every run (D-80). */
export class ProductState extends BagState {
    protected override combine(values: readonly ValueId[]): ValueId {
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
export class MedianState extends BagState {
    protected override combine(values: readonly ValueId[]): ValueId {
        const { dictionary } = this.context;
        const middle = values.length >> 1;
        const upper = dictionary.numberOf(values[middle]!);
        if (values.length % 2 === 1) return this.results.double(upper);
        const lower = dictionary.numberOf(values[middle - 1]!);
        const sum = lower + upper;
        return this.results.double(Number.isFinite(sum) ? sum / 2 : lower / 2 + upper / 2);
    }
}
