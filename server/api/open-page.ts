import { spawn } from 'node:child_process';
import type { DataDirectory } from '#server/store/data-directory.ts';
import { runningServices } from '#server/store/running-services.ts';
import { issueToken, type Role, signingKey } from './token.ts';

/** Minutes that a token of the page is good. */
const TOKEN_LIFE = 12 * 60;
/** Milliseconds after which a browser that has not refused counts as opened. */
const PATIENCE = 3_000;

/** The address of the page of the services that run in a data directory, with a token in its fragment, which no browser sends. */
export async function pageAddress(data: DataDirectory, role: Role): Promise<string> {
    return `${runningServices(data)}/#token=${await issueToken(signingKey(data), role, TOKEN_LIFE)}`;
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
