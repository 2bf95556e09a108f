import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { V1 } from './calls.ts';
import { type Services, startServices } from './services.ts';

/** Names that the browser finds on this machine, as it does once a name has been bound anew to it. */
const [FOREIGN, REBOUND] = ['foreign.example', 'rebound.example'] as const;
const EMPTY = '<!doctype html><meta charset="utf-8"><title>foreign</title>';
const STOLEN = 'stolen.csv';
const WRITING = `p(1). @output("p"). @bind("p","csv","","${STOLEN}").`;

/** What a page may try on the engine without asking anybody. */
const DRIVING = `async (engine, program) => {
    const tried = promise => promise.then(() => 'done', () => 'refused');
    const form = new URLSearchParams({ program });
    const asked = await tried(fetch(engine + '/evaluate', { method: 'POST', body: form }));
    await tried(fetch(engine + '/evaluate', { method: 'POST', body: form, mode: 'no-cors' }));
    await tried(fetch(engine + '/config-info/set', { method: 'POST', body: '{"key":"a","value":"b"}', mode: 'no-cors' }));
    const picture = await tried(new Promise((resolve, reject) => {
        const image = new Image();
        image.onload = resolve;
        image.onerror = reject;
        image.src = engine + '/actuator/health';
    }));
    const socket = await tried(new Promise((resolve, reject) => {
        const opened = new WebSocket(engine.replace('http', 'ws'));
        opened.onopen = resolve;
        opened.onerror = reject;
    }));
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    const sending = "fetch('" + engine + "/evaluateFromRepoWithParams', { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ programName: 'x' }) })";
    frame.srcdoc = '<script>' + sending + ".finally(() => parent.postMessage('sent', '*'))</script>";
    const sent = new Promise(resolve => addEventListener('message', resolve, { once: true }));
    document.body.append(frame);
    await sent;
    return { asked, picture, socket };
}`;
const SENDING_OFF = `(engine, program) => {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = engine + '/evaluate';
    const field = document.createElement('input');
    field.name = 'program';
    field.value = program;
    form.append(field);
    document.body.append(form);
    form.submit();
}`;

let services: Services;
let browser: BrowserContext;
let foreign: Server;
const profile = fs.mkdtempSync(join(tmpdir(), 'rulelang-profile-'));

beforeAll(async () => {
    services = await startServices();
    foreign = createServer((_, response) => void response.setHeader('Content-Type', 'text/html').end(EMPTY));
    await new Promise<void>(resolve => foreign.listen(0, '127.0.0.1', resolve));
    const rules = [FOREIGN, REBOUND].map(name => `MAP ${name} 127.0.0.1`).join(', ');
    browser = await chromium.launchPersistentContext(profile, {
        ...CHROMIUM,
        args: [...CHROMIUM.args, `--host-resolver-rules=${rules}`],
    });
});
afterAll(async () => {
    await browser?.close();
    foreign?.close();
    expect(await services?.stop()).toBe(0);
    fs.rmSync(profile, { recursive: true, force: true });
});

/** The lines of the log that are complete. */
function logLines(): string[] {
    return services.log().split('\n').slice(0, -1);
}

/** What the services say of requests to a path, but for the first lines of their log. */
function logged(from: number, path: string): unknown[] {
    const lines = logLines().slice(from);
    return lines.map(line => JSON.parse(line)).flatMap(line => (line.path === path ? [line.status] : []));
}

/** Where callers without a token may write. */
const ENGINE_DISK = (): string => join(services.data, 'disk', 'engine');

function expectUntouched(): void {
    for (const folder of [services.folder, ENGINE_DISK()]) expect(fs.existsSync(join(folder, STOLEN))).toBe(false);
    expect(fs.existsSync(join(services.data, 'engine', 'engine.properties'))).toBe(false);
}

describe('a name that was bound anew to this machine', () => {
    const PLACES = () =>
        [
            ['platform', services.base, ['/', '/page.js', `${V1}/users/get-role`, `${V1}/rulelang/evaluate`, '/nowhere']],
            ['engine', services.engine, ['/actuator/health', '/evaluate', '/config-info/set']],
            ['assistant', services.chat, ['/api/rulelang', '/api/docsChat', '/']],
        ] as const;

    test.each([0, 1, 2])('opens no service (%d)', async at => {
        const [, url, paths] = PLACES()[at] as ReturnType<typeof PLACES>[number];
        const origin = `http://${REBOUND}:${new URL(url).port}`;
        const page = await browser.newPage();
        const opened = logLines().length;
        // Whatever a page of this origin does goes to the service, and is no request to another origin for the browser.
        expect((await page.goto(`${origin}/`))?.status()).toBe(403);
        // What is answered may be logged later.
        await expect.poll(() => logged(opened, '/')).toEqual([403]);
        const from = logLines().length;
        const found = await page.evaluate(
            async ([all, token, program]) => {
                const headers = { authorization: `Bearer ${token}` };
                const statuses: [string, number, boolean][] = [];
                for (const path of all)
                    for (const body of [undefined, new URLSearchParams({ program }), JSON.stringify({ key: 'a', value: 'b' })]) {
                        const response = await fetch(path, body === undefined ? { headers } : { method: 'POST', headers, body });
                        statuses.push([path, response.status, /not allowed/u.test(await response.text())]);
                    }
                return statuses;
            },
            [paths, services.token, WRITING] as const,
        );
        expect(found).toEqual(paths.flatMap(path => Array(3).fill([path, 403, true])));
        for (const path of paths) await expect.poll(() => [path, ...logged(from, path)]).toEqual([path, 403, 403, 403]);
        expectUntouched();
        await page.close();
    });
});

describe('a page of another origin', () => {
    let page: Page;
    beforeAll(async () => {
        page = await browser.newPage();
        await page.goto(`http://${FOREIGN}:${(foreign.address() as AddressInfo).port}/`);
    });

    test('does not drive the engine: by requests, pictures, frames without origin, or sockets', async () => {
        const from = logLines().length;
        const outcome = await page.evaluate(`(${DRIVING})(${JSON.stringify(services.engine)}, ${JSON.stringify(WRITING)})`);
        expect(outcome).toEqual({ asked: 'refused', picture: 'refused', socket: 'refused' });
        // They did come: it was the engine that refused them.
        await expect.poll(() => logged(from, '/evaluate')).toEqual([403, 403]);
        for (const path of ['/config-info/set', '/actuator/health', '/evaluateFromRepoWithParams', '/'])
            await expect.poll(() => [path, ...logged(from, path)]).toEqual([path, 403]);
        expectUntouched();
    });

    test('does not drive the engine by a form that it sends off', async () => {
        const from = logLines().length;
        const answer = page.waitForResponse(response => response.url().startsWith(services.engine));
        await page.evaluate(`(${SENDING_OFF})(${JSON.stringify(services.engine)}, ${JSON.stringify(WRITING)})`);
        expect((await answer).status()).toBe(403);
        await expect.poll(() => logged(from, '/evaluate')).toEqual([403]);
        expectUntouched();
    });
});

test('the same program works for a caller that is no page', async () => {
    const response = await fetch(`${services.engine}/evaluate`, { method: 'POST', body: new URLSearchParams({ program: WRITING }) });
    expect(response.status).toBe(200);
    expect(fs.existsSync(join(ENGINE_DISK(), STOLEN))).toBe(true);
});
