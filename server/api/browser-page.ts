import fs from 'node:fs';
import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The page for browsers at the root of the platform: a few files that the build put beside the program. */
export interface BrowserPage {
    /** Sends the file of a path such as `/page.js`; false where the page has none. */
    send(request: FastifyRequest, reply: FastifyReply, path: string): boolean;
}

/** The types of its files by the ends of their names. */
const TYPES: ReadonlyMap<string, string> = new Map([
    ['.html', 'text/html; charset=utf-8'],
    ['.js', 'text/javascript; charset=utf-8'],
    ['.css', 'text/css; charset=utf-8'],
    ['.json', 'application/json; charset=utf-8'],
]);
const START = 'page.html';
const FOLDER = new URL('./page/', import.meta.url);

/** Name the scripts of the workers of the page, of the language and of exports: the only texts that become scripts there. */
const POLICIES = ['rulelang-language', 'rulelang-export'];

/** It loads its own files and calls its own server; no page may frame it, hold on to it, or read it. */
const HEADERS = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        // Pictures that it makes of what it draws.
        'img-src blob:',
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        ['trusted-types', ...POLICIES].join(' '),
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
};

/** Reads the files of the page; where the build made none, there is no page. */
export function browserPage(): BrowserPage {
    const names = fs.existsSync(FOLDER) ? fs.readdirSync(FOLDER) : [];
    const contents = new Map(
        names.flatMap(name => {
            const type = TYPES.get(extname(name));
            const path = name === START ? '/' : `/${name}`;
            return type === undefined ? [] : [[path, { type, bytes: fs.readFileSync(new URL(name, FOLDER)) }] as const];
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
