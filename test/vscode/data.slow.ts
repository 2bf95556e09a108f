import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgresql, type TestServer } from '../databases/start-server.ts';
import { chooseFromMenu } from './context-menu.ts';
import { clientOf, inThemes } from './platform-window.ts';
import { code, data, page, shareWindow } from './services-window.ts';
import { answer, leadsTo, pick } from './steps.ts';

shareWindow();

const PASSWORD = 'canary-7c20';
let postgresql: TestServer;

beforeAll(async () => {
    postgresql = await startPostgresql();
    postgresql.execute(`create user ada password '${PASSWORD}';
        create database shop owner ada;`);
    postgresql.execute(`\\connect shop
        set role ada;
        create table orders(id int primary key, customer text, total numeric, "it's" boolean);
        insert into orders select n, case when n % 10 = 0 then null when n % 10 = 1 then '' else 'c' || n % 7 end, n / 2.0, n > 5
        from generate_series(1, 500) n;`);
    writeFileSync(join(code.workspace, 'parts.csv'), 'part,price,made\nnut,10,2024-01-03\nbolt,9,\nbolt,9,\nscrew,,2023-05-01\n');
}, 900_000);
afterAll(() => postgresql?.stop());

// Before somebody has turned services on.
await import('./parts/local-services.ts');

/** `LOOK=folder` takes pictures of what the views show. */
async function look(name: string): Promise<void> {
    const folder = process.env.LOOK;
    if (folder) await inThemes(code, { folder, name, height: 800 });
}

const item = (text: string): Locator => page.locator('.pane-body [role=treeitem]', { has: page.getByText(text, { exact: true }) }).first();
const view = (): FrameLocator => page.frameLocator('iframe.webview.ready[src*="extensionId=rulelang"]').frameLocator('iframe#active-frame');
const cell = (row: number, column: number): Locator => view().locator(`[aria-rowindex="${row + 1}"] [aria-colindex="${column + 1}"]`);
test('the rows of a file are shown as they stand in it', async () => {
    await page.locator('.activitybar .action-item', { has: page.locator('[aria-label="Rulelang"]') }).click();
    await page.locator('.welcome-view .monaco-button', { hasText: 'Start Local Services' }).click();
    await page.locator('.welcome-view .monaco-button', { hasText: 'Connect Source' }).waitFor();
    const connecting = code.host('command', 'rulelang.connectSource');
    await pick(page, 'of which kind', 'CSV');
    // The dialog puts the folder into its box once it has listed it.
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'parts.csv' }).waitFor();
    await answer(page, ['Connect CSV', join(code.workspace, 'parts.csv')]);
    expect(await connecting).toBe('done');
    await item('parts').getByText('4 rows').waitFor();
    await item('parts').hover();
    await item('parts').getByRole('button', { name: 'Show Sample Rows' }).click();
    await view().getByRole('heading', { name: 'All 4 rows of parts' }).waitFor();
    // Both rows of bolts are there, and an empty cell is an empty text.
    expect(await cell(1, 1).textContent()).toBe('nut');
    expect(await cell(3, 1).textContent()).toBe('bolt');
    await view().locator('.header', { hasText: 'price' }).click();
    await expect.poll(() => cell(4, 1).textContent()).toBe('nut');
    await look('csv-rows');
    await code.host('closeAll');
});

test('of a table of a database the first rows are shown', async () => {
    const connecting = code.host('command', 'rulelang.connectSource');
    await pick(page, 'of which kind', 'PostgreSQL');
    await answer(
        page,
        ['Host and port', `127.0.0.1:${postgresql.port}`],
        ['Name of the database', 'shop'],
        ['User name', 'ada'],
        ['Password', 'wrong-canary'],
        ['Keep the password on this computer'],
    );
    await pick(page, 'shop cannot be connected', 'Correct the password');
    const box = page.locator('.quick-input-widget');
    await box.locator('.quick-input-message', { hasText: "refuses 'ada' with this password" }).waitFor();
    expect(await box.locator('input.input').getAttribute('type')).toBe('password');
    await look('wrong-password');
    // What else was said is there still.
    await box.getByRole('button', { name: 'Back' }).click();
    await box.getByText('Connect PostgreSQL: User name').waitFor();
    expect(await box.locator('input.input').inputValue()).toBe('ada');
    await box.locator('input.input').press('Enter');
    await pick(page, 'shop cannot be connected', 'Correct the password');
    await answer(page, ['Connect PostgreSQL: Password', PASSWORD]);
    expect(await connecting).toBe('done');
    await item('orders').click();
    await view().getByRole('heading', { name: 'First 200 rows of orders' }).waitFor();
    expect(await cell(200, 1).count()).toBe(0);
    expect(await cell(3, 2).textContent()).toBe('c3');
    await look('database-rows');
    await cell(1, 2).click();
    await page.keyboard.press('p');
    const figures = (of: string) =>
        view()
            .locator('.profile')
            .filter({ hasText: `Profile of ${of}` })
            .locator('.profile-figures dd');
    await expect.poll(() => figures('customer').allTextContents()).toEqual(['string', '5010%', '5010%', '7', 'c0', 'c6', '2 characters']);
    await view().getByText('Counted over all 500 rows.').waitFor();
    await look('profile');
    await page.keyboard.press('Escape');
    await item('orders').locator('.monaco-tl-twistie').click();
    await item('total').hover();
    await item('total').getByRole('button', { name: 'Profile Column' }).click();
    await expect.poll(() => figures('total').allTextContents()).toEqual(['double', '0', '500each in one row', '0.5', '250']);
    await code.host('closeAll');
});

