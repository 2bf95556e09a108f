import { createHash } from 'node:crypto';
import type { Reader, Store, Transaction } from './store.ts';

/** Some rows, value by value, as `ordered-value.ts` writes them. */
export interface StoredRows {
    readonly rows: number;
    readonly bytes: Uint8Array;
    /** The end of each value. */
    readonly ends: Int32Array;
}

/** A column by which rows are sorted. */
export interface SortColumn {
    readonly column: number;
    readonly descending: boolean;
}

/**
 * Rows of results lie in tables of their own, one for each result, as bytes that are ordered like their values, with their number in the
 * stored order. Another order is a table of row numbers, made when it is first asked for.
 */
const PREFIX = 'rows_';
const ORDER = '_by_';
/** Rows that are sorted each time: that is quicker than making a table. */
const FEW = 20_000;
/** Orders of one result that are kept. */
const ORDERS = 8;
/** Rows and bytes that are appended in one transaction, so that other writers wait a moment only. */
const PIECE_ROWS = 25_000;
const PIECE_BYTES = 8 * 1024 * 1024;

/** The table of the rows that a run made for a concept. */
export function rowsTable(executionId: string, conceptId: string): string {
    return `${PREFIX}${createHash('sha256').update(`${executionId} ${conceptId}`).digest('hex').slice(0, 32)}`;
}

/** Puts rows into a table of their own, piece by piece, while `check` does not throw. No reader sees the table until a commit names it. */
export async function stageRows(
    store: Store,
    table: string,
    width: number,
    batches: AsyncIterable<StoredRows>,
    check: () => void,
): Promise<void> {
    const columns = Array.from({ length: width }, (_, column) => `, ${nameOf(column)} BLOB NOT NULL`);
    await store.run(`CREATE TABLE ${table} (n INTEGER NOT NULL${columns.join('')})`);
    let begun: StoredRows[] = [];
    let stored = 0;
    const flush = async (): Promise<void> => {
        const piece = begun;
        begun = [];
        check();
        await store.transaction(tx => tx.append(table, appended(piece, width, stored)));
        stored += rowsIn(piece);
    };
    for await (const batch of batches) {
        begun.push(batch);
        if (rowsIn(begun) >= PIECE_ROWS || begun.reduce((sum, { bytes }) => sum + bytes.length, 0) >= PIECE_BYTES) await flush();
    }
    if (begun.length > 0) await flush();
    check();
}

function rowsIn(batches: readonly StoredRows[]): number {
    return batches.reduce((sum, { rows }) => sum + rows, 0);
}

function* appended(batches: readonly StoredRows[], width: number, first: number): Iterable<readonly (number | Uint8Array)[]> {
    let number = first;
    for (const { rows, bytes, ends } of batches) {
        let at = 0;
        let value = 0;
        for (let row = 0; row < rows; row++) {
            const cells: (number | Uint8Array)[] = [number++];
            for (let column = 0; column < width; column++) {
                const end = ends[value++] ?? at;
                cells.push(bytes.subarray(at, end));
                at = end;
            }
            yield cells;
        }
    }
}

/** Some rows of a table in their stored order, or in another one, from an offset on. */
export async function readRows(
    store: Store,
    result: { readonly table: string; readonly width: number; readonly rowCount: number },
    { offset, count, order = [] }: { readonly offset: number; readonly count: number; readonly order?: readonly SortColumn[] },
): Promise<Uint8Array[][]> {
    const { table, width, rowCount } = result;
    const columns = Array.from({ length: width }, (_, column) => `r.${nameOf(column)}`);
    const shown = ['r.n', ...columns].join(', ');
    const keys = keysOf(order);
    const range = [offset, offset + count];
    const sql =
        keys.length === 0
            ? `SELECT ${shown} FROM ${table} r WHERE r.n >= $1 AND r.n < $2 ORDER BY r.n`
            : rowCount <= FEW
              ? `SELECT ${shown} FROM ${table} r ORDER BY ${sorting(keys)} LIMIT $2::BIGINT - $1::BIGINT OFFSET $1::BIGINT`
              : `SELECT ${shown} FROM ${await orderTable(store, table, keys)} o JOIN ${table} r ON r.n = o.n WHERE o.p >= $1 AND o.p < $2 ORDER BY o.p`;
    const rows = await store.query<Record<string, Uint8Array>>(sql, range);
    return rows.map(row => columns.map((_, column) => row[nameOf(column)] ?? new Uint8Array(0)));
}

