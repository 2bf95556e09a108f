import { callsTo } from './calls.ts';
import type { Answered, Services } from './services.ts';

/** What a test needs of a data source. */
export interface Source {
    readonly id: string;
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly bind_annotation: string;
    readonly row_count: number | null;
    readonly created_at: string;
    readonly updated_at: string;
}

export interface Connection {
    readonly connectionStatus: boolean;
    readonly errorMessage: string | null;
    readonly sources: readonly Source[];
}

/** A request for a CSV file of the folder `data`. */
export function csv(databaseName: string, more: object = {}): object {
    return { databaseType: 'csv', host: 'data', port: null, databaseName, username: '', password: '', ...more };
}

export function dataOf({ body }: Answered): Connection {
    return body.data as Connection;
}

/** Calls about data sources, to services that are started before the first of them. */
export function dataCalls(services: () => Services): {
    send(method: string, path: string, body?: unknown, token?: string): Promise<Answered>;
    connect(database: unknown, more?: object): Promise<Answered>;
    infer(database: unknown, more?: object): Promise<Answered>;
} {
    const { call } = callsTo(services);
    return {
        send: (method, path, body, token = services().token) => call(method, `/api/v1${path}`, { body, token }),
        connect: (database, more = {}) => call('POST', '/api/v1/data/connect', { body: { database, ...more } }),
        infer: (database, more = {}) => call('POST', '/api/v1/data/infer-schema', { body: { database, ...more } }),
    };
}
