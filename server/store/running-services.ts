import { say } from '#language/program/say.ts';
import { type DataDirectory, DataDirectoryError, holderOf } from './data-directory.ts';

/** The file of the data directory that has the addresses of the services while they run. */
export const ENDPOINTS = 'endpoints.json';
/** The file of the data directory that has a token of the role `user`. */
export const TOKEN_FILE = 'auth/token';

/**
 * Everything up to `/api/v1` of the services that run in a data directory. It is the address that the living process has written
 * down: on a usual port anybody could listen, and would get a token. `DataDirectoryError` where none run.
 */
export function runningServices(data: DataDirectory): string {
    const endpoints = readEndpoints(data.read(ENDPOINTS));
    if (endpoints === undefined || endpoints.pid !== holderOf(data)) throw noServices(data.path);
    return endpoints.base;
}

/** The error if no services run in the data directory at a path. */
export function noServices(path: string): DataDirectoryError {
    return new DataDirectoryError(say`no services run in '${path}'; start them with 'rulelang serve'`);
}

function readEndpoints(bytes: Buffer | undefined): { readonly base: string; readonly pid: number } | undefined {
    if (bytes === undefined) return undefined;
    const { base_url: base, pid }: { base_url?: unknown; pid?: unknown } = JSON.parse(bytes.toString());
    return typeof base === 'string' && typeof pid === 'number' ? { base, pid } : undefined;
}
