import type { Location } from '#language/program/span.ts';
import type { PlanAggregate } from '../plan/plan.ts';
import { grownInts, type Memory } from '../relations/memory.ts';
import { Relation } from '../relations/relation.ts';
import { stop } from '../reports.ts';
import { type Dictionary, smallIntegerOf, type ValueId } from '../values/dictionary.ts';
import { ExactSums } from '../values/exact-sum.ts';
import { compareNumbers, compareValues } from '../values/order.ts';
import { setOf } from '../values/set-of.ts';
import { shown } from './expression-site.ts';

/** Stands for no value; no dictionary gets so large. */
export const NO_VALUE: ValueId = 0x7fffffff;

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** The running results of one aggregate for all groups, by group number. */
export interface AggregateState {
    /** Makes room for groups up to number `count - 1`. */
    ensure(count: number): void;
    /** Adds a contribution that is not null; the result stands for it in `replace`. */
    add(group: number, value: ValueId): number;
    /** Adds contributions that are not null, one for each group that is not negative; they are not replaced. */
    addAll(groups: Int32Array, values: Int32Array, count: number): void;
    /** Takes a contribution back and puts a better one in its place. */
    replace(group: number, contribution: number, before: ValueId, after: ValueId): void;
    /** Takes all contributions back; there were some for the first `count` groups. */
    restart(count: number): void;
    /** `NO_VALUE` for a group without contributions. */
    result(group: number): ValueId;
    dispose(): void;
}

export interface StateContext {
    readonly dictionary: Dictionary;
    readonly memory: Memory;
}

export function createState(aggregate: PlanAggregate, context: StateContext): AggregateState {
    switch (aggregate.family) {
        case 'msum':
        case 'sum':
            return new SumState(aggregate, context);
        case 'mcount':
        case 'count':
        case 'maxcount':
            return new SumState({ ...aggregate, numbers: 'integer' }, context);
        case 'mprod':
        case 'prod':
            return new ProductState(aggregate, context);
        case 'mmin':
        case 'min':
            return new BestState(-1, context);
        case 'mmax':
        case 'max':
            return new BestState(1, context);
        case 'mavg':
        case 'avg':
            return new MeanState(aggregate, context);
        case 'mmedian':
            return new MedianState(aggregate, context);
        case 'munion':
            return new UnionState(context);
    }
}

function addEach(state: AggregateState, groups: Int32Array, values: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) if (groups[i]! >= 0) state.add(groups[i]!, values[i]!);
}

function locationOf(aggregate: PlanAggregate): Location {
    return { place: aggregate.place, span: aggregate.span };
}

/** Ends the run for a value that is no number (RT022). */
export function requireNumber(aggregate: PlanAggregate, dictionary: Dictionary, value: ValueId): void {
    if (value >= 0 && !dictionary.isNumber(value)) {
        stop('RT022', { location: locationOf(aggregate) }, aggregate.name, shown(dictionary, value));
    }
}

/** Adds a number id to an exact sum. */
function addTo(sums: ExactSums, sum: number, dictionary: Dictionary, value: ValueId): void {
    if (dictionary.isExactDouble(value)) sums.add(sum, dictionary.numberOf(value));
    else sums.addBigint(sum, dictionary.bigintOf(value));
}

