import type { EventEmitter } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { type RowMessages, rowTexts } from './data-rows.ts';
import { clearPassword, opened, plainSocket, serverName } from './opening-socket.ts';
import { copyIn } from './postgresql-copy.ts';
import { ServerMessages } from './postgresql-messages.ts';
import { formOf } from './postgresql-types.ts';
import type { BoundValue, Connecting, Field, Parameter, Session } from './session.ts';

/** How values are written as texts, whatever the server or the role is set to, and rows from the first on, which not all servers can set. */
const SETTINGS = `SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC'; SET extra_float_digits = 1;
SET bytea_output = 'hex'; SET standard_conforming_strings = on; SET lock_timeout = '10s';
SELECT pg_catalog.set_config(name, 'off', false) FROM pg_catalog.pg_settings WHERE name = 'synchronize_seqscans'`;

/** Texts stay as they come. */
const TEXTS = { getTypeParser: () => (text: string) => text };

export async function connectPostgresql(to: Connecting): Promise<Session> {
    const socket = plainSocket();
    const { tls } = to;
    let isRefused = false;
    const client = new pg.Client({
        host: to.address,
        port: to.port,
        database: to.database,
        user: to.username,
        // A function keeps the driver from looking for a password in the environment and in files.
        password: () => {
            if (isRefused) throw clearPassword();
            if (to.password === undefined) throw Object.assign(new Error('there is no password'), { code: '28P01' });
            return to.password;
        },
        ssl:
            tls === undefined
                ? false
                : {
                      host: tls.host,
                      ...serverName(tls),
                      rejectUnauthorized: tls.verifies !== 'nothing',
                      ...(tls.root !== undefined && { ca: tls.root }),
                      ...(tls.verifies !== 'name' && { checkServerIdentity: () => undefined }),
                  },
        stream: () => socket,
        keepAlive: true,
        application_name: 'rulelang',
        options: '-c TimeZone=UTC',
        client_encoding: 'UTF8',
        types: TEXTS,
    } as pg.ClientConfig);
    // Without a listener, the end of a connection that nobody uses would end the process.
    client.on('error', () => undefined);
    const { connection } = client as unknown as { readonly connection: EventEmitter & { readonly stream: Duplex } };
    let encoding: string | undefined;
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Readonly<Record<string, string>>) => {
        if (parameterName === 'server_encoding') encoding = parameterValue;
    });
    connection.on('authenticationCleartextPassword', () => {
        isRefused = tls === undefined;
    });
    const messages = new ServerMessages();
    const entered = client.connect();
    if (tls === undefined) messages.attach(socket);
    else connection.once('sslconnect', () => messages.attach(connection.stream));
    await opened(entered, socket, to);
    const session = sessionOf(client, socket, messages, to, encoding);
    await opened(session.run(SETTINGS), socket, to);
    return session;
}

function sessionOf(
    client: pg.Client,
    socket: Socket,
    messages: ServerMessages,
    { address, port }: Connecting,
    encoding: string | undefined,
): Session {
    let read = socket.bytesRead;
    const run = async (statement: string, parameters?: readonly Parameter[]): Promise<pg.QueryArrayResult<(string | null)[]>> => {
        read = socket.bytesRead;
        // With parameters, even none, a text is one statement alone.
        return parameters === undefined
            ? await client.query({ text: statement, rowMode: 'array' })
            : await client.query({
                  text: statement,
                  rowMode: 'array',
                  values: parameters as unknown[],
                  queryMode: 'extended',
              } as pg.QueryArrayConfig);
    };
    const declare = (name: string, query: string, parameters: readonly BoundValue[]) =>
        run(`DECLARE ${name} NO SCROLL CURSOR FOR ${query.replace(/;\s*$/u, '')}`, parameters.map(String));
    const cancelQuery = (): void => {
        const { processID, secretKey } = client as unknown as { readonly processID: number; readonly secretKey: number };
        cancel(address, port, processID, secretKey);
    };
    const readMessages = async (query: string, parameters: readonly BoundValue[], rows: RowMessages): Promise<void> => {
        messages.rows = (...given) => {
            read = socket.bytesRead;
            try {
                return rows(...given);
            } catch (error) {
                cancelQuery();
                throw error;
            }
        };
        try {
            await run(query, parameters.map(String));
        } finally {
            messages.rows = undefined;
        }
    };
    return {
        run: async (statement, parameters) => (await run(statement, parameters)).rows ?? [],
        change: async (statement, parameters) => (await run(statement, parameters)).rowCount ?? 0,
        read: (query, parameters, row) => readMessages(query, parameters, rowTexts(row)),
        readMessages,
        writeLines: (into, pieces) => copyIn(client, socket, `COPY ${into} FROM STDIN`, pieces),
        fields: async (query, parameters) => {
            await declare('rulelang_columns', query, parameters);
            const { fields } = await run('FETCH FORWARD 0 FROM rulelang_columns');
            await run('CLOSE rulelang_columns');
            const types = await run(TYPES, [fields.map(({ dataTypeID }) => String(dataTypeID))]);
            const known = new Map(types.rows.map(type => [type[0], type]));
            return fields.map((field): Field => {
                const [, sqlType, type, element] = known.get(String(field.dataTypeID)) ?? [];
                return {
                    name: field.name,
                    sqlType: sqlType ?? 'unknown',
                    form: formOf(type ?? '', element ?? null, field.dataTypeModifier),
                };
            });
        },
        encoding,
        unread: () => socket.bytesRead - read,
        interrupt: () => {
            cancelQuery();
            messages.breakOff();
        },
        end: async () => {
            if (socket.destroyed) return;
            await Promise.race([client.end().catch(() => undefined), new Promise(resolve => setTimeout(resolve, PARTING).unref())]);
            socket.destroy();
        },
    };
}

/** Milliseconds that the end of a connection may take. */
const PARTING = 1000;

const TYPES = `SELECT t.oid::pg_catalog.text, pg_catalog.format_type(t.oid, NULL), t.typname, e.typname
FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typinput = 'pg_catalog.array_in'::pg_catalog.regproc
WHERE t.oid = ANY($1::pg_catalog.oid[])`;

/** Asks the server to break off what a connection does: https://www.postgresql.org/docs/current/protocol-flow.html. */
function cancel(address: string, port: number, processId: number, secretKey: number): void {
    if (!Number.isInteger(processId) || !Number.isInteger(secretKey)) return;
    const request = Buffer.alloc(16);
    for (const [i, word] of [16, 80_877_102, processId, secretKey].entries()) request.writeInt32BE(word | 0, i * 4);
    const socket = connectSocket({ host: address, port, timeout: PARTING });
    socket.on('error', () => undefined).on('timeout', () => socket.destroy());
    socket.end(request);
}
