import { RunStopped } from '#engine/reports/reports.ts';
import { addressOf } from '../reach-host.ts';
import type { DatabaseBind } from './database-bind.ts';
import { stopForDatabase } from './database-errors.ts';
import type { Dialect } from './dialect.ts';
import type { Session } from './session.ts';
import { type Watch, watched } from './watched.ts';

/** Milliseconds that a connection may take, and a question about tables and columns. */
export const PATIENCE = 15_000;

/** Connections that one process has open at a time for questions; runs wait for none. */
const MOST_OPEN = 4;

/** Opens a connection, gives it to `use`, and ends it, whatever happens. */
export async function withDatabase<T>(
    target: DatabaseBind,
    dialect: Dialect,
    use: (session: Session) => Promise<T>,
    patience = PATIENCE,
): Promise<T> {
    const session = await openDatabase(target, dialect, patience);
    try {
        return await use(session);
    } finally {
        await session.end();
    }
}

/** `patience` is in milliseconds. */
export async function openDatabase(target: DatabaseBind, dialect: Dialect, patience = PATIENCE): Promise<Session> {
    const { host, port, database, username, password, tls, report } = target;
    try {
        const address = await addressOf(host, report);
        return await dialect.open({ address, port, database, username, password: password?.open(), tls, patience });
    } catch (error) {
        if (error instanceof RunStopped) throw error;
        return stopForDatabase(error, target);
    }
}

/** Runs what begins a transaction. */
export async function begin(session: Session, statements: readonly string[], target: DatabaseBind, watch: Watch): Promise<void> {
    for (const statement of statements) await watched(session, session.run(statement), watch, target);
}

let open = 0;
const waiting: (() => void)[] = [];

/** Does some questions about sources at a time; the others wait. */
export async function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    while (open >= MOST_OPEN) await new Promise<void>(resolve => waiting.push(resolve));
    open++;
    try {
        return await ask();
    } finally {
        open--;
        waiting.shift()?.();
    }
}
