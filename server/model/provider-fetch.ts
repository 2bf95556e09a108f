import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, type RequestInit, fetch as send } from 'undici';
import { say } from '#language/program/say.ts';
import type { Secret } from '#server/secrets/secret.ts';
import { isOfLink } from '#server/sources/reach-host.ts';

/** A request to a provider as it was sent, but for its headers, one of which holds the key. */
export interface SentRequest {
    readonly url: string;
    /** JSON. */
    readonly body: string;
}

/** The stand-in for a key in libraries: the key itself is only put into the request to send. */
export const KEY_PLACE = 'key-of-the-user';

/** A host is resolved once for a connection. Addresses of the link alone are never called. */
const lookupUsable: LookupFunction = (host, options, done) => {
    lookup(host, { ...options, all: true }, (error: Error | null, found: LookupAddress[] = []) => {
        const usable = found.filter(({ address }) => !isOfLink(address));
        const [first] = usable;
        if (first === undefined)
            done(error ?? new Error(say`${host} has an address of the link alone, where machines tell about themselves`), '', 0);
        else if (options.all === true) done(null, usable);
        else done(null, first.address, first.family);
    });
};

/** Answers may take their time: the caller gives up, not the dispatcher. */
const dispatcher = new Agent({ connect: { lookup: lookupUsable }, headersTimeout: 0, bodyTimeout: 0 });

/** A `fetch` for the library of a provider. It puts the key in its place, tells what is sent, and follows no redirection. */
export function providerFetch(key: Secret | undefined, sent: (request: SentRequest) => void): typeof globalThis.fetch {
    const asked = async (url: string, init: RequestInit = {}): Promise<unknown> => {
        const headers = new Headers(init.headers as Record<string, string>);
        for (const [name, value] of [...headers]) {
            if (!value.includes(KEY_PLACE)) continue;
            if (key === undefined) headers.delete(name);
            else headers.set(name, value.replace(KEY_PLACE, key.open()));
        }
        sent({ url, body: typeof init.body === 'string' ? init.body : '' });
        return send(url, { ...init, headers: [...headers], redirect: 'manual', dispatcher });
    };
    return asked as typeof globalThis.fetch;
}
