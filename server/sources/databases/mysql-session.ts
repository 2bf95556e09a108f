import mysql, { type Connection, type ConnectionOptions, type QueryOptions, type ResultSetHeader } from 'mysql2';
import { TYPES } from './mysql-types.ts';
import { opened, plainSocket } from './opening-socket.ts';
import type { BoundValue, Cells, Connecting, Field, Parameter, Session } from './session.ts';

/** How values are read and written, whatever the server is set to: texts with backslashes, names in backticks, nothing that does not fit. */
const SETTINGS = [
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'",
    "SET SESSION time_zone = '+00:00'",
    'SET SESSION innodb_lock_wait_timeout = 10',
    'SET SESSION autocommit = 1',
];

export async function connectMysql(to: Connecting): Promise<Session> {
    const socket = plainSocket();
    const { tls } = to;
    const options: ConnectionOptions = {
        host: tls?.host ?? to.address,
        port: to.port,
        database: to.database,
        user: to.username,
        password: to.password ?? '',
        charset: 'utf8mb4',
        stream: () => socket.connect(to.port, to.address),
        // No statement may ask for a file of this machine, nor hold another one.
        flags: ['-LOCAL_FILES', '-IGNORE_SPACE'],
        multipleStatements: false,
        // Names of columns become no code.
        disableEval: true,
        rowsAsArray: true,
        connectTimeout: to.patience,
        maxPreparedStatements: 16,
        ...(tls && {
            ssl: {
                rejectUnauthorized: tls.verifies !== 'nothing',
                verifyIdentity: tls.verifies === 'name',
                ...(tls.root !== undefined && { ca: tls.root }),
            },
        }),
    };
    const connection = mysql.createConnection(options);
    // Without a listener, the end of a connection that nobody uses would end the process.
    connection.on('error', () => undefined);
    const connected = new Promise<void>((resolve, reject) => connection.connect(error => (error === null ? resolve() : reject(error))));
    await opened(connected, socket, to);
    const session = sessionOf(connection, socket, options);
    for (const setting of SETTINGS) await opened(session.run(setting), socket, to);
    return session;
}

interface Column {
    readonly name: string;
    readonly columnType?: number;
    readonly columnLength?: number;
    /** Digits behind the point; 31 where numbers have as many as they need. */
    readonly decimals?: number;
    readonly characterSet?: number;
    readonly flags: number | string[];
    readonly extendedFormat?: string;
}

function sessionOf(connection: Connection, socket: ReturnType<typeof plainSocket>, options: ConnectionOptions): Session {
    let read = socket.bytesRead;
    // A query whose rows are handed on does not hear of the end of its connection.
    const lost = new Promise<never>((_, reject) => connection.on('error', reject));
    lost.catch(() => undefined);
    const prepared = (query: string): Promise<readonly Column[]> =>
        new Promise((resolve, reject) => {
            connection.prepare(query, (error, statement) => {
                if (error !== null) return reject(error);
                statement.close();
                resolve((statement as unknown as { readonly columns: readonly Column[] }).columns);
            });
        });
    const answer = (statement: string, parameters?: readonly Parameter[]): Promise<unknown> => {
        read = socket.bytesRead;
        return new Promise((resolve, reject) => {
            const done = (error: unknown, result: unknown): void => {
                if (error !== null) reject(error);
                else resolve(result);
            };
            if (parameters === undefined) connection.query({ sql: statement, rowsAsArray: true }, done);
            else connection.execute({ sql: statement, rowsAsArray: true }, parameters as (string | null)[], done);
        });
    };
    const run = async (statement: string, parameters?: readonly Parameter[]): Promise<Cells[]> => {
        const result = await answer(statement, parameters);
        return Array.isArray(result) ? result.map(row => (row as unknown[]).map(textOf)) : [];
    };
    return {
        run,
        change: async (statement, parameters) => ((await answer(statement, parameters)) as ResultSetHeader).affectedRows,
        read: async (query, parameters, row) => {
            read = socket.bytesRead;
            // The protocol of texts, in which all values are written as statements show them.
            const columns = await prepared(query);
            const sql = parameters.length === 0 ? query : await withVariables(run, query, parameters);
            const handed = new Promise<void>((resolve, reject) => {
                let failed = false;
                const asked: QueryOptions = { sql, rowsAsArray: true, typeCast: false };
                connection
                    .query(asked)
                    .on('result', (cells: unknown) => {
                        read = socket.bytesRead;
                        if (failed) return;
                        try {
                            row((cells as (Buffer | null)[]).map((cell, i) => cellText(cell, columns[i])));
                        } catch (error) {
                            failed = true;
                            socket.destroy();
                            reject(error);
                        }
                    })
                    .on('error', reject)
                    .on('end', () => resolve());
            });
            await Promise.race([handed, lost]);
        },
        fields: async query => (await prepared(query)).map(fieldOf),
        encoding: undefined,
        unread: () => socket.bytesRead - read,
        interrupt: () => {
            killQuery(options, connection.threadId);
            socket.destroy();
        },
        end: async () => {
            if (!socket.destroyed) {
                const ended = new Promise<void>(resolve => connection.end(() => resolve()));
                await Promise.race([ended, new Promise(resolve => setTimeout(resolve, PARTING).unref())]);
            }
            socket.destroy();
        },
    };
}

