import fs from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { startModelServer } from '../model/model-server.ts';
import { CHROMIUM } from '../support/chromium.ts';

const KEY = 'canary-key-4Z';

let services: Services;
let browser: Browser;
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'cities', name: 'Cities' } }));
    await data(post('/projects/save', { project: { id: 'towns', name: 'Towns' } }));
    await data(post('/concepts/cities/save', { definition: 'town("Riga", 600).\n@output("town").' }));
    await data(post('/concepts/cities/save', { definition: 'large(N) :- town(N, P), P > 100.\n@output("large").' }));
    browser = await chromium.launch(CHROMIUM);
});
afterAll(async () => {
    await browser?.close();
    await services?.stop();
});

async function opened(section: string, ...more: readonly string[]): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 760 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(120_000);
    const { stdout } = await rulelang(services.folder, ['open', ...more, '--print', '--data-dir', services.data]);
    await page.goto(stdout.trim());
    await page.locator('.project').first().waitFor();
    await page.locator('.sections').getByText(section, { exact: true }).click();
    return page;
}
const named = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });
async function chooseFrom(page: Page, thing: string, what: string): Promise<void> {
    await named(page, `What to do with ${thing}`).first().click();
    await page.getByRole('menuitem', { name: what }).click();
}
async function pictured(page: Page, name: string): Promise<void> {
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
}
interface Concept {
    readonly concept_name: string;
    readonly definition: string;
    readonly description: string;
    readonly group: string;
}
const conceptsOf = (project: string): Promise<readonly Concept[]> => data(get(`/concepts/${project}/list`));
const conceptIn = async (project: string, name: string): Promise<Concept | undefined> =>
    (await conceptsOf(project)).find(({ concept_name }) => concept_name === name);

test('a model is configured, and its key is kept for its provider alone and shown to nobody', async () => {
    const page = await opened('Settings', '--edit');
    const { version } = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const listed = page.locator('.settings-list');
    await listed.first().waitFor();
    expect(await listed.first().textContent()).toContain(version);
    expect(await page.locator('table').textContent()).toContain('Language models');
    await named(page, 'Configure a model').click();
    const sheet = page.locator('dialog');
    await sheet.locator('[name=provider]').selectOption('anthropic');
    await sheet.locator('[name=version]').fill('some-model');
    await sheet.locator('[name=temperature]').fill('7');
    await named(sheet, 'Save').click();
    await sheet.getByText('a number from 0 to 2').waitFor();
    await sheet.locator('[name=temperature]').fill('0.2');
    await sheet.locator('[name=key]').fill(KEY);
    await pictured(page, 'model');
    await named(sheet, 'Save').click();
    await listed.getByText('some-model').waitFor();
    await listed.getByText('kept by the services, and not shown').waitFor();
    const kept = () => data<Record<string, unknown>>(get('/users/load-config'));
    expect(await kept()).toMatchObject({ LLM_PROVIDER: 'anthropic', LLM_API_KEY: KEY, LLM_TEMPERATURE: 0.2 });
    await pictured(page, 'settings');
    const all = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])');
    expect(all).not.toContain(KEY);
    await named(page, 'Configure a model').click();
    expect(await sheet.locator('[name=key]').inputValue()).toBe('');
    await sheet.locator('[name=provider]').selectOption('openai');
    await named(sheet, 'Save').click();
    await listed.getByText('none is kept').waitFor();
    expect(await kept()).toMatchObject({ LLM_PROVIDER: 'openai', LLM_API_KEY: null });
    const server = await startModelServer();
    server.script({ text: ['ready'] });
    await data(post('/users/save-config', { config_data: { LLM_PROVIDER: 'chat-completions', LLM_BASE_URL: server.baseUrl } }));
    const told = page.locator('.model-trial');
    await named(page, 'Test').click();
    await told.getByText('answered after').waitFor();
    await pictured(page, 'model-trial');
    await named(page, 'Test').click();
    await told.getByText('No answer from the language model').waitFor();
    await server.stop();
    await page.close();
    const reader = await opened('Settings');
    await reader.locator('.settings-list').first().waitFor();
    expect(await named(reader, 'Configure a model').count()).toBe(0);
    await reader.close();
});

