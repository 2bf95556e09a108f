/** Names of this machine in addresses. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address at which the browser of the user finds a page of this machine. `root` is what the window makes of the root of the page's
 * origin: a proxy in front of an editor in the browser has a path of its own, and forgets the rest of an address, the token in its
 * fragment included. Where the window only forwards the port, it does so by itself when it opens the page.
 */
export function externalPage(page: string, root: string): string {
    const [inside, outside] = [new URL(page), new URL(root)];
    if (outside.pathname === '/' && LOOPBACK.has(outside.hostname)) return page;
    outside.pathname = `${outside.pathname.replace(/\/$/u, '')}${inside.pathname}`;
    outside.hash = inside.hash;
    return outside.href;
}
