import { join } from 'node:path';
import { say } from '#language/program/say.ts';
import { type Commit, moveCommitMark } from './commit-mark.ts';
import { type DataDirectory, DataDirectoryError, StoreUnavailable, whyNotWritten } from './data-directory.ts';
import type { AppendedRows, Connection, StoredRow, StoredValue } from './database.ts';
import { openStoreFile, type StoreFile } from './store-file.ts';

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
 * The platform's records in one DuckDB file, `store/rulelang.duckdb` of the data directory. Readers never wait for writers.
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

/** Paths open in this process: a second handle on the same file would lose rows. */
const OPEN = new Set<string>();

/**
 * Opens the store of a data directory, and makes it where there is none. The caller holds the lock of the directory.
 * A store that cannot be read, is newer than this program, or lost what was acknowledged, is a `DataDirectoryError`; with `acceptLoss`
 * the last of these goes on with what is there. Without room for it, it is `StoreUnavailable`.
 */
export async function openStore(data: DataDirectory, { acceptLoss = false } = {}): Promise<Store> {
    const folder = data.folder('store');
    const path = join(folder, 'rulelang.duckdb');
    if (OPEN.has(path)) throw new Error(`'${path}' is open already`);
    OPEN.add(path);
    const temporary = join(folder, 'temporary');
    const reopen = (): Promise<StoreFile> => {
        data.assertThere();
        return openStoreFile(path, { temporary, acceptLoss: false });
    };
    const acknowledge = (commit: Commit): void => {
        data.assertThere();
        moveCommitMark(path, commit);
    };
    try {
        const handle = new Handle(await openStoreFile(path, { temporary, acceptLoss }), reopen, acknowledge);
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
        const done = last.then(() => handle.commit(work));
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

/** Does the work in a transaction that counts itself as commit number `number`. */
async function inTransaction<T>(connection: Connection, number: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    await connection.run('BEGIN TRANSACTION');
    try {
        const result = await work(connection as Transaction);
        await connection.run('UPDATE store_commits SET number = $1', [number]);
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
const NO_ACCESS = /^IO Error|^E[A-Z]+: |^Out of Memory Error|Could not (?:write|read|sync|truncate|open|create)/u;

/** The open file. After a failure that ends it, it is opened anew once its last user is done. */
class Handle {
    #file: StoreFile;
    readonly #open: () => Promise<StoreFile>;
    readonly #acknowledge: (commit: Commit) => void;
    #users = 0;
    #isEnded = false;
    #reopening: Promise<void> | undefined;
    #idle: (() => void)[] = [];

    constructor(file: StoreFile, open: () => Promise<StoreFile>, acknowledge: (commit: Commit) => void) {
        this.#file = file;
        this.#open = open;
        this.#acknowledge = acknowledge;
    }

    /** Does work in a transaction, one at a time. The commit is kept beside the store before any caller learns of it. */
    commit<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
        return this.use(async connection => {
            const { database, commit } = this.#file;
            const next = { ...commit, number: commit.number + 1 };
            const result = await inTransaction(connection, next.number, work);
            this.#file = { database, commit: next };
            try {
                this.#acknowledge(next);
            } catch (error) {
                throw error instanceof StoreUnavailable ? error : new StoreUnavailable(whyNotWritten(error), { cause: error });
            }
            return result;
        });
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
            connection = await this.#file.database.connect();
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
        this.#file.database.close();
    }

    async #reopen(): Promise<void> {
        await this.#unused();
        this.#file.database.close();
        try {
            this.#file = await this.#open();
            this.#isEnded = false;
        } catch (error) {
            throw new StoreUnavailable(say`it cannot be opened anew`, { cause: error });
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
