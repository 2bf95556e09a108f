import type { PlanAggregate } from '../plan/plan.ts';
import { type Dictionary, smallIntegerOf } from '../values/dictionary.ts';
import { ExactSums } from '../values/exact-sum.ts';
import type { ValueId } from '../values/value-id.ts';
import { AggregateNumbers } from './aggregate-numbers.ts';
import { type AggregateState, addEach, NO_VALUE, type StateContext } from './aggregate-state.ts';

export class SumState implements AggregateState {
    readonly #sums: ExactSums;
    readonly #results: AggregateNumbers;
    readonly #dictionary: Dictionary;
    readonly #rounds: boolean;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.#sums = new ExactSums(context.memory);
        this.#results = new AggregateNumbers(aggregate, context);
        this.#dictionary = context.dictionary;
        this.#rounds = aggregate.numbers === 'double';
    }

    ensure(count: number): void {
        this.#sums.ensure(count);
    }

    add(group: number, value: ValueId): number {
        if (value < 0) this.#sums.add(group, smallIntegerOf(value));
        else addTo(this.#sums, group, this.#dictionary, value);
        return 0;
    }

    addAll(groups: Int32Array, values: Int32Array, count: number): void {
        const sums = this.#sums;
        for (let i = 0; i < count; i++) {
            const group = groups[i]!;
            const value = values[i]!;
            if (group < 0) continue;
            if (value < 0) sums.add(group, smallIntegerOf(value));
            else addTo(sums, group, this.#dictionary, value);
        }
    }

    replace(group: number, _contribution: number, before: ValueId, after: ValueId): void {
        takeFrom(this.#sums, group, this.#dictionary, before);
        this.add(group, after);
    }

    restart(count: number): void {
        this.#sums.restart(count);
    }

    result(group: number): ValueId {
        const sums = this.#sums;
        if (sums.isEmpty(group)) return NO_VALUE;
        if (sums.isSingle(group)) {
            const value = sums.rounded(group);
            if (this.#rounds || Math.abs(value) < 2 ** 63) return this.#dictionary.number(value);
        }
        const exact = this.#rounds ? undefined : sums.integer(group);
        return (exact === undefined ? undefined : this.#results.integer(exact)) ?? this.#results.double(sums.rounded(group));
    }

    dispose(): void {
        this.#sums.dispose();
    }
}

export class MeanState implements AggregateState {
    readonly #sums: ExactSums;
    readonly #counts: ExactSums;
    readonly #results: AggregateNumbers;
    readonly #dictionary: Dictionary;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.#sums = new ExactSums(context.memory);
        this.#counts = new ExactSums(context.memory);
        this.#results = new AggregateNumbers(aggregate, context);
        this.#dictionary = context.dictionary;
    }

    ensure(count: number): void {
        this.#sums.ensure(count);
        this.#counts.ensure(count);
    }

    add(group: number, value: ValueId): number {
        addTo(this.#sums, group, this.#dictionary, value);
        this.#counts.add(group, 1);
        return 0;
    }

    addAll(groups: Int32Array, values: Int32Array, count: number): void {
        addEach(this, groups, values, count);
    }

    replace(group: number, _contribution: number, before: ValueId, after: ValueId): void {
        takeFrom(this.#sums, group, this.#dictionary, before);
        addTo(this.#sums, group, this.#dictionary, after);
    }

    restart(count: number): void {
        this.#sums.restart(count);
        this.#counts.restart(count);
    }

    result(group: number): ValueId {
        if (this.#counts.isEmpty(group)) return NO_VALUE;
        return this.#results.double(this.#sums.rounded(group) / this.#counts.rounded(group));
    }

    dispose(): void {
        this.#sums.dispose();
        this.#counts.dispose();
    }
}

/** Adds a number id to an exact sum. */
function addTo(sums: ExactSums, sum: number, dictionary: Dictionary, value: ValueId): void {
    if (dictionary.isExactDouble(value)) sums.add(sum, dictionary.numberOf(value));
    else sums.addBigint(sum, dictionary.bigintOf(value));
}

/** Takes a number id back that was added. */
function takeFrom(sums: ExactSums, sum: number, dictionary: Dictionary, value: ValueId): void {
    if (dictionary.isExactDouble(value)) sums.remove(sum, dictionary.numberOf(value));
    else sums.addBigint(sum, -dictionary.bigintOf(value));
}
