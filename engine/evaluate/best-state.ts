import type { Dictionary } from '../values/dictionary.ts';
import { grownInts, type Memory } from '../values/memory.ts';
import { compareValues } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';
import { type AggregateState, addEach, NO_VALUE, type StateContext } from './aggregate-state.ts';

/** The smallest or largest contribution in the order of 3.4. */
export class BestState implements AggregateState {
    readonly #sign: number;
    readonly #dictionary: Dictionary;
    readonly #memory: Memory;
    #best: Int32Array = new Int32Array(0);

    constructor(sign: 1 | -1, context: StateContext) {
        this.#sign = sign;
        this.#dictionary = context.dictionary;
        this.#memory = context.memory;
    }

    ensure(count: number): void {
        const { length } = this.#best;
        if (count > length) this.#best = grownInts(this.#memory, this.#best, Math.max(64, count, 2 * length)).fill(NO_VALUE, length);
    }

    add(group: number, value: ValueId): number {
        const best = this.#best[group]!;
        if (best === NO_VALUE || compareValues(this.#dictionary, value, best) * this.#sign > 0) this.#best[group] = value;
        return 0;
    }

    addAll(groups: Int32Array, values: Int32Array, count: number): void {
        addEach(this, groups, values, count);
    }

    replace(group: number, _contribution: number, _before: ValueId, after: ValueId): void {
        this.add(group, after);
    }

    restart(count: number): void {
        this.#best.fill(NO_VALUE, 0, count);
    }

    result(group: number): ValueId {
        return this.#best[group]!;
    }

    dispose(): void {
        this.#memory.release(this.#best.byteLength);
    }
}
