import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { code, data, tidied } from '../services-window.ts';

const endpoints = (): string => join(data, 'endpoints.json');
const command = (name: string): Promise<unknown> => code.host('command', `rulelang.${name}`);
const entry = () => code.page.locator('.statusbar-item', { hasText: 'Services' });
const told = (text: string | RegExp) => code.page.locator('.notification-toast', { hasText: text }).first().waitFor();

describe('local services', () => {
    let other: Server;
    beforeAll(async () => {
        other = createServer();
        await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
        await code.host('open', 'control/control.rulelang');
    });
    afterAll(async () => {
        other.close();
        await tidied();
    });

    test('they are off until somebody turns them on', async () => {
        expect(await command('copyPlatformToken')).toBe('nothing to do');
        expect(await command('stopServices')).toBe('nothing to do');
        expect(existsSync(data)).toBe(false);
        expect(await entry().count()).toBe(0);
    });

    test('they start, give their token, answer with it, and stop', async () => {
        expect(await command('startServices')).toBe('done');
        await entry().waitFor();
        expect(await command('startServices')).toBe('nothing to do');
        expect(await command('copyPlatformToken')).toBe('done');
        const token = await code.host('clipboard');
        expect(token.split('.')).toHaveLength(3);
        const { base_url: base, pid } = JSON.parse(readFileSync(endpoints(), 'utf8'));
        const answer = await fetch(`${base}/api/v1/rulelang/evaluate`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ program: 'a(1). b(X) :- a(X). @output("b").' }),
        });
        expect(await answer.json()).toMatchObject({ status: 'success', data: { resultSet: { b: [[1]] } } });
        // A window in a browser leads to a port by a way of its own: by a path of its server, which hands requests on without that path.
        const { port } = new URL(base);
        const context = code.page.context();
        await context.route(`**/proxy/${port}/**`, async route => {
            const { url, method, headers } = {
                url: route.request().url(),
                method: route.request().method(),
                headers: route.request().headers(),
            };
            const path = url.slice(url.indexOf(`/proxy/${port}/`) + `/proxy/${port}`.length);
            const { authorization } = headers;
            const handed = await fetch(`${base}${path}`, { method, ...(authorization !== undefined && { headers: { authorization } }) });
            await route.fulfill({
                status: handed.status,
                headers: Object.fromEntries(handed.headers),
                body: Buffer.from(await handed.arrayBuffer()),
            });
        });
        const opened = context.waitForEvent('page');
        const asked = command('openPlatform');
        const choices = code.page.locator('.quick-input-widget', { hasText: 'What the page in the browser is for' });
        await choices.locator('.monaco-list-row', { hasText: 'To change and to run' }).waitFor();
        await choices.locator('input.input').fill('change');
        await code.page.keyboard.press('Enter');
        expect(await asked).toBe('done');
        const page = await opened;
        await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
        // A viewer would not be offered it.
        await page
            .getByRole('button', { name: /New project/iu })
            .first()
            .waitFor();
        expect(new URL(page.url())).toMatchObject({ pathname: `/proxy/${port}/`, hash: '' });
        await page.close();
        expect(await command('stopServices')).toBe('done');
        expect(existsSync(endpoints())).toBe(false);
        expect(() => process.kill(pid, 0)).toThrow();
        await entry().waitFor({ state: 'detached' });
    });

    test('the setting turns them on and off', async () => {
        await code.host('configure', 'rulelang.platform.enabled', true);
        await expect.poll(() => existsSync(endpoints())).toBe(true);
        await code.host('configure', 'rulelang.platform.enabled');
        await expect.poll(() => existsSync(endpoints())).toBe(false);
    });

    test('a port that is taken is told', async () => {
        const { port } = other.address() as { port: number };
        await code.host('configure', 'rulelang.platform.port', port);
        expect(await command('startServices')).toBe('failed');
        await told(`port ${port} is taken by another program`);
        await code.host('configure', 'rulelang.platform.port', 0);
        expect(await entry().count()).toBe(0);
    });

    test('a command line that is not there is told', async () => {
        await code.host('configure', 'rulelang.platform.command', 'rulelang-that-is-nowhere');
        expect(await command('startServices')).toBe('failed');
        await told(/'rulelang-that-is-nowhere', which the setting rulelang\.platform\.command names, was not found/u);
        await code.host('configure', 'rulelang.platform.command');
    });
});
