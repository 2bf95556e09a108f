import type { PlanAggregate } from '../plan/plan.ts';
import type { ValueId } from '../values/dictionary.ts';
import { type AggregateState, addEach, NO_VALUE, type StateContext } from './aggregate-state.ts';
import { Bags } from './bags.ts';
import { createState } from './create-state.ts';

/** Results that are computed from all contributions of a group whenever they are asked for. */
export class RecomputedState implements AggregateState {
    readonly #contributions: Bags;
    /** Has one group. */
    readonly #total: AggregateState;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.#contributions = new Bags(context.memory);
        this.#total = createState(aggregate, context);
        this.#total.ensure(1);
    }

    ensure(count: number): void {
        this.#contributions.ensure(count);
    }

    add(group: number, value: ValueId): number {
        return this.#contributions.add(group, value);
    }

    addAll(groups: Int32Array, values: Int32Array, count: number): void {
        addEach(this, groups, values, count);
    }

    replace(_group: number, contribution: number, _before: ValueId, after: ValueId): void {
        this.#contributions.set(contribution, after);
    }

    restart(count: number): void {
        this.#contributions.restart(count);
    }

    result(group: number): ValueId {
        const values = this.#contributions.values(group);
        if (values.length === 0) return NO_VALUE;
        this.#total.restart(1);
        for (const value of values) this.#total.add(0, value);
        return this.#total.result(0);
    }

    dispose(): void {
        this.#contributions.dispose();
        this.#total.dispose();
    }
}
