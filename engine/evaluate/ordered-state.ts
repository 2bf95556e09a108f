import type { PlanAggregate } from '../plan/plan.ts';
import { compareNumbers } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';
import { AggregateNumbers } from './aggregate-numbers.ts';
import type { StateContext } from './aggregate-state.ts';
import { BagState } from './bag-state.ts';
import type { OrderedResult } from './ordered-results.ts';

/** An aggregate of all numbers of a group in the order of 3.4. */
export class OrderedState extends BagState {
    readonly #context: StateContext;
    readonly #results: AggregateNumbers;
    readonly #result: OrderedResult;

    constructor(result: OrderedResult, aggregate: PlanAggregate, context: StateContext) {
        super(context);
        this.#context = context;
        this.#results = new AggregateNumbers(aggregate, context);
        this.#result = result;
    }

    protected override combine(values: ValueId[]): ValueId {
        const { dictionary } = this.#context;
        values.sort((left, right) => compareNumbers(dictionary, left, right));
        return this.#result(values, dictionary, this.#results);
    }
}
