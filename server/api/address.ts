import type { IncomingMessage } from 'node:http';
import { foreignHost } from './host-check.ts';

/** The target of a request, taken apart before any decision. */
export interface Address {
    /** The host where it is not this machine. */
    readonly foreignHost: string | undefined;
    /** It lies below `/api/v1`. */
    readonly isApi: boolean;
    /** The path behind the prefix, where it does not lie there. */
    readonly path?: string;
    /** The path below `/api/v1` with its query, for the router. */
    readonly route: string;
    /** The segments of that path, decoded. */
    readonly segments: readonly string[];
    /** The first segment with a malformed percent sign. */
    readonly malformed?: string;
    readonly workspace?: { readonly organization: string; readonly user: string };
}

const NOWHERE = '/';

/** Reads the target of a request, with the prefix of all paths and, where it is there, the workspace. */
export function addressOf(request: IncomingMessage, prefix: string): Address {
    const host = foreignHost(request, request.url ?? '');
    const [path = '', ...query] = (request.url ?? '').split('?');
    const below = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
    const [, organization, user, rest] = /^(?:\/([^/]+)\/([^/]+))?\/api\/v1((?:\/.*)?)$/su.exec(below ?? '') ?? [];
    if (host !== undefined || below === undefined || rest === undefined)
        return { foreignHost: host, isApi: false, route: NOWHERE, segments: [], ...(below !== undefined && { path: below }) };
    const written = rest.slice(1).split('/');
    const segments = written.map(decoded);
    const bad = segments.indexOf(undefined);
    const workspace =
        organization === undefined || user === undefined ? undefined : { organization: decoded(organization), user: decoded(user) };
    const found = {
        foreignHost: host,
        isApi: true,
        segments: segments.map(segment => segment ?? ''),
        ...(workspace !== undefined && { workspace: { organization: workspace.organization ?? '', user: workspace.user ?? '' } }),
    };
    if (bad >= 0) return { ...found, route: NOWHERE, malformed: written[bad] ?? '' };
    return { ...found, route: rest === '' ? NOWHERE : [rest, ...query].join('?') };
}

function decoded(segment: string): string | undefined {
    try {
        return decodeURIComponent(segment);
    } catch {
        return undefined;
    }
}
