import { RunStopped, stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import type { DatabaseBind } from './database-bind.ts';
import { stopForDatabase } from './database-errors.ts';
import type { Session } from './session.ts';

/** Milliseconds between two looks at a run while a database works. */
const LOOK_EVERY = 50;
/** Bytes that may come before a row is whole. */
const MOST_UNREAD = 512 << 20;

export interface Watch {
    readonly checkpoint: () => void;
    /** Milliseconds that the database may take; as long as the run may where absent. */
    readonly patience?: number;
}

/**
 * Waits for what a database does. Where the run is to end meanwhile, where the database takes too long or sends without end, the
 * connection is broken off. Errors of the database end the run with RT064.
 */
export async function watched<T>(session: Session, work: Promise<T>, { checkpoint, patience }: Watch, target: DatabaseBind): Promise<T> {
    let stopped: unknown;
    const began = performance.now();
    const look = (): void => {
        checkpoint();
        const { report, shown } = target;
        if (session.unread() > MOST_UNREAD) stop('RT064', report, shown, say`sends more than ${MOST_UNREAD >> 20} MB without a row`);
        if (patience !== undefined && performance.now() - began > patience)
            stop('RT064', report, shown, say`has not answered for ${Math.round(patience / 1000)} seconds`);
    };
    let breakOff: (error: unknown) => void = () => undefined;
    const broken = new Promise<never>((_, reject) => {
        breakOff = reject;
    });
    const timer = setInterval(() => {
        try {
            look();
        } catch (error) {
            stopped = error;
            clearInterval(timer);
            session.interrupt();
            breakOff(error);
        }
    }, LOOK_EVERY);
    try {
        return await Promise.race([work, broken]);
    } catch (error) {
        if (stopped !== undefined) work.catch(() => undefined);
        throw stopped ?? (error instanceof RunStopped ? error : stopForDatabase(error, target));
    } finally {
        clearInterval(timer);
    }
}
