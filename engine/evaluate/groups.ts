import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import type { PlanGroups, PlanRelation, PlanRule } from '../plan/plan.ts';
import { PartwiseRelation } from '../relations/partwise-relation.ts';
import { Relation } from '../relations/relation.ts';
import { RunStopped, withMatch } from '../reports/reports.ts';
import { nullLabels } from '../results/listing.ts';
import { grownInts } from '../values/memory.ts';
import { compareNumbers } from '../values/order.ts';
import { termText } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { type AggregateState, NO_VALUE, type StateContext } from './aggregate-state.ts';
import { createState } from './create-state.ts';
import { Crossings } from './crossings.ts';
import { RecomputedState } from './recomputed-state.ts';
import { GroupsLeftOut, type TellValueless } from './valueless-groups.ts';

/** Converts a result to the type of its column. */
export type CastColumn = (value: ValueId) => ValueId;

interface GroupsContext extends StateContext {
    readonly valueless: TellValueless;
}

/**
 * The groups of an aggregated relation while they change. Contributions of a round change running results only; when
 * the round ends, results that differ from the row's values replace them, and these rows are the delta.
 */
export class Groups {
    readonly plan: PlanGroups;
    readonly relation: Relation;
    readonly states: readonly AggregateState[];
    /** Rows that changed in the last round. */
    changed: Int32Array = new Int32Array(64);
    changedCount = 0;
    /** The changed row from which a rule goes on. */
    current = -1;
    /** Something was contributed that D-37 calls outside the monotone range. */
    outsideRange = false;
    readonly #planned: PlanRelation;
    readonly #casts: readonly (CastColumn | undefined)[];
    readonly #context: GroupsContext;
    readonly #stores = new Map<string, ContributorStore>();
    readonly #crossings = new Map<string, Crossings>();
    #leftOut: GroupsLeftOut | undefined;
    #touched: Int32Array = new Int32Array(64);
    #touchedCount = 0;
    #isTouched = new Uint8Array(64);