/** Milliseconds that the end of a connection may take. */
const PARTING = 1000;

/** Names a query that is answered in texts with parameters. They are given as digits, in which nothing has a meaning. */
async function withVariables(
    run: (statement: string) => Promise<unknown>,
    query: string,
    parameters: readonly BoundValue[],
): Promise<string> {
    await run(`PREPARE rulelang_rows FROM ${hexText(query)}`);
    const variables = parameters.map((value, i) => `@rulelang_${i} = ${typeof value === 'bigint' ? value : hexText(value)}`);
    await run(`SET ${variables.join(', ')}`);
    return `EXECUTE rulelang_rows USING ${parameters.map((_, i) => `@rulelang_${i}`).join(', ')}`;
}

function hexText(text: string): string {
    return `CONVERT(X'${Buffer.from(text).toString('hex')}' USING utf8mb4)`;
}

function textOf(cell: unknown): string | null {
    return cell === null || cell === undefined ? null : String(cell);
}

const BIT = 16;

function cellText(cell: Buffer | null, column: Column | undefined): string | null {
    if (cell === null) return null;
    return column?.columnType === BIT ? BigInt(`0x${cell.toString('hex') || '0'}`).toString() : cell.toString('utf8');
}

const UNSIGNED = 32;
const ANY_DECIMALS = 31;
const BYTES = 63;

function fieldOf({ name, columnType = -1, columnLength, decimals, characterSet, flags, extendedFormat }: Column): Field {
    const known = TYPES.get(columnType);
    if (known === undefined) {
        if (extendedFormat === 'json') return { name, sqlType: 'json', form: { kind: 'json' } };
        return characterSet === BYTES
            ? { name, sqlType: 'binary', form: { kind: 'none' } }
            : { name, sqlType: 'text', form: { kind: 'text' } };
    }
    const [type] = known;
    if (type === 'float' && decimals !== ANY_DECIMALS)
        return { name, sqlType: `float(${columnLength},${decimals})`, form: { kind: 'decimal' } };
    const kind = type === 'decimal' && decimals === 0 ? 'integer' : known[1];
    // What BOOLEAN stands for, and BIT of one sign.
    const isTruth = columnLength === 1 && (type === 'tinyint' || type === 'bit');
    const isUnsigned = typeof flags === 'number' && (flags & UNSIGNED) !== 0;
    const sqlType = isUnsigned && kind === 'integer' ? `${type} unsigned` : type;
    return { name, sqlType: isTruth ? 'boolean' : sqlType, form: { kind: isTruth ? 'boolean' : kind } };
}

/** Ends what a connection does, from another one; where that fails, the server notices that nobody reads any more. */
function killQuery(options: ConnectionOptions, thread: number | null): void {
    if (!Number.isInteger(thread)) return;
    const { stream: _, ...rest } = options;
    const other = mysql.createConnection({ ...rest, connectTimeout: PARTING });
    other.on('error', () => undefined);
    other.query(`KILL QUERY ${thread}`, () => other.destroy());
}
