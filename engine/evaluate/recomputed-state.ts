import type { PlanAggregate } from '../plan/plan.ts';
import type { ValueId } from '../values/value-id.ts';
import type { AggregateState, StateContext } from './aggregate-state.ts';
import { BagState } from './bag-state.ts';
import { createState } from './create-state.ts';

/** Any aggregate, computed anew from all contributions of a group. */
export class RecomputedState extends BagState {
    /** Has one group. */
    readonly #total: AggregateState;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        super(context);
        this.#total = createState(aggregate, context);
        this.#total.ensure(1);
    }

    override dispose(): void {
        super.dispose();
        this.#total.dispose();
    }

    protected override combine(values: readonly ValueId[]): ValueId {
        this.#total.restart(1);
        for (const value of values) this.#total.add(0, value);
        return this.#total.result(0);
    }
}
