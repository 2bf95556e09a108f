import type { DuckDBConnection } from '@duckdb/node-api';
import { ComputeFailed } from '#engine/contracts/compute.ts';
import { QueryFailed } from '#engine/contracts/queries.ts';
import { say } from '#language/program/say.ts';

/** Returns a message of DuckDB without the kind of its error. */
export function withoutKind(message: string): string {
    return message.replace(/^[A-Z]\w*( \w+)? Error: /u, '');
}

/** Returns DuckDB's error about a file, in a line; any other error as it is. */
export function fileFailure(error: unknown): unknown {
    if (!(error instanceof Error) || error.constructor !== Error) return error;
    const [said = ''] = error.message.split('\n');
    return new QueryFailed(withoutKind(said).replaceAll(/['"]?\/proc\/self\/fd\/\d+['"]?/gu, say`the file`));
}

/** Returns DuckDB's error about a statement of a run; any other error as it is. */
export function computeFailure(error: unknown): unknown {
    if (!(error instanceof Error) || error.constructor !== Error) return error;
    const [said = ''] = error.message.split('\n');
    return new ComputeFailed(withoutKind(said), said.startsWith('Out of Memory'));
}

/** Milliseconds between two looks whether DuckDB should go on. */
const LOOK_EVERY = 100;

/** Waits for what DuckDB computes, and interrupts it where `look` throws: then with this error. */
export async function watchedStatement<T>(connection: DuckDBConnection, work: Promise<T>, look: () => void): Promise<T> {
    let stopped: unknown;
    const timer = setInterval(() => {
        try {
            look();
        } catch (error) {
            stopped = error;
            clearInterval(timer);
            connection.interrupt();
        }
    }, LOOK_EVERY);
    try {
        return await work;
    } catch (error) {
        throw stopped ?? error;
    } finally {
        clearInterval(timer);
    }
}
