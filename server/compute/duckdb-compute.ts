import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type ColumnKind, type ComputeEngine, ComputeFailed } from '#engine/contracts/compute.ts';
import { DUCKDB } from '#engine/pushdown/dialects.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { say } from '#language/program/say.ts';
import { appendRows, CHUNK } from './append-rows.ts';
import type { DatabaseLimits } from './closed-database.ts';
import { type DuckDb, duckDbOr } from './duckdb.ts';
import { computeFailure, watchedStatement } from './duckdb-failures.ts';
import { type ColumnReader, columnReader } from './result-values.ts';
import { type ColumnWriter, columnWriter } from './table-values.ts';
import { itemsOf } from './vector-memory.ts';

/** Functions of statements: DuckDB itself computes with infinity where the language has an error. */
const MACROS = `
    create macro finite(x) as case when isfinite(x) then x else error('a double is out of range') end;
    create macro remainder(x, y) as case when y = 0 then error('division by zero') else x % y end;
    create macro quotient(x, y) as case when y = 0 then error('division by zero') else x / y end`;

export interface OpenedCompute extends ComputeEngine {
    /** Its tables and its folder are gone then. */
    close(): void;
}

/**
 * DuckDB as the engine of a run, in memory up to a limit and beyond it in a folder of its own, which no other user may read. It reads no files,
 * loads no extensions and opens no connections. The first statement opens it.
 */
export function duckDbCompute(limits: DatabaseLimits): OpenedCompute {
    let opened: Promise<DuckDbRun> | undefined;
    const database = (): Promise<DuckDbRun> => {
        opened ??= DuckDbRun.open(limits);
        return opened;
    };
    return {
        dialect: DUCKDB,
        run: async (...given) => (await database()).run(...given),
        upload: async (...given) => (await database()).upload(...given),
        read: async (...given) => (await database()).read(...given),
        close: () => void opened?.then(one => one.close()).catch(() => undefined),
    };
}

class DuckDbRun {
    readonly #duckdb: DuckDb;
    readonly #instance: DuckDBInstance;
    readonly #connection: DuckDBConnection;
    readonly #folder: string;

    private constructor(duckdb: DuckDb, instance: DuckDBInstance, connection: DuckDBConnection, folder: string) {
        this.#duckdb = duckdb;
        this.#instance = instance;
        this.#connection = connection;
        this.#folder = folder;
    }

    static async open({ memory, threads }: DatabaseLimits): Promise<DuckDbRun> {
        const duckdb = duckDbOr(reason => new ComputeFailed(reason));
        const folder = fs.mkdtempSync(join(tmpdir(), 'rulelang-duckdb-'));
        try {
            const instance = await duckdb.DuckDBInstance.create(':memory:', {
                memory_limit: `${Math.max(64, Math.floor(memory / 2 ** 20))}MiB`,
                threads: String(threads),
                temp_directory: folder,
                preserve_insertion_order: 'false',
                autoinstall_known_extensions: 'false',
                autoload_known_extensions: 'false',
                allow_community_extensions: 'false',
                allow_persistent_secrets: 'false',
            });
            const connection = await instance.connect();
            await connection.run(`${MACROS}; SET enable_external_access = false; SET lock_configuration = true`);
            return new DuckDbRun(duckdb, instance, connection, folder);
        } catch (error) {
            fs.rmSync(folder, { recursive: true, force: true });
            throw computeFailure(error);
        }
    }

    close(): void {
        this.#connection.closeSync();
        this.#instance.closeSync();
        fs.rmSync(this.#folder, { recursive: true, force: true });
    }

    async run(statement: string, look: () => void): Promise<number> {
        const result = await this.#watched(this.#connection.run(statement), look);
        if (result.columnName(0) !== 'Count') return Number(result.rowsChanged);
        const rows = await result.getRows();
        return Number(rows[0]?.[0] ?? 0);
    }

    async upload(...[table, columns, count, dictionary, look]: Parameters<ComputeEngine['upload']>): Promise<void> {
        const declared = columns.map(({ name, kind }) => `${name} ${DUCKDB.types[kind ?? 'int']} not null`);
        await this.run(`create table ${table} (${declared.join(', ')})`, look);
        const writers = columns.map(({ kind, ids }) => this.#writer(kind, ids, count, dictionary));
        const values = columns.map(({ ids }) => ids);
        try {
            await appendRows({ connection: this.#connection, duckdb: this.#duckdb, table }, writers, values, count, look);
        } catch (error) {
            throw computeFailure(error);
        }
    }

    #writer(kind: ColumnKind | undefined, ids: Int32Array, count: number, dictionary: Dictionary): ColumnWriter {
        if (kind !== undefined && kind !== 'int') return columnWriter({ kind }, ids, count, dictionary, this.#duckdb);
        const numberOf = kind === undefined ? (id: number) => id : (id: number) => dictionary.numberOf(id);
        return {
            type: this.#duckdb.INTEGER,
            value: numberOf,
            write: (vector, from, start, size) => {
                const items = itemsOf(vector, Int32Array);
                for (let row = 0; row < size; row++) {
                    const value = numberOf(from[start + row]!);
                    if (items === undefined) vector.setItem(row, value);
                    else items[row] = value;
                }
                vector.flush();
            },
        };
    }

    async read(...[table, columns, dictionary, add, look]: Parameters<ComputeEngine['read']>): Promise<void> {
        const names = columns.map(({ name }) => name);
        const result = await this.#watched(this.#connection.stream(`select ${names.join(', ')} from ${table}`), look);
        const values = columns.map(() => new Int32Array(CHUNK));
        const noNulls = (): never => {
            throw new ComputeFailed(say`a value is missing`);
        };
        const readers = columns.map(({ kind }) =>
            kind === undefined ? readIds : columnReader(dictionary, { freshNull: noNulls }, this.#duckdb),
        );
        for (;;) {
            const chunk = await this.#watched(result.fetchChunk(), look);
            if (chunk === null || chunk.rowCount === 0) return;
            for (const [at, column] of values.entries()) readers[at]!(chunk.getColumnVector(at), chunk.rowCount, column);
            add(values, chunk.rowCount);
            look();
        }
    }

    async #watched<T>(work: Promise<T>, look: () => void): Promise<T> {
        try {
            return await watchedStatement(this.#connection, work, look);
        } catch (error) {
            throw computeFailure(error);
        }
    }
}

const readIds: ColumnReader = (vector, count, into) => {
    const items = itemsOf(vector, Int32Array);
    for (let row = 0; row < count; row++) into[row] = items === undefined ? Number(vector.getItem(row)) : items[row]!;
};
