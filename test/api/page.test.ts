import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ended, folderWith, rulelang, start } from '../cli/command-line.ts';
import { bodyOf, rawRequest, type Services, startServices, statusOf } from './services.ts';

let services: Services;

beforeAll(async () => {
    services = await startServices({}, ['--path-prefix', '/svc']);
});
afterAll(() => services.stop());

const open = (...args: string[]) => rulelang(services.folder, ['open', '--data-dir', services.data, ...args]);

describe('the page in the browser', () => {
    test.each([
        ['/', 'text/html; charset=utf-8'],
        ['/page.js', 'text/javascript; charset=utf-8'],
        ['/page.css', 'text/css; charset=utf-8'],
    ])('%s is there without a token, and says what it may do', async (path, type) => {
        const answer = await fetch(`${services.base}${path}`);
        expect(answer.status).toBe(200);
        expect((await answer.text()).length).toBeGreaterThan(200);
        const headers = Object.fromEntries(answer.headers);
        expect(headers).toMatchObject({
            'content-type': type,
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
            'referrer-policy': 'no-referrer',
            'cross-origin-opener-policy': 'same-origin',
            'cross-origin-resource-policy': 'same-origin',
        });
        expect(headers).not.toHaveProperty('access-control-allow-origin');
        const policy = headers['content-security-policy']?.split('; ');
        expect(policy).toEqual([
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            'img-src blob:',
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            'trusted-types rulelang-language rulelang-export',
        ]);
    });

    test('its words in further languages are there without a token', async () => {
        const answer = await fetch(`${services.base}/words.json`);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
        expect(await answer.json()).toBeTypeOf('object');
    });

    test('it has no script and no style of its own', async () => {
        const html = await (await fetch(`${services.base}/`)).text();
        expect(html.match(/<script[^>]*>/gu)).toEqual(['<script type="module" src="page.js">']);
        expect(html).not.toMatch(/<style|\son\w+=|\sstyle=/iu);
    });

    test.each(['/page.html', '/page.js/', '/../auth/token', '/%2e%2e/auth/token', '/page%2Ejs', '/index.html', '/page.map'])(
        'there is no %s',
        async path => {
            const raw = await rawRequest(services.base, `GET /svc${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
            expect(statusOf(raw)).toBe(404);
            expect(bodyOf(raw)).toMatchObject({ code: 'route_not_found', data: null });
        },
    );

    test.each(['POST', 'DELETE', 'HEAD'])('%s is not for it', async method => {
        expect((await fetch(`${services.base}/`, { method })).status).toBe(404);
    });

    test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.', '127.0.0.1@evil.example'])(
        'the host %s gets nothing',
        async host => {
            for (const path of ['/', '/page.js']) {
                const raw = await rawRequest(services.base, `GET /svc${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
                expect(statusOf(raw)).toBe(403);
                expect(bodyOf(raw).code).toBe('host_not_allowed');
            }
        },
    );
});

describe('rulelang open', () => {
    test.each([
        ['viewer', []],
        ['user', ['--edit']],
    ])('prints the address with a token of a %s for twelve hours', async (expected, more) => {
        const { code, stdout, stderr } = await open('--print', ...more);
        expect([code, stderr]).toEqual([0, '']);
        const [, base, token = ''] = /^(.*)\/#token=([\w.-]+)\n$/u.exec(stdout) ?? [];
        expect(base).toBe(services.base);
        const [head, claims = '', signature] = token.split('.');
        const key = fs.readFileSync(join(services.data, 'auth/key'));
        expect(signature).toBe(createHmac('sha256', key).update(`${head}.${claims}`).digest('base64url'));
        const { role, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
        expect([role, exp - iat]).toEqual([expected, 12 * 3600]);
    });

    test.skipIf(process.platform === 'win32' || process.platform === 'darwin')(
        'gives the address to the opener of the system',
        async () => {
            const programs = folderWith({ 'xdg-open': '#!/bin/sh\nprintf %s "$1" > "$(dirname "$0")/opened"\n' });
            fs.chmodSync(join(programs, 'xdg-open'), 0o755);
            const found = await ended(
                start(services.folder, ['open', '--data-dir', services.data], { PATH: `${programs}:${process.env.PATH}` }),
            );
            expect([found.code, found.stderr]).toEqual([0, '']);
            expect(`${fs.readFileSync(join(programs, 'opened'), 'utf8')}\n`).toBe(found.stdout);
        },
    );

    test.skipIf(process.platform === 'win32' || process.platform === 'darwin')('says so where there is no opener', async () => {
        const found = await ended(start(services.folder, ['open', '--data-dir', services.data], { PATH: folderWith({}) }));
        expect(found.code).toBe(0);
        expect(found.stdout).toContain(services.base);
        expect(found.stderr).toBe('rulelang open: no browser could be started; open the address yourself\n');
    });

    test('names no address that nobody or somebody else listens at', async () => {
        const empty = join(folderWith({}), 'data');
        const none = await rulelang(services.folder, ['open', '--print', '--data-dir', empty]);
        expect([none.code, none.stdout]).toEqual([1, '']);
        expect(none.stderr).toBe(`rulelang open: no services run in '${empty}'; start them with 'rulelang serve'\n`);
        // Left behind by services that were killed; the process of that number is another one.
        fs.writeFileSync(join(empty, 'endpoints.json'), JSON.stringify({ base_url: 'http://127.0.0.1:9', pid: process.pid }));
        const stale = await rulelang(services.folder, ['open', '--print', '--data-dir', empty]);
        expect([stale.code, stale.stdout]).toEqual([1, '']);
    });

    test('takes no arguments', async () => {
        expect((await open('x')).code).toBe(2);
    });
});
