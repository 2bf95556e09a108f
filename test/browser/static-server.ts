import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.json': 'application/json',
    '.svg': 'image/svg+xml',
};

/** Serves the files of a folder and nothing else, as any server of files does, with a policy that lets no text become code. */
export async function serveFolder(
    folder: string,
    headers: Readonly<Record<string, string>> = {},
): Promise<{ server: Server; address: string }> {
    const server = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
        const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        if (!file.startsWith(folder) || !fs.existsSync(file)) {
            response.writeHead(404).end();
            return;
        }
        response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
        response.end(fs.readFileSync(file));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
