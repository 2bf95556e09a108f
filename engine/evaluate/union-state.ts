import { Relation } from '../relations/relation.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { setOf } from '../values/set-of.ts';
import type { ValueId } from '../values/value-id.ts';
import { type AggregateState, addEach, NO_VALUE, type StateContext } from './aggregate-state.ts';
import { Bags } from './bags.ts';

/** The elements of all contributions; a contribution that is not a collection is an element itself. */
export class UnionState implements AggregateState {
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
