import type { Listing } from '#engine/results/listing.ts';
import { allRows } from '#engine/results/post-process.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { compareValues } from '#engine/values/order.ts';
import type { ValueId } from '#engine/values/value-id.ts';

/** A row, by the ids of its values. */
export type RowIds = readonly ValueId[];

/** Rows column by column, in the total order of their values. */
export interface SortedRows {
    readonly dictionary: Dictionary;
    readonly columns: readonly Int32Array[];
    readonly count: number;
}

/** The columns of a listing, row by row in its order. */
export function columnsOf({ columns, relation, rows }: Listing): Int32Array[] {
    return columns.map((_, at) => {
        const values = relation.columns[at] ?? new Int32Array(0);
        return rows.map(row => values[row] ?? 0);
    });
}

/** A listing that has these values. */
export function listingOf(
    described: Omit<Listing, 'relation' | 'rows' | 'count' | 'at'>,
    values: readonly Int32Array[],
    count: number,
): Listing {
    const { name, predicate, dictionary, columns } = described;
    const relation = { arity: values.length, count, columns: values, find: () => -1, match: () => undefined };
    return { name, predicate, dictionary, columns, relation, rows: allRows(relation), count, at: (row, at) => values[at]?.[row] ?? 0 };
}

export function rowIds(columns: readonly Int32Array[], row: number): RowIds {
    return columns.map(column => column[row] ?? 0);
}

/** The place of a row, or -1. */
export function placeOf(rows: SortedRows, row: RowIds): number {
    for (let at = lowerBound(rows, row); at < rows.count && compareTo(rows, at, row) === 0; at++) if (isAt(rows, at, row)) return at;
    return -1;
}

/** The rows without those at some places, which ascend, and with others, each in its place. */
export function merged(rows: SortedRows, without: readonly number[], others: readonly RowIds[]): SortedRows {
    const { dictionary, columns, count } = rows;
    const added = others.map(ids => ({ ids, at: lowerBound(rows, ids) }));
    added.sort((a, b) => a.at - b.at || compareIds(dictionary, a.ids, b.ids));
    const total = count - without.length + added.length;
    const values = columns.map(() => new Int32Array(total));
    let from = 0;
    let to = 0;
    const copyUntil = (end: number): void => {
        for (const [at, column] of columns.entries()) values[at]?.set(column.subarray(from, end), to);
        to += end - from;
        from = end;
    };
    let next = 0;
    const insertUntil = (place: number): void => {
        for (let one = added[next]; one !== undefined && one.at <= place; one = added[++next]) {
            copyUntil(one.at);
            for (const [at, id] of one.ids.entries()) (values[at] as Int32Array)[to] = id;
            to++;
        }
    };
    for (const place of without) {
        insertUntil(place);
        copyUntil(place);
        from = place + 1;
    }
    insertUntil(count);
    copyUntil(count);
    return { dictionary, columns: values, count: total };
}

/** The rows that only one of two has, by their places; values are numbered alike in both. */
export function differenceOf(before: SortedRows, after: SortedRows): { readonly gone: number[]; readonly come: number[] } {
    const gone: number[] = [];
    const come: number[] = [];
    let [old, now] = [0, 0];
    while (old < before.count && now < after.count) {
        const order = areSame(before, old, after, now) ? undefined : compareTo(after, now, rowIds(before.columns, old));
        if (order === undefined || order >= 0) old++;
        if (order === undefined || order <= 0) now++;
        if (order !== undefined && order >= 0) gone.push(old - 1);
        if (order !== undefined && order <= 0) come.push(now - 1);
    }
    while (old < before.count) gone.push(old++);
    while (now < after.count) come.push(now++);
    return { gone, come };
}

function areSame(left: SortedRows, at: number, right: SortedRows, other: number): boolean {
    return left.columns.every((column, index) => column[at] === right.columns[index]?.[other]);
}

function isAt({ columns }: SortedRows, at: number, row: RowIds): boolean {
    return columns.every((column, index) => column[at] === row[index]);
}

/** The first place whose row does not come before this one. */
function lowerBound(rows: SortedRows, row: RowIds): number {
    let low = 0;
    let high = rows.count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (compareTo(rows, middle, row) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

function compareTo({ dictionary, columns }: SortedRows, at: number, row: RowIds): number {
    for (const [index, column] of columns.entries()) {
        const order = compareValues(dictionary, column[at] ?? 0, row[index] ?? 0);
        if (order !== 0) return order;
    }
    return 0;
}

function compareIds(dictionary: Dictionary, left: RowIds, right: RowIds): number {
    for (const [index, id] of left.entries()) {
        const order = compareValues(dictionary, id, right[index] ?? 0);
        if (order !== 0) return order;
    }
    return 0;
}