const chosen = (name: string, entry: string): Promise<void> => chooseFromMenu(page, item(name), entry);
const inferred = (): Promise<void> => expect.poll(() => code.host('text')).toMatch(/@bind\("orders_source"/u);
/** The files below a folder that hold a text. */
function filesWith(text: string, folder: string): string[] {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name));
    return files.filter(file => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file).includes(text));
}

test('a password is asked for once, stands in no file of the editor, and is forgotten when the user says so', async () => {
    await chosen('orders', 'Infer Program');
    await inferred();
    await code.host('closeAll');
    const state = join(code.storage, '../../..');
    for (const folder of [code.workspace, state])
        expect([...filesWith(PASSWORD, folder), ...filesWith('wrong-canary', folder)]).toEqual([]);

    await chosen('shop', 'Forget Password');
    await page.locator('.statusbar-item', { hasText: 'The password of shop is forgotten' }).waitFor();
    const client = clientOf(data);
    const source = (await client.listSources({})).find(({ name }) => name === 'orders');
    const program = `${source?.bind_annotation}\nrows(A) <- orders(A, B, C, D).\n@output("rows").`;
    await expect(client.evaluate({ body: { program } })).rejects.toMatchObject({ code: 'source_unavailable' });
    await item('orders').click();
    await answer(page, ['Password of ada', PASSWORD]);
    await view().getByRole('heading', { name: 'First 200 rows of orders' }).waitFor();
    // While the rows are shown it is known.
    await cell(1, 1).click();
    await page.keyboard.press('p');
    await view().getByText('Counted over all 500 rows.').waitFor();
    await expect(client.evaluate({ body: { program } })).rejects.toMatchObject({ code: 'source_unavailable' });
    await code.host('closeAll');
    for (const folder of [code.workspace, state]) expect(filesWith(PASSWORD, folder)).toEqual([]);

    // Whoever keeps it is not asked again.
    await item('orders').click();
    await answer(page, ['Password of ada', 'wrong-canary']);
    await view().getByRole('button', { name: 'Enter another password' }).click();
    await answer(page, ['User name'], ['Password', PASSWORD], ['Keep the password on this computer']);
    await view().getByRole('heading', { name: 'First 200 rows of orders' }).waitFor();
    await code.host('closeAll');
    await chosen('orders', 'Infer Program');
    await inferred();
    await code.host('closeAll');
});

test('files that are dropped onto the view become sources, and a bind is inserted once', async () => {
    writeFileSync(join(code.workspace, 'places.json'), '[{"name":"Rome","people":2800000}]');
    writeFileSync(join(code.workspace, 'picture.png'), 'x');
    writeFileSync(join(code.workspace, 'empty.rulelang'), '');
    const { host } = new URL(page.url());
    const uris = ['places.json', 'picture.png'].map(name => `vscode-remote://${host}${join(code.workspace, name)}`);
    const made = `(() => { const data = new DataTransfer(); data.setData('text/uri-list', ${JSON.stringify(uris.join('\r\n'))}); return data; })()`;
    const dataTransfer = await page.evaluateHandle(made);
    // What comes below is to be in sight.
    await item('orders').locator('.monaco-tl-twistie').click();
    await item('total').waitFor({ state: 'hidden' });
    await leadsTo(item('places'), async () => {
        // The tree takes what is dropped once it has said so.
        for (const name of ['dragenter', 'dragover']) await item('shop').dispatchEvent(name, { dataTransfer });
        await page.locator('.monaco-list-row.drop-target, .monaco-list.drop-target').first().waitFor();
        await item('shop').dispatchEvent('drop', { dataTransfer });
    });
    await page.locator('.notification-toast', { hasText: 'picture.png cannot be connected' }).waitFor();
    await code.host('open', 'empty.rulelang');
    const inserted = async (): Promise<void> => {
        await item('places').hover();
        await item('places').getByRole('button', { name: 'Insert Bind' }).click();
    };
    const bind = /^@bind\("places", "json[^\n]*\n@model\("places", [^\n]*\n$/u;
    await inserted();
    await expect.poll(() => code.host('text')).toMatch(bind);
    // It is told for some seconds, which a machine that does other things may miss.
    await leadsTo(page.locator('.statusbar-item', { hasText: 'The bind is in the program already' }), inserted);
    expect(await code.host('text')).toMatch(bind);
    await code.host('closeAll');
});

await import('./parts/dashboard.ts');

test('services end with the window', async () => {
    const endpoints = join(data, 'endpoints.json');
    const { pid } = JSON.parse(readFileSync(endpoints, 'utf8'));
    await code.close();
    await expect
        .poll(() => {
            try {
                return process.kill(pid, 0);
            } catch {
                return false;
            }
        })
        .toBe(false);
    expect(existsSync(endpoints)).toBe(false);
});
