import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { clientOf } from './platform-window.ts';

const home = mkdtempSync(join(tmpdir(), 'rulelang-hosted-'));
const own: Services[] = [];
let code: VsCode;
let page: Page;
/** Two platforms behind TLS, one with a certificate that nobody knows, and where a redirect leads to. */
let first: Gate;
let second: Gate;
let unknown: Gate;
let elsewhere: Gate;
let viewer: string;

/** What stands before services on the way from outside: it ends TLS, and does what a test has it do. */
interface Gate {
    readonly address: string;
    target: string | undefined;
    /** What it answers itself. */
    says: { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string } | undefined;
    /** Requests that came, with their tokens. */
    readonly heard: (string | undefined)[];
    close(): Promise<void>;
    open(): Promise<void>;
}

/** A certificate for this machine that it signs itself. */
function certificate(name: string): { readonly file: string; readonly key: Buffer; readonly cert: Buffer } {
    const [key, file] = [join(home, `${name}.key`), join(home, `${name}.pem`)];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', file];
    execFileSync('openssl', [...made, ...about], { stdio: 'ignore' });
    return { file, key: readFileSync(key), cert: readFileSync(file) };
}

async function gate({ key, cert }: ReturnType<typeof certificate>, target?: string): Promise<Gate> {
    const heard: Gate['heard'] = [];
    let port = 0;
    let server: Server | undefined;
    const made = {
        target,
        says: undefined as Gate['says'],
        heard,
        async open(): Promise<void> {
            server = createServer({ key, cert }, (asked, answer) => {
                heard.push(asked.headers.authorization);
                if (made.says !== undefined || made.target === undefined) {
                    const { status, headers, body } = made.says ?? { status: 404 };
                    answer.writeHead(status, headers).end(body);
                    return;
                }
                const { host } = new URL(made.target);
                const on = request(`${made.target}${asked.url}`, { method: asked.method, headers: { ...asked.headers, host } }, from => {
                    answer.writeHead(from.statusCode ?? 502, from.headers);
                    from.pipe(answer);
                });
                on.on('error', () => answer.writeHead(502).end());
                asked.pipe(on);
            });
            await new Promise<void>(resolve => server?.listen(port, 'localhost', resolve));
            ({ port } = server.address() as AddressInfo);
        },
        async close(): Promise<void> {
            server?.closeAllConnections();
            await new Promise(resolve => server?.close(resolve));
        },
    };
    await made.open();
    return Object.assign(made, { address: `https://localhost:${port}` });
}

beforeAll(async () => {
    const [known, strange] = [certificate('known'), certificate('strange')];
    for (const name of ['Rivers', 'Mountains']) {
        const services = await startServices();
        own.push(services);
        await clientOf(services.data).saveProject({ body: { project: { name } } });
    }
    const [rivers, mountains] = own as [Services, Services];
    viewer = (await rulelang(mountains.folder, ['token', '--data-dir', mountains.data, '--role', 'viewer'])).stdout.trim();
    first = await gate(known, rivers.base);
    second = await gate(known, mountains.base);
    unknown = await gate(strange, rivers.base);
    elsewhere = await gate(known, rivers.base);
    code = await startVsCode(unpackedExtension(), {
        trusted: true,
        // Where the window takes those of the system, it takes no others.
        settings: { 'http.systemCertificates': false },
        environment: { NODE_EXTRA_CA_CERTS: known.file },
    });
    ({ page } = code);
    await code.host('open', 'control/control.rulelang');
    await code.host('command', 'workbench.view.extension.rulelang');
}, 900_000);
afterAll(async () => {
    await code?.close();
    for (const one of [first, second, unknown, elsewhere]) await one?.close();
    for (const services of own) await services.stop();
    rmSync(home, { recursive: true, force: true });
});
/** `VSCODE_SHOTS=folder` keeps what the window showed at the end of each test. */
afterEach(async ({ task }) => {
    const folder = process.env.VSCODE_SHOTS;
    if (folder) await page.screenshot({ path: join(folder, `hosted-${task.name.replace(/\W+/gu, '-')}.png`) });
});

const box = (): Locator => page.locator('.quick-input-widget');
const entry = (): Locator => page.locator('.statusbar-item', { hasText: 'Services:' });
const project = (name: string): Locator => page.locator(`.pane-body [role=treeitem][aria-label^="${name}"]`);

/** Everything is done with the keyboard. */
async function palette(title: string): Promise<void> {
    await page.keyboard.press('F1');
    await box().locator('input.input').waitFor();
    await page.keyboard.type(`Rulelang: ${title}`);
    await box().locator('.monaco-list-row.focused', { hasText: title }).waitFor();
    await page.keyboard.press('Enter');
}
async function asked(words: string): Promise<void> {
    await box().getByText(words).first().waitFor();
}
async function connect(address: string, token: string): Promise<void> {
    await palette('Connect to Platform…');
    await asked('The address of the platform');
    await page.keyboard.type(address);
    await page.keyboard.press('Enter');
    await asked(`Your token for ${address}`);
    await page.keyboard.insertText(token);
    await page.keyboard.press('Enter');
}
async function choose(words: string): Promise<void> {
    await palette('Choose Services…');
    await box().locator('.monaco-list-row', { hasText: 'Connect to a platform' }).waitFor();
    await page.keyboard.type(words);
    await box().locator('.monaco-list-row.focused', { hasText: words }).waitFor();
    await page.keyboard.press('Enter');
}
/** One complaint at a time: it is put away when it was seen. */
async function told(text: string): Promise<void> {
    await page.locator('.notification-toast', { hasText: text }).first().waitFor();
    await code.host('command', 'notifications.clearAll');
}
/** For the browser: all that it keeps for the window, as text. */
const WHAT_A_WINDOW_STORES = `(async () => {
    const whole = asked => new Promise((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error);
    });
    const found = [{ ...localStorage }];
    for (const { name } of await indexedDB.databases()) {
        const database = await whole(indexedDB.open(name));
        for (const store of database.objectStoreNames) found.push(await whole(database.transaction(store).objectStore(store).getAll()));
        database.close();
    }
    return JSON.stringify(found);
})()`;
const [RIVERS, MOUNTAINS] = [() => own[0]?.token ?? '', () => own[1]?.token ?? ''];

