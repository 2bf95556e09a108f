import { readNumbers, readRows, readRowsAt, type SortColumn } from './result-rows.ts';
import { type StoredResult, whileStored } from './results.ts';
import type { Store } from './store.ts';
import { Turn } from './turn.ts';
import { containing, type ValueFilter, valueTest } from './value-tests.ts';

/** A selection of stored rows, and their order. */
export interface StoredView {
    /** The first is the major key. */
    readonly order: readonly SortColumn[];
    /** Rows must pass all of them. */
    readonly filters: readonly ValueFilter[];
    /** Keeps rows with a value whose text contains this, letter case ignored. */
    readonly search: string;
}

/** Some rows of a view, with their numbers in the stored order. */
export interface ViewedRows {
    readonly matching: number;
    readonly numbers: readonly number[];
    readonly rows: readonly Uint8Array[][];
}

/** Rows of stored results as they are sorted, filtered and searched. */
export interface RowViews {
    /** Undefined where other rows have been stored meanwhile. Looking through all rows ends when the signal is aborted. */
    read(
        result: StoredResult,
        view: StoredView,
        range: { readonly offset: number; readonly count: number },
        signal: AbortSignal,
    ): Promise<ViewedRows | undefined>;
}

/** Views whose row numbers are remembered: paging through one looks through its rows once. */
const REMEMBERED = 8;
/** Rows that are looked at before others get their turn, and row numbers that are sorted at a time. */
const LOOKED_AT = 2_000;
const SORTED = 20_000;
/** Rows that are looked at between two looks whether it is the turn of others. */
const ROWS_A_LOOK = 16;

export function rowViews(store: Store): RowViews {
    const remembered = new Map<string, Int32Array>();
    return {
        read: (result, view, { offset, count }, signal) =>
            whileStored(store, result, async table => {
                const { order, filters, search } = view;
                if (filters.length === 0 && search === '') {
                    const numbers = await readNumbers(store, table, { offset, count, order });
                    return { matching: result.rowCount, numbers, rows: await readRowsAt(store, table, numbers) };
                }
                const key = JSON.stringify([table.table, order, filters, search]);
                const found = remembered.get(key) ?? (await passing(store, table, view, signal));
                remembered.delete(key);
                remembered.set(key, found);
                for (const oldest of remembered.keys()) {
                    if (remembered.size <= REMEMBERED) break;
                    remembered.delete(oldest);
                }
                const numbers = [...found.subarray(offset, offset + count)];
                return { matching: found.length, numbers, rows: await readRowsAt(store, table, numbers) };
            }),
    };
}

type Table = Parameters<Parameters<typeof whileStored>[2]>[0];

/** The numbers of the rows that pass, in the order of the view. */
async function passing(store: Store, table: Table, { order, filters, search }: StoredView, signal: AbortSignal): Promise<Int32Array> {
    const tests = filters.map(filter => ({ column: filter.column, test: valueTest(filter) }));
    const searched = search === '' ? undefined : containing(search);
    const passes = (row: readonly Uint8Array[]): boolean =>
        tests.every(({ column, test }) => test(row[column] ?? new Uint8Array(0))) && (searched === undefined || row.some(searched));
    const isIn = new Uint8Array(table.rowCount);
    const turn = new Turn();
    let count = 0;
    for (let offset = 0; offset < table.rowCount; offset += LOOKED_AT) {
        signal.throwIfAborted();
        for (const [i, row] of (await readRows(store, table, { offset, count: LOOKED_AT })).entries()) {
            if (passes(row)) {
                isIn[offset + i] = 1;
                count++;
            }
            if (i % ROWS_A_LOOK === 0 && turn.isOver) await turn.next();
        }
    }
    const found = new Int32Array(count);
    let at = 0;
    for (let offset = 0; offset < table.rowCount; offset += SORTED) {
        signal.throwIfAborted();
        for (const number of await readNumbers(store, table, { offset, count: SORTED, order }))
            if (isIn[number] === 1) found[at++] = number;
    }
    return found;
}
