import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/iu;
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** The values of a header in the order of the request, each time it is there. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
    return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}

/**
 * Returns the host that a request names if it is not this machine; undefined for our own. This catches pages of another host whose name
 * resolves to this machine.
 */
export function foreignHost(request: IncomingMessage, target: string): string | undefined {
    if (!target.startsWith('/') && !(target === '*' && request.method === 'OPTIONS')) return target;
    const hosts = headerValues(request, 'host');
    const [host = ''] = hosts;
    return hosts.length === 1 && LOOPBACK.test(host) ? undefined : hosts.join(', ');
}

/**
 * Whether a page of another origin sent the request: for services that a page must not drive. A page that another port of this
 * machine serves is a foreign one, too.
 */
export function isForeignOrigin(request: IncomingMessage): boolean {
    const origins = headerValues(request, 'origin');
    const own = LOOPBACK_NAMES.map(name => `http://${name}:${request.socket.localPort}`);
    if (origins.length > 1 || origins.some(origin => !own.includes(origin))) return true;
    return headerValues(request, 'sec-fetch-site').some(site => site.toLowerCase() === 'cross-site');
}