test('no token is asked for an address that it would not be safe at', async () => {
    await palette('Connect to Platform…');
    await asked('The address of the platform');
    await page.keyboard.type('http://rules.example.com');
    await asked('A token is sent over https, or to this machine alone');
    await page.keyboard.press('Enter');
    await asked('A token is sent over https, or to this machine alone');
    await page.keyboard.press('Escape');
    await box().waitFor({ state: 'hidden' });
});

test('a token that is not accepted is told, and not kept', async () => {
    await connect(first.address, 'wrong-canary');
    await told('the token is not accepted, or no longer. Sign in again.');
    expect(await entry().count()).toBe(0);
});

test('what is no platform is told, and a redirect does not get the token', async () => {
    const { address: there } = elsewhere;
    for (const says of [
        { status: 200, body: '<html></html>' },
        { status: 200, body: '{}' },
        { status: 404, body: '{}' },
    ]) {
        first.says = says;
        await connect(first.address, RIVERS());
        await told('something answers there, but it is no platform');
    }
    first.says = { status: 307, headers: { location: `${there}/api/v1/users/get-role` } };
    await connect(first.address, RIVERS());
    await told('it leads to another address, and the token is not taken along');
    expect(elsewhere.heard).toEqual([]);
    first.says = undefined;
    await connect(unknown.address, RIVERS());
    await told('certificate');
    expect(unknown.heard).toEqual([]);
    expect(await entry().count()).toBe(0);
});

test('several are signed in at, and the one that is shown is chosen', async () => {
    await connect(first.address, RIVERS());
    await entry()
        .filter({ hasText: new URL(first.address).host })
        .waitFor();
    await project('Rivers').waitFor();
    await connect(second.address, viewer);
    await entry()
        .filter({ hasText: new URL(second.address).host })
        .waitFor();
    await project('Mountains').waitFor();
    expect(await entry().getAttribute('aria-label')).toContain('You may look, and change nothing.');
    await choose(`Use ${first.address}`);
    await project('Rivers').waitFor();
    expect(await entry().getAttribute('aria-label')).not.toContain('You may look');
});

test('one that does not answer is told where it stands, and is there again when it does', async () => {
    await choose(`Use ${second.address}`);
    await project('Mountains').waitFor();
    await first.close();
    await choose(`Use ${first.address}`);
    await told(`${first.address} cannot be used`);
    expect(await entry().getAttribute('aria-label')).toContain(`${first.address} cannot be used: `);
    await first.open();
    await choose(`Try ${first.address} again`);
    await project('Rivers').waitFor();
});

test('a token that is good no more is told, and another one takes its place', async () => {
    first.target = own[1]?.base;
    await palette('Refresh Concepts');
    await page.getByText('the token is not accepted, or no longer. Sign in again.').first().waitFor();
    await connect(first.address, MOUNTAINS());
    await project('Mountains').waitFor();
});

test('no token stands in a file, in the storage of the window, or in the output', async () => {
    const tokens = [RIVERS(), MOUNTAINS(), viewer].map(token => token.split('.')[2] ?? '');
    expect(tokens.map(token => token.length > 20)).toEqual([true, true, true]);
    const state = join(code.storage, '../../..');
    const texts = readdirSync(state, { recursive: true, encoding: 'utf8' })
        .map(name => join(state, name))
        .filter(file => !file.includes('/extensions/') && statSync(file).isFile())
        .map(file => [file, readFileSync(file, 'latin1')] as const);
    expect(texts.some(([file]) => file.endsWith('settings.json'))).toBe(true);
    const stored = await page.evaluate<string>(WHAT_A_WINDOW_STORES);
    // What is kept there is there: the addresses are.
    expect(stored).toContain(first.address);
    for (const token of [...tokens, 'wrong-canary']) {
        expect(texts.filter(([, text]) => text.includes(token)).map(([file]) => file)).toEqual([]);
        expect(stored).not.toContain(token);
    }
});

test('signing out forgets the address and its token', async () => {
    await palette('Sign Out of Platform');
    await entry().waitFor({ state: 'detached' });
    await palette('Choose Services…');
    await box()
        .locator('.monaco-list-row', { hasText: `Use ${second.address}` })
        .waitFor();
    expect(await box().locator('.monaco-list-row', { hasText: first.address }).count()).toBe(0);
    await page.keyboard.press('Escape');
    // One that is not shown is signed out of as well.
    await palette('Sign Out of Platform');
    await box().locator('.monaco-list-row', { hasText: second.address }).waitFor();
    await page.keyboard.press('Enter');
    await palette('Choose Services…');
    await box().locator('.monaco-list-row', { hasText: 'Connect to a platform' }).waitFor();
    await expect.poll(() => box().locator('.monaco-list-row', { hasText: 'localhost' }).count()).toBe(0);
    await page.keyboard.press('Escape');
});
