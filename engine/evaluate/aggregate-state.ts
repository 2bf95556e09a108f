import type { Dictionary } from '../values/dictionary.ts';
import type { Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';

/** Stands for no value; no dictionary gets so large. */
export const NO_VALUE: ValueId = 0x7fffffff;

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

/** `addAll` of states that add one contribution after another. */
export function addEach(state: AggregateState, groups: Int32Array, values: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) if (groups[i]! >= 0) state.add(groups[i]!, values[i]!);
}
