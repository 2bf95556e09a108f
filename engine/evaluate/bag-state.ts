import type { ValueId } from '../values/value-id.ts';
import { type AggregateState, addEach, NO_VALUE, type StateContext } from './aggregate-state.ts';
import { Bags } from './bags.ts';

/** Keeps all contributions of each group; results are computed from them whenever they are asked for. */
export abstract class BagState implements AggregateState {
    readonly #bags: Bags;

    constructor(context: StateContext) {
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
        const values = this.#bags.values(group);
        return values.length === 0 ? NO_VALUE : this.combine(values);
    }

    dispose(): void {
        this.#bags.dispose();
    }

    /** The result of at least one contribution; the array is the callee's. */
    protected abstract combine(values: ValueId[]): ValueId;
}
