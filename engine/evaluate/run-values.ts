import type { IndexRead, RunHead } from '../plan/plan.ts';
import { copyRanges, lengthOf } from '../relations/index-ranges.ts';
import { grownInts } from '../values/memory.ts';
import type { Step } from './compile-read.ts';
import { relationOf } from './run-context.ts';
import type { VariantContext } from './variant-context.ts';

/** How many rows of a chain are collected before they are added. */
export const BATCH = 256;

/** The values of one variable, one after another in a column. */
export interface Values {
    values: Int32Array;
    start: number;
    end: number;
}

/** Adds rows that have each of the values in one column. */
export function compileInsert({ output, column: varied }: RunHead, values: Values, context: VariantContext): Step {
    const { run, registers } = context;
    const relation = relationOf(run, output.relation);
    const { checkpoint } = run;
    const { values: registered } = registers;
    const [a = 0, b = 0] = output.terms.filter((_, column) => column !== varied).map(term => registers.slot(term));
    const insert = (): void => {
        checkpoint.left -= values.end - values.start;
        if (checkpoint.left < 0) checkpoint.check();
        relation.insertRun(registered[a]!, registered[b]!, values.values, values.start, values.end);
    };
    const { counts } = context;
    if (counts === undefined) return insert;
    return () => {
        counts.of.tried += values.end - values.start;
        insert();
    };
}

/** Writes to `found` which values a complete relation has for each of many values of the variable by which it is read. */
export function compileCollect(
    read: IndexRead,
    found: Values,
    { run, variant }: VariantContext,
): (values: Int32Array, from: number, to: number) => void {
    const index = relationOf(run, variant.rule.literals[read.literal]!.relation).clustered(read.access.columns);
    const column = index.column(read.binds[0]!.column);
    let starts: Int32Array = new Int32Array(BATCH);
    let ends: Int32Array = new Int32Array(BATCH);
    const { checkpoint } = run;
    return (values, from, to) => {
        const count = to - from;
        if (count > starts.length) {
            starts = grownInts(run.memory, starts, 2 * count);
            ends = grownInts(run.memory, ends, 2 * count);
        }
        index.locateAll(values, from, to, starts, ends);
        found.end = lengthOf(starts, ends, count);
        checkpoint.left -= count + found.end;
        if (checkpoint.left < 0) checkpoint.check();
        if (found.end > found.values.length) found.values = grownInts(run.memory, found.values, 2 * found.end);
        copyRanges(column, starts, ends, count, found.values);
    };
}