test('dashboards are renamed, duplicated, deleted, and brought back with what they show', async () => {
    const definition = { tiles: [{ id: 'a', kind: 'text', text: 'Hello', x: 0, y: 0, width: 6, height: 4 }] };
    await data(post('/dashboards/cities/save', { dashboard: { name: 'First', definition } }));
    const page = await opened('Dashboards', '--edit');
    const list = page.locator('.dashboard-list');
    const sheet = page.locator('dialog');
    await chooseFrom(page, 'First', 'Rename');
    await sheet.locator('[name=name]').fill('Second');
    await named(sheet, 'Rename').click();
    await named(list, 'Second').waitFor();
    await chooseFrom(page, 'Second', 'Duplicate');
    await named(sheet, 'Duplicate').click();
    await page.locator('.crumbs', { hasText: 'Copy of Second' }).waitFor();
    await page.locator('.crumbs .link').click();
    await named(list, 'Copy of Second').waitFor();
    await pictured(page, 'dashboards');
    await chooseFrom(page, 'Second', 'Delete');
    await named(list, 'Second').waitFor({ state: 'detached' });
    await named(page, 'Undo').click();
    await named(list, 'Second').waitFor();
    const all = await data<readonly { readonly id: string; readonly name: string }[]>(get('/dashboards/cities/list'));
    expect(all.map(({ name }) => name).sort()).toEqual(['Copy of Second', 'Second']);
    for (const { id } of all) expect(await data(get(`/dashboards/cities/${id}`))).toMatchObject({ definition });
    await page.close();
});

test('a concept is described, grouped, exported, and copied and moved to another project', async () => {
    const page = await opened('Concepts', '--edit');
    const sheet = page.locator('dialog');
    await chooseFrom(page, 'town', 'Edit the description');
    await sheet.locator('textarea').fill('Where people live');
    await named(sheet, 'Save').click();
    await page.locator('.concept-description', { hasText: 'Where people live' }).waitFor();
    await chooseFrom(page, 'town', 'Move to a group');
    await sheet.locator('[name=group]').fill('Given');
    await named(sheet, 'Move').click();
    await page.locator('.concepts .group', { hasText: 'Given' }).waitFor();
    expect(await page.locator('.concepts .group').allTextContents()).toEqual(['Given']);
    await pictured(page, 'grouped');
    expect(await conceptIn('cities', 'town')).toMatchObject({ description: 'Where people live', group: 'Given' });

    const download = page.waitForEvent('download');
    await chooseFrom(page, 'town', 'Export');
    const file = await (await download).path();
    expect((await download).suggestedFilename()).toBe('town.rulelang');
    expect(fs.readFileSync(file, 'utf8')).toContain('town("Riga", 600).');

    for (const moves of [false, true]) {
        await chooseFrom(page, 'town', 'Copy or move to another project');
        await sheet.getByText('These read it, and cannot be run once it is gone: large').waitFor();
        await sheet.locator('[name=moves]').setChecked(moves);
        await named(sheet, 'Copy or move').click();
        if (moves) await sheet.getByText("There is a 'town' in 'Towns' already.").waitFor();
        else await sheet.waitFor({ state: 'detached' });
    }
    await data(post('/concepts/towns/cleanup', { concept_names: ['town'] }));
    await named(sheet, 'Copy or move').click();
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(() => conceptIn('cities', 'town')).toBe(undefined);
    expect(await conceptIn('towns', 'town')).toMatchObject({ description: 'Where people live', group: 'Given' });
    await page.close();
});

test('files become concepts and projects, chosen or dropped; what is there is replaced when that is wished', async () => {
    const page = await opened('Concepts', '--edit');
    const chosen = page.waitForEvent('filechooser');
    await chooseFrom(page, 'Cities', 'Import files');
    const text = (name: string, body: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(body) });
    await (await chosen).setFiles([
        text('more.rulelang', 'village("Ligatne", 1).\n@output("village").'),
        text('large.rulelang', 'large(N) :- town(N, P), P > 5.\n@output("large").'),
        text('first names.sql', 'SELECT * FROM village'),
        text('picture.png', 'x'),
    ]);
    const sheet = page.locator('dialog');
    await sheet.getByText("'picture.png' is no rules").waitFor();
    await named(sheet, 'Close').click();
    await named(sheet, 'Replace').click();
    await sheet.first().waitFor({ state: 'detached' });
    await named(page, 'village').waitFor();
    await named(page, 'first_names').waitFor();
    await expect.poll(async () => (await conceptIn('cities', 'large'))?.definition).toContain('P > 5');

    const download = page.waitForEvent('download');
    await chooseFrom(page, 'Cities', 'Export project');
    const exported = fs.readFileSync(await (await download).path(), 'utf8').replace('"Cities"', '"Brought back"');
    const transfer = await page.evaluateHandle(
        `(() => { const all = new DataTransfer(); all.items.add(new File([${JSON.stringify(exported)}], 'p.json')); return all; })()`,
    );
    await page.locator('.sheet-of-project').dispatchEvent('drop', { dataTransfer: transfer });
    await page.locator('.project', { hasText: 'Brought back' }).waitFor();
    await page.close();
});