    constructor(plan: PlanRelation, relation: Relation, casts: readonly (CastColumn | undefined)[], context: GroupsContext) {
        if (plan.groups === undefined) throw new Error(`${plan.key} has no groups`);
        this.plan = plan.groups;
        this.#planned = plan;
        this.relation = relation;
        this.#casts = casts;
        this.#context = context;
        const isRecomputed = this.plan.totals === 'recomputed';
        this.states = this.plan.aggregates.map(one => (isRecomputed ? new RecomputedState(one, context) : createState(one, context)));
        context.memory.reserve(this.#bytes);
        for (const state of this.states) state.ensure(this.#isTouched.length);
    }

    get #bytes(): number {
        return this.changed.byteLength + this.#touched.byteLength + this.#isTouched.byteLength;
    }

    /** Notes that a group, which may be new, has got a contribution. */
    touch(group: number): void {
        if (group >= this.#isTouched.length) this.#grow();
        if (this.#isTouched[group] === 1) return;
        this.#isTouched[group] = 1;
        if (this.#touchedCount === this.#touched.length) {
            this.#touched = grownInts(this.#context.memory, this.#touched, 2 * this.#touchedCount);
        }
        this.#touched[this.#touchedCount++] = group;
    }

    /** A match of a rule has nothing but unknown values for the group with this key. */
    leaveOut(rule: PlanRule, key: ArrayLike<ValueId>): void {
        if (this.relation.findKey(key) < 0) this.#leftOutGroups().note(rule, key);
    }

    /** The kept contributors of one contribution of one rule. */
    store(name: string, width: number): ContributorStore {
        let store = this.#stores.get(name);
        if (store === undefined) {
            store = new ContributorStore(width, this.#context);
            this.#stores.set(name, store);
        }
        return store;
    }

    /** For which groups the conditions of a variant of a rule hold. */
    crossings(name: string): Crossings {
        let crossings = this.#crossings.get(name);
        if (crossings === undefined) {
            crossings = new Crossings(this.#context.memory);
            this.#crossings.set(name, crossings);
        }
        return crossings;
    }

    /** Writes the changed results into the rows and makes these rows the delta. Returns whether a group is new. */
    endRound(height: number | undefined): boolean {
        const { relation } = this;
        const before = relation.to;
        if (this.changed.length < this.#touchedCount) {
            this.changed = grownInts(this.#context.memory, this.changed, Math.max(this.#touchedCount, 2 * this.changed.length));
        }
        this.changedCount = 0;
        for (let i = 0; i < this.#touchedCount; i++) {
            const group = this.#touched[i]!;
            this.#isTouched[group] = 0;
            if (!this.#write(group) && group < before) continue;
            if (this.#isIncomplete(group)) continue;
            this.changed[this.changedCount++] = group;
            if (height !== undefined) relation.notes.setHeights(group, group + 1, height);
        }
        this.#touchedCount = 0;
        relation.from = before;
        relation.to = relation.count;
        return relation.count > before;
    }

    /** The next groups and contributors are a part of their own; the relation, which may forget its rows, starts the part after them. */
    startPart(forgets: boolean): void {
        if (forgets) {
            this.#leftOut?.settle(this.relation);
            for (const state of this.states) state.restart(this.relation.count);
            for (const crossings of this.#crossings.values()) crossings.restart();
        }
        for (const store of this.#stores.values()) store.startPart();
    }

    /** Empties the delta. */
    settle(): void {
        this.changedCount = 0;
        this.relation.from = this.relation.to;
    }

    /** Keeps the rows that the answer has, tells which groups have none, and gives up the memory of the running results. */
    finish(): void {
        this.#leftOut?.settle(this.relation);
        if (this.states.length > 1) this.#keepComplete();
        this.#context.valueless(this.#planned, this.#leftOut ?? { found: [] });
        if (this.plan.largestOnly) this.#keepLargest();
        for (const state of this.states) state.dispose();
        for (const store of this.#stores.values()) store.dispose();
        for (const crossings of this.#crossings.values()) crossings.dispose();
        this.#stores.clear();
        this.#context.memory.release(this.#bytes);
    }

    #write(group: number): boolean {
        const { aggregates } = this.plan;
        let changed = false;
        for (let i = 0; i < aggregates.length; i++) {
            const { column, name } = aggregates[i]!;
            let value = this.#result(i, group);
            if (value === NO_VALUE) value = this.#missing(name, group);
            value = this.#casts[column]?.(value) ?? value;
            const values = this.relation.columns[column]!;
            if (values[group] === value) continue;
            values[group] = value;
            changed = true;
        }
        return changed;
    }

    /** Computes a result; if it does not fit, the report names the values of its group. */
    #result(index: number, group: number): ValueId {
        try {
            return this.states[index]!.result(group);
        } catch (thrown) {
            if (!(thrown instanceof RunStopped) || thrown.report.code !== 'RT010' || this.plan.keys.length === 0) throw thrown;
            const { dictionary } = this.#context;
            const label = nullLabels(dictionary);
            const text = (column: number): string =>
                termText(dictionary, this.relation.columns[column]![group]!, this.#planned.columns[column]?.type ?? MIXED, label);
            const values = [say`the group ${this.plan.keys.map(text).join(', ')}`];
            throw new RunStopped(withMatch(thrown.report, { facts: [], values, count: 1, isMore: false }));
        }
    }

    /** A group is a row when all of its aggregates have contributions. */
    #isIncomplete(group: number): boolean {
        return this.states.length > 1 && this.#valueless(group) >= 0;
    }

    /** The number of the first aggregate without a value, or -1. */
    #valueless(group: number): number {
        return this.states.findIndex(state => state.result(group) === NO_VALUE);
    }

    #leftOutGroups(): GroupsLeftOut {
        this.#leftOut ??= new GroupsLeftOut(this.#planned, this.plan, this.#context.memory);
        return this.#leftOut;
    }

    #keepComplete(): void {
        const { relation } = this;
        const rows: number[] = [];
        for (let row = 0; row < relation.count; row++) {
            const valueless = this.#valueless(row);
            if (valueless < 0) rows.push(row);
            else this.#leftOutGroups().countIncomplete(valueless, this.#keyOf(row));
        }
        if (rows.length === relation.count) return;
        relation.keep(rows);
        relation.to = relation.count;
    }

    /** Returns the value that a recursive rule sees for an incomplete group. */
    #missing(name: string, group: number): ValueId {
        return this.#context.dictionary.labelledNull(name, this.#keyOf(group), false);
    }

    #keyOf(group: number): ValueId[] {
        return this.plan.keys.map(column => this.relation.columns[column]![group]!);
    }

    #keepLargest(): void {
        const { relation } = this;
        const results = relation.columns[this.plan.aggregates[0]!.column]!;
        let largest: ValueId | undefined;
        for (let row = 0; row < relation.count; row++) {
            const result = results[row]!;
            if (largest === undefined || compareNumbers(this.#context.dictionary, result, largest) > 0) largest = result;
        }
        const rows: number[] = [];
        for (let row = 0; row < relation.count; row++) if (results[row] === largest) rows.push(row);
        relation.keep(rows);
        relation.to = relation.count;
    }

    #grow(): void {
        const length = Math.max(this.relation.count, this.#isTouched.length * 2);
        this.#context.memory.reserve(length - this.#isTouched.length);
        const isTouched = new Uint8Array(length);
        isTouched.set(this.#isTouched);
        this.#isTouched = isTouched;
        for (const state of this.states) state.ensure(length);
    }
}

/** The contributors of groups with the best value that each has given (5.3, 5.5). */
export class ContributorStore {
    readonly #contributors: Relation;
    readonly #parts: PartwiseRelation;
    readonly #context: StateContext;
    #best: Int32Array;
    #contributions: Int32Array;

    constructor(width: number, context: StateContext) {
        this.#context = context;
        this.#contributors = new Relation(width, context.memory);
        this.#parts = new PartwiseRelation(this.#contributors, true);
        context.memory.reserve(64 * 8);
        this.#best = new Int32Array(64);
        this.#contributions = new Int32Array(64);
    }

    startPart(): void {
        this.#parts.startPart();
    }

    /** Offers a value of a contributor, whose key starts with the group; returns whether it counted. */
    offer(key: Int32Array, value: ValueId, state: AggregateState, better: (value: ValueId, best: ValueId) => boolean): boolean {
        const before = this.#contributors.count;
        const row = this.#contributors.add(key);
        if (row === before) {
            if (row === this.#best.length) {
                this.#best = grownInts(this.#context.memory, this.#best, 2 * row);
                this.#contributions = grownInts(this.#context.memory, this.#contributions, 2 * row);
            }
            this.#best[row] = value;
            this.#contributions[row] = state.add(key[0]!, value);
            return true;
        }
        const best = this.#best[row]!;
        if (best === value || !better(value, best)) return false;
        this.#best[row] = value;
        state.replace(key[0]!, this.#contributions[row]!, best, value);
        return true;
    }

    dispose(): void {
        this.#context.memory.release(this.#best.byteLength + this.#contributions.byteLength);
        this.#contributors.dispose();
    }
}

/** Rows of a plain relation lie in the order of their heights; groups do when they have stopped changing. */
export function sortByHeight(relation: Relation): void {
    const { heights } = relation.notes;
    if (heights === undefined) return;
    const rows = Int32Array.from({ length: relation.count }, (_, row) => row);
    relation.keep(rows.sort((left, right) => heights[left]! - heights[right]! || left - right));
    relation.to = relation.count;
}
