import { join } from 'node:path';
import { type DataDirectory, DataDirectoryError, StoreUnavailable, whyNotWritten } from './data-directory.ts';
import type { AppendedRows, Connection, Database, StoredRow, StoredValue } from './database.ts';
import { openStoreFile } from './store-file.ts';

/** Statements that see what was committed before each of them. */
export interface Reader {
    /** The rows of a query; values stand for `$1`, `$2`… The type of the rows is what the caller knows of its columns. */
    query<T extends object = StoredRow>(sql: string, params?: readonly StoredValue[]): Promise<T[]>;
}

/** Statements of one transaction. They see each other's work; others see all of it or nothing. Await each before the next. */
export interface Transaction extends Reader {
    /** Gives how many rows changed. */
    run(sql: string, params?: readonly StoredValue[]): Promise<number>;
    /** Adds many rows to a table, each with all columns in the order of the table; much faster than `INSERT`. */
    append(table: string, rows: AppendedRows): Promise<void>;
}

/**
 * What the platform keeps in one DuckDB file, `store/rulelang.duckdb` of the data directory. Readers never wait for writers.
 *
 * Tables are made in `migrations.ts`. Every call may throw {@link StoreUnavailable}, after which the next one tries anew.
 */
export interface Store extends Reader {
    /** One statement as a transaction of its own; gives how many rows changed. */
    run(sql: string, params?: readonly StoredValue[]): Promise<number>;
    /**
     * Transactions run one after the other, in the order in which they are asked for; looking and then writing is safe in one.
     * They are on disk once this resolves. If `work` throws, nothing of it stays, and its error is passed on. Inside of `work`
     * only `tx` may be used: a transaction that waits for another waits forever.
     */
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
    /** Waits for what was begun, and puts everything in order. Nothing may be asked afterwards. */
    close(): Promise<void>;
}

/** What is open in this process: a second handle on the same file would lose rows. */
const OPEN = new Set<string>();

/**
 * Opens the store of a data directory, and makes it where there is none. The caller holds the lock of the directory.
 * A store that cannot be read, or is newer than this program, is a `DataDirectoryError`; without room for it, `StoreUnavailable`.
 */
export async function openStore(data: DataDirectory): Promise<Store> {
    const folder = data.folder('store');
    const path = join(folder, 'rulelang.duckdb');
    if (OPEN.has(path)) throw new Error(`'${path}' is open already`);
    OPEN.add(path);
    const open = (): Promise<Database> => openStoreFile(path, join(folder, 'temporary'));
    try {
        const handle = new Handle(await open(), open);
        return storeOf(handle, () => OPEN.delete(path));
    } catch (error) {
        OPEN.delete(path);
        const message = error instanceof Error ? error.message : '';
        const isForeseen = !(error instanceof DataDirectoryError) && (ENDING.test(message) || NO_ACCESS.test(message));
        throw isForeseen ? new StoreUnavailable(whyNotWritten(error), { cause: error }) : error;
    }
}

function storeOf(handle: Handle, closed: () => void): Store {
    let last: Promise<unknown> = Promise.resolve();
    const transaction: Store['transaction'] = work => {
        const done = last.then(() => handle.use(connection => inTransaction(connection, work)));
        last = done.catch(() => undefined);
        return done;
    };
    return {
        query: <T>(sql: string, params?: readonly StoredValue[]) => handle.use(connection => connection.query(sql, params)) as Promise<T[]>,
        run: (sql, params) => transaction(tx => tx.run(sql, params)),
        transaction,
        close: async () => {
            await last;
            await handle.close();
            closed();
        },
    };
}

async function inTransaction<T>(connection: Connection, work: (tx: Transaction) => Promise<T>): Promise<T> {
    await connection.run('BEGIN TRANSACTION');
    try {
        const result = await work(connection as Transaction);
        await connection.run('COMMIT');
        return result;
    } catch (error) {
        // There is none any more where the commit itself failed.
        await connection.run('ROLLBACK').catch(() => undefined);
        throw error;
    }
}

/** After these DuckDB answers nothing any more until the file is opened anew. */
const ENDING = /^(?:FATAL|INTERNAL) Error|has been invalidated/u;
const NO_ACCESS = /^IO Error|^Out of Memory Error|Could not (?:write|read|sync|truncate|open|create)/u;

/** The open file. It is opened anew after a failure that ends it, once nobody uses it any more. */
class Handle {
    #database: Database;
    readonly #open: () => Promise<Database>;
    #users = 0;
    #isEnded = false;
    #reopening: Promise<void> | undefined;
    #idle: (() => void)[] = [];

    constructor(database: Database, open: () => Promise<Database>) {
        this.#database = database;
        this.#open = open;
    }

    async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
        while (this.#isEnded) {
            this.#reopening ??= this.#reopen().finally(() => {
                this.#reopening = undefined;
            });
            await this.#reopening;
        }
        this.#users++;
        let connection: Connection | undefined;
        try {
            connection = await this.#database.connect();
            return await work(connection);
        } catch (error) {
            throw this.#failure(error);
        } finally {
            connection?.close();
            this.#users--;
            if (this.#users === 0) for (const resolve of this.#idle.splice(0)) resolve();
        }
    }

    async close(): Promise<void> {
        await this.#unused();
        this.#database.close();
    }

    async #reopen(): Promise<void> {
        await this.#unused();
        this.#database.close();
        try {
            this.#database = await this.#open();
            this.#isEnded = false;
        } catch (error) {
            throw new StoreUnavailable('it cannot be opened anew', { cause: error });
        }
    }

    #unused(): Promise<void> | undefined {
        return this.#users === 0 ? undefined : new Promise(resolve => this.#idle.push(resolve));
    }

    #failure(error: unknown): unknown {
        const message = error instanceof Error ? error.message : '';
        if (ENDING.test(message)) this.#isEnded = true;
        if (!this.#isEnded && !NO_ACCESS.test(message)) return error;
        return new StoreUnavailable(whyNotWritten(error), { cause: error });
    }
}