/** The id of an exact integer or a rounded double, by what the types ask for. */
class Results {
    readonly #aggregate: PlanAggregate;
    readonly #context: StateContext;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.#aggregate = aggregate;
        this.#context = context;
    }

    integer(value: bigint): ValueId | undefined {
        if (this.#aggregate.numbers === 'double') return undefined;
        if (value >= LONG_MIN && value <= LONG_MAX) return this.#context.dictionary.bigint(value);
        if (this.#aggregate.numbers === 'any') return undefined;
        return this.#overflow();
    }

    double(value: number): ValueId {
        const { dictionary } = this.#context;
        if (Number.isFinite(value)) return dictionary.number(value);
        return this.#overflow();
    }

    #overflow(): never {
        return stop('RT010', { location: locationOf(this.#aggregate) }, `the result of '${this.#aggregate.name}'`);
    }
}

class SumState implements AggregateState {
    readonly #sums: ExactSums;
    readonly #results: Results;
    readonly #dictionary: Dictionary;
    readonly #rounds: boolean;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.#sums = new ExactSums(context.memory);
        this.#results = new Results(aggregate, context);
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
        if (this.#dictionary.isExactDouble(before)) this.#sums.remove(group, this.#dictionary.numberOf(before));
        else this.#sums.addBigint(group, -this.#dictionary.bigintOf(before));
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

/** The smallest or largest contribution in the order of 3.4. */
class BestState implements AggregateState {
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

class MeanState implements AggregateState {
    readonly #sums: ExactSums;
    readonly #counts: ExactSums;
    readonly #results: Results;
    readonly #dictionary: Dictionary;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.#sums = new ExactSums(context.memory);
        this.#counts = new ExactSums(context.memory);
        this.#results = new Results(aggregate, context);
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
        this.#sums.remove(group, this.#dictionary.numberOf(before));
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

/** The elements of all contributions; a contribution that is no collection is an element itself. */
class UnionState implements AggregateState {
    readonly #dictionary: Dictionary;
    readonly #elements: Bags;
    /** Each element of each group once, and `NO_VALUE` for a group that has a result, be it the empty set. */
    readonly #seen: Relation;

    constructor(context: StateContext) {
        this.#dictionary = context.dictionary;
        this.#elements = new Bags(context.memory);
        this.#seen = new Relation(2, context.memory);
    }

    ensure(count: number): void {
        this.#elements.ensure(count);
    }

    add(group: number, value: ValueId): number {
        this.#seen.add2(group, NO_VALUE);
        const kind = this.#dictionary.kind(value);
        if (kind !== 'list' && kind !== 'set') this.#addElement(group, value);
        else for (const member of this.#dictionary.membersOf(value)) this.#addElement(group, member);
        return 0;
    }

    addAll(groups: Int32Array, values: Int32Array, count: number): void {
        addEach(this, groups, values, count);
    }

    replace(group: number, _contribution: number, _before: ValueId, after: ValueId): void {
        this.add(group, after);
    }

    restart(count: number): void {
        this.#elements.restart(count);
        this.#seen.truncate(0);
    }

    result(group: number): ValueId {
        if (this.#seen.find([group, NO_VALUE]) < 0) return NO_VALUE;
        return setOf(this.#dictionary, this.#elements.values(group));
    }

    dispose(): void {
        this.#elements.dispose();
        this.#seen.dispose();
    }

    #addElement(group: number, element: ValueId): void {
        const before = this.#seen.count;
        if (this.#seen.add2(group, element) === before) this.#elements.add(group, element);
    }
}

/** All contributions of each group, as a chain of entries. */
class Bags {
    readonly #memory: Memory;
    #newest: Int32Array = new Int32Array(0);
    #values: Int32Array;
    #next: Int32Array;
    #count = 0;

    constructor(memory: Memory) {
        this.#memory = memory;
        memory.reserve(64 * 8);
        this.#values = new Int32Array(64);
        this.#next = new Int32Array(64);
    }

    ensure(count: number): void {
        const { length } = this.#newest;
        if (count > length) this.#newest = grownInts(this.#memory, this.#newest, Math.max(64, count, 2 * length)).fill(-1, length);
    }

    add(group: number, value: ValueId): number {
        if (this.#count === this.#values.length) {
            this.#values = grownInts(this.#memory, this.#values, 2 * this.#count);
            this.#next = grownInts(this.#memory, this.#next, 2 * this.#count);
        }
        const entry = this.#count++;
        this.#values[entry] = value;
        this.#next[entry] = this.#newest[group]!;
        this.#newest[group] = entry;
        return entry;
    }

    set(entry: number, value: ValueId): void {
        this.#values[entry] = value;
    }

    restart(count: number): void {
        this.#newest.fill(-1, 0, count);
        this.#count = 0;
    }

    /** The values of a group, newest first. */
    values(group: number): ValueId[] {
        const values: ValueId[] = [];
        for (let entry = this.#newest[group]!; entry >= 0; entry = this.#next[entry]!) values.push(this.#values[entry]!);
        return values;
    }

    dispose(): void {
        this.#memory.release(this.#newest.byteLength + this.#values.byteLength + this.#next.byteLength);
    }
}

abstract class BagState implements AggregateState {
    protected readonly context: StateContext;
    protected readonly results: Results;
    readonly #bags: Bags;

    constructor(aggregate: PlanAggregate, context: StateContext) {
        this.context = context;
        this.results = new Results(aggregate, context);
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
class ProductState extends BagState {
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
class MedianState extends BagState {
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
