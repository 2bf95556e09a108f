import fs from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The page for browsers at the root of the platform: a few files that the build put beside the program. */
export interface BrowserPage {
    /** Sends the file of a path such as `/page.js`; false where the page has none. */
    send(request: FastifyRequest, reply: FastifyReply, path: string): boolean;
}

const FILES = {
    '/': { name: 'page.html', type: 'text/html; charset=utf-8' },
    '/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
    '/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
    '/words.json': { name: 'words.json', type: 'application/json; charset=utf-8' },
} as const;

/** It loads its own files and calls its own server; no page may frame it, hold on to it, or read it. */
const HEADERS = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
};

/** Reads the files of the page; where the build made none, there is no page. */
export function browserPage(): BrowserPage {
    const contents = new Map(
        Object.entries(FILES).flatMap(([path, { name, type }]) => {
            const file = new URL(`./page/${name}`, import.meta.url);
            return fs.existsSync(file) ? [[path, { type, bytes: fs.readFileSync(file) }] as const] : [];
        }),
    );
    return {
        send(request, reply, path) {
            const found = request.method === 'GET' ? contents.get(path) : undefined;
            if (found === undefined) return false;
            reply.headers({ ...HEADERS, 'Content-Type': found.type }).send(found.bytes);
            return true;
        },
    };
}
