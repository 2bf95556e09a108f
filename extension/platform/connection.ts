import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import { LOOPBACK } from './external-page.ts';

/** Services that projects are read from and written to: those of this window, or of a hosted address. */
export interface Connection {
    readonly kind: 'local' | 'hosted';
    /** What it is known by: `local`, or its address. */
    readonly id: string;
    readonly address: string;
    readonly client: PlatformClient;
    /** A viewer may change nothing. */
    readonly role: 'user' | 'viewer';
}

const API = /\/(api\/v1)?\/*$/u;

/** What is wrong with an address that a token would be sent to. */
export type AddressFault = 'unreadable' | 'insecure' | 'extra';

/** The address as clients need it, everything up to `/api/v1`, or what is wrong with what was written. */
export function readAddress(written: string): { readonly address: string } | { readonly fault: AddressFault } {
    let url: URL;
    try {
        url = new URL(written.trim());
    } catch {
        return { fault: 'unreadable' };
    }
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return { fault: 'unreadable' };
    if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) return { fault: 'insecure' };
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return { fault: 'extra' };
    return { address: `${url.origin}${url.pathname.replace(API, '')}` };
}

/** A client that gives its token to no other address: an answer that leads elsewhere is an error. */
export function clientFor(address: string, token: string): PlatformClient {
    return platformClient({ baseUrl: address, token, fetch: (url, init) => fetch(url, { ...init, redirect: 'error' }) });
}
