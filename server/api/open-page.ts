import { spawn } from 'node:child_process';
import { type DataDirectory, DataDirectoryError, holderOf } from '#server/store/data-directory.ts';
import { issueToken, signingKey } from './token.ts';

/** The file of the data directory that has the addresses of the services while they run. */
export const ENDPOINTS = 'endpoints.json';
/** Minutes that the page may read before it has to be opened anew. */
const READING = 10;
/** Milliseconds after which a browser that has not refused counts as opened. */
const PATIENCE = 3_000;

/**
 * The address of the page of the services that run in a data directory, with a token of a reader in its fragment, which no browser sends.
 * It is the address that the living process has written down: on a usual port anybody could listen, and would get the token.
 */
export async function pageAddress(data: DataDirectory): Promise<string> {
    const endpoints = readEndpoints(data.read(ENDPOINTS));
    if (endpoints === undefined || endpoints.pid !== holderOf(data))
        throw new DataDirectoryError(`no services run in '${data.path}'; start them with 'rulelang serve'`);
    return `${endpoints.base}/#token=${await issueToken(signingKey(data), 'viewer', READING)}`;
}

function readEndpoints(bytes: Buffer | undefined): { readonly base: string; readonly pid: number } | undefined {
    if (bytes === undefined) return undefined;
    const { base_url: base, pid }: { base_url?: unknown; pid?: unknown } = JSON.parse(bytes.toString());
    return typeof base === 'string' && typeof pid === 'number' ? { base, pid } : undefined;
}

/** Opens an address in the usual browser of the user; false where there is none. */
export function openInBrowser(address: string): Promise<boolean> {
    const [command, ...args] = opener(process.platform);
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
    return new Promise(resolve => {
        const timer = setTimeout(() => resolve(true), PATIENCE);
        const settle = (opened: boolean): void => {
            clearTimeout(timer);
            resolve(opened);
        };
        child.once('error', () => settle(false));
        child.once('exit', code => settle(code === 0));
        child.unref();
    });
}

function opener(platform: NodeJS.Platform): readonly [command: string, ...args: string[]] {
    switch (platform) {
        case 'win32':
            return ['cmd', '/c', 'start', ''];
        case 'darwin':
            return ['open'];
        default:
            return ['xdg-open'];
    }
}