/** The numbers of some rows of a table in their stored order, or in another one, from an offset on. */
export async function readNumbers(
    store: Store,
    { table, rowCount }: { readonly table: string; readonly rowCount: number },
    { offset, count, order }: { readonly offset: number; readonly count: number; readonly order: readonly SortColumn[] },
): Promise<number[]> {
    const shown = Math.max(0, Math.min(count, rowCount - offset));
    if (order.length === 0) return Array.from({ length: shown }, (_, i) => offset + i);
    const sql =
        rowCount <= FEW
            ? `SELECT r.n FROM ${table} r ORDER BY ${sorting(keysOf(order))} LIMIT $2::BIGINT OFFSET $1::BIGINT`
            : `SELECT o.n FROM ${await orderTable(store, table, keysOf(order))} o WHERE o.p >= $1 AND o.p < $1 + $2 ORDER BY o.p`;
    return (await store.query<{ n: number }>(sql, [offset, shown])).map(({ n }) => n);
}

/** The rows of a table with these numbers, in their order. */
export async function readRowsAt(
    store: Store,
    { table, width }: { readonly table: string; readonly width: number },
    numbers: readonly number[],
): Promise<Uint8Array[][]> {
    if (numbers.length === 0) return [];
    const columns = Array.from({ length: width }, (_, column) => nameOf(column));
    const sql = `SELECT ${['n', ...columns].join(', ')} FROM ${table} WHERE n IN (${numbers.join(', ')})`;
    const rows = await store.query<Record<string, Uint8Array> & { readonly n: number }>(sql);
    const byNumber = new Map(rows.map(row => [row.n, columns.map(name => row[name] ?? new Uint8Array(0))]));
    return numbers.flatMap(number => {
        const row = byNumber.get(number);
        return row === undefined ? [] : [row];
    });
}

/** Each column once. */
function keysOf(order: readonly SortColumn[]): SortColumn[] {
    return order.filter(({ column }, i) => order.findIndex(key => key.column === column) === i);
}

function nameOf(column: number): string {
    return `c${column}`;
}

/** Rows that are equal stay in their stored order, whatever the direction. */
function sorting(keys: readonly SortColumn[]): string {
    return [...keys.map(({ column, descending }) => `r.${nameOf(column)}${descending ? ' DESC' : ''}`), 'r.n'].join(', ');
}

/** The table of row numbers `n` by their places `p` in an order. */
async function orderTable(store: Store, table: string, keys: readonly SortColumn[]): Promise<string> {
    const written = keys.map(({ column, descending }) => `${column}${descending ? 'd' : 'a'}`).join('_');
    const name = `${table}${ORDER}${createHash('sha256').update(written).digest('hex').slice(0, 16)}`;
    if ((await tablesLike(store, name)).length > 0) return name;
    await store.transaction(async tx => {
        const orders = await tablesLike(tx, `${table}${ORDER}`);
        if (orders.includes(name)) return;
        for (const old of orders.slice(0, Math.max(0, orders.length - ORDERS + 1))) await tx.run(`DROP TABLE ${old}`);
        const sorted = `SELECT r.n FROM ${table} r ORDER BY ${sorting(keys)}`;
        await tx.run(`CREATE TABLE ${name} AS SELECT (row_number() OVER () - 1)::INTEGER AS p, n FROM (${sorted})`);
    });
    return name;
}

/** Takes rows away, and all orders of them. */
export async function dropRows(tx: Transaction, table: string): Promise<void> {
    for (const name of await tablesLike(tx, table)) await tx.run(`DROP TABLE ${name}`);
}

/** Takes away the rows that no result names: those of a process that was ended while it stored them. */
export async function dropForgottenRows(tx: Transaction, named: ReadonlySet<string>): Promise<void> {
    for (const name of await tablesLike(tx, PREFIX)) {
        if (!named.has(name.split(ORDER)[0] ?? '')) await tx.run(`DROP TABLE ${name}`);
    }
}

/** Tables whose names begin so, the oldest first. */
async function tablesLike(reader: Reader, prefix: string): Promise<string[]> {
    const sql = 'SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, $1) ORDER BY table_oid';
    return (await reader.query<{ table_name: string }>(sql, [prefix])).map(row => row.table_name);
}
