import type { PlatformClient } from '#server/client/platform-client.ts';
import { routeClient } from '#server/client/route-client.ts';
import { object, oneOf } from '#server/protocol/shape.ts';
import { LOOPBACK } from './external-page.ts';

/** Services that projects are read from and written to: those of this window, or of a hosted address. */
export interface Connection {
    readonly kind: 'local' | 'hosted';
    /** Its identity: `local`, or its address. */
    readonly id: string;
    readonly address: string;
    readonly client: PlatformClient;
    /** A viewer may change nothing. */
    readonly role: 'user' | 'viewer';
}

const API = /\/(api\/v1)?\/*$/u;

/** A mistake in an address to which a token would be sent. */
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

/** Something answers that is not a platform, or leads elsewhere. */
export class AddressFailed extends Error {
    readonly fault: 'elsewhere' | 'no platform';

    constructor(fault: AddressFailed['fault']) {
        super(fault);
        this.fault = fault;
    }
}

const isRole = object({ role: oneOf('user', 'viewer') });

/** A client that gives its token to no other address: an answer that leads elsewhere is an error. The routes are loaded when one is made. */
async function clientFor(address: string, token: string): Promise<PlatformClient> {
    const { PLATFORM_ROUTES } = await import('./platform-routes.ts');
    return routeClient(PLATFORM_ROUTES, {
        baseUrl: address,
        token,
        fetch: async (url, init) => {
            const answer = await fetch(url, { ...init, redirect: 'manual' });
            if (answer.type === 'opaqueredirect' || (answer.status >= 300 && answer.status < 400)) throw new AddressFailed('elsewhere');
            return answer;
        },
    });
}

/** Signs in: what answers has to be a platform that takes the token. */
export async function openConnection(kind: Connection['kind'], id: string, address: string, token: string): Promise<Connection> {
    const client = await clientFor(address, token);
    const answer: unknown = await client.getRole({});
    if (!isRole(answer)) throw new AddressFailed('no platform');
    return { kind, id, address, client, role: answer.role };
}
