import type { Column } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import type { Rows } from '../relations/rows.ts';
import { type Dictionary, smallIntegerOf } from '../values/dictionary.ts';
import { compareValues, exactNumber } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Listing, withRows } from './listing.ts';
import { sortRows } from './sort-rows.ts';

/** A measure of a column in a group of rows: how many have a value, their sum, the least and the greatest. Nulls count for none of them. */
export type Measure = 'count' | 'sum' | 'min' | 'max';

export interface Grouping {
    /** Columns whose values rows of a group have in common; without any there is one group, of all rows. */
    readonly by: readonly number[];
    readonly measured: readonly number[];
}

export interface GroupedRows {
    /** A row for each group in the order of its values: the columns of `by`, the number of its rows, the measures. */
    readonly listing: Listing;
    /** The measures in the columns behind the number of rows, with their columns. */
    readonly measures: readonly { readonly column: number; readonly measure: Measure }[];
}

/** The groups of the rows of a listing. Numbers are summed without loss, doubles with compensation (Neumaier, 1974). */
export function groupRows(rows: Listing, { by, measured }: Grouping): GroupedRows {
    const { dictionary, columns, name, predicate } = rows;
    const { groupOf, firsts } = groupNumbers(rows, by);
    const groups = firsts.length;
    const counts = new Int32Array(groups);
    for (const group of groupOf) counts[group]!++;
    const made: { column: Column; values: Int32Array }[] = [
        ...by.map(column => ({ column: columns[column]!, values: Int32Array.from(firsts, row => rows.at(row, column)) })),
        { column: { name: 'count', type: { kind: 'long' } as const, cast: false }, values: counts.map(count => dictionary.number(count)) },
    ];
    const measures: { column: number; measure: Measure }[] = [];
    for (const column of measured) {
        const { name: of, type } = columns[column]!;
        const { areNumbers, ...found } = measuresOf(rows, column, groupOf, groups);
        for (const [measure, values] of Object.entries(found) as [Measure, Int32Array][]) {
            if (measure === 'sum' && !areNumbers) continue;
            measures.push({ column, measure });
            made.push({ column: { name: `${measure}(${of})`, type: typeOfMeasure(measure, type), cast: false }, values });
        }
    }
    const relation: Rows = {
        arity: made.length,
        count: groups,
        columns: made.map(({ values }) => values),
        find: () => -1,
        match: () => undefined,
    };
    const all = Int32Array.from({ length: groups }, (_, group) => group);
    const order = sortRows(
        dictionary,
        relation,
        all,
        by.map((_, column) => ({ column, descending: false })),
    );
    const about = { name, predicate, dictionary, columns: made.map(({ column }) => column), relation };
    return { listing: withRows(about, order), measures };
}

/** The group of each row, and the first row of each group. */
function groupNumbers({ count, at }: Listing, by: readonly number[]): { readonly groupOf: Int32Array; readonly firsts: readonly number[] } {
    let groupOf = new Int32Array(count);
    let firsts = by.length === 0 ? [0] : count === 0 ? [] : [0];
    for (const column of by) {
        // A group of before and the position of a value are one number, exact as long as there are fewer than 2^26 rows.
        const positions = new Map<ValueId, number>();
        for (let row = 0; row < count; row++) {
            const id = at(row, column);
            if (!positions.has(id)) positions.set(id, positions.size);
        }
        const known = new Map<number, number>();
        const next = new Int32Array(count);
        firsts = [];
        for (let row = 0; row < count; row++) {
            const key = groupOf[row]! * positions.size + positions.get(at(row, column))!;
            let group = known.get(key);
            if (group === undefined) {
                group = firsts.length;
                known.set(key, group);
                firsts.push(row);
            }
            next[row] = group;
        }
        groupOf = next;
    }
    return { groupOf, firsts };
}

/** The measures of one column for each group, and whether all of its values are numbers. */
function measuresOf(
    { dictionary, count, at }: Listing,
    column: number,
    groupOf: Int32Array,
    groups: number,
): Record<Measure, Int32Array> & { readonly areNumbers: boolean } {
    let areNumbers = true;
    const known = new Int32Array(groups);
    const sums = new Float64Array(groups);
    const rests = new Float64Array(groups);
    const isDouble = new Uint8Array(groups);
    const least = new Int32Array(groups);
    const most = new Int32Array(groups);
    const add = (group: number, value: number): void => {
        const sum = sums[group]! + value;
        rests[group]! += Math.abs(sums[group]!) >= Math.abs(value) ? sums[group]! - sum + value : value - sum + sums[group]!;
        sums[group] = sum;
    };
    for (let row = 0; row < count; row++) {
        const id = at(row, column);
        if (id >= 0 && dictionary.isNull(id)) continue;
        const group = groupOf[row]!;
        if (known[group]!++ === 0) {
            least[group] = id;
            most[group] = id;
        } else {
            if (id !== least[group] && isBefore(dictionary, id, least[group]!)) least[group] = id;
            if (id !== most[group] && isBefore(dictionary, most[group]!, id)) most[group] = id;
        }
        if (id < 0) add(group, smallIntegerOf(id));
        else if (dictionary.isNumber(id)) {
            const value = exactNumber(dictionary, id);
            if (typeof value === 'bigint') {
                add(group, Number(value));
                add(group, Number(value - BigInt(Number(value))));
            } else {
                add(group, value);
                if (!Number.isInteger(value)) isDouble[group] = 1;
            }
        } else areNumbers = false;
    }
    const orMissing = (ids: Int32Array): Int32Array => ids.map((id, group) => (known[group] === 0 ? dictionary.freshNull('measure') : id));
    return {
        areNumbers,
        count: known.map(values => dictionary.number(values)),
        sum: orMissing(Int32Array.from(sums, (sum, group) => sumId(dictionary, sum, rests[group]!, isDouble[group] === 1))),
        min: orMissing(least),
        max: orMissing(most),
    };
}

function isBefore(dictionary: Dictionary, one: ValueId, other: ValueId): boolean {
    if (one < 0 && other < 0) return smallIntegerOf(one) < smallIntegerOf(other);
    return compareValues(dictionary, one, other) < 0;
}

const LARGEST = 2n ** 63n - 1n;

function sumId(dictionary: Dictionary, sum: number, rest: number, isDouble: boolean): ValueId {
    if (!Number.isFinite(sum + rest)) return dictionary.freshNull('measure');
    if (isDouble) return dictionary.number(sum + rest);
    const whole = BigInt(sum) + BigInt(rest);
    return whole <= LARGEST && whole >= -LARGEST ? dictionary.bigint(whole) : dictionary.number(Number(whole));
}

function typeOfMeasure(measure: Measure, type: Type): Type {
    if (measure === 'count') return { kind: 'long' };
    return measure === 'sum' && type.kind === 'int' ? { kind: 'long' } : type;
}
