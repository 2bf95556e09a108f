import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { type ModelServer, type Scripted, startModelServer } from '../model/model-server.ts';
import { CHROMIUM } from '../support/chromium.ts';

const pictures = process.env.PICTURES ?? fs.mkdtempSync(join(tmpdir(), 'rulelang-pictures-'));
const TOWNS = 'town("Riga", 600). town("Narva", 50).\n@output("town").\n@model("town", "[\'name:string\', \'people:int\']").';
const LARGE = 'large(T) <- town(T, N), N > 100.\n@output("large").\n';

let services: Services;
let model: ModelServer;
let browser: Browser;
let page: Page;
const requested: string[] = [];
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    [services, model] = await Promise.all([startServices(), startModelServer()]);
    await data(post('/projects/save', { project: { id: 'cities', name: 'Cities' } }));
    await data(post('/concepts/cities/save', { definition: TOWNS }));
    await data(post('/concepts/cities/run/town', {}));
    browser = await chromium.launch(CHROMIUM);
    page = await browser.newPage({ viewport: { width: 1100, height: 760 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(120_000);
    page.on('request', request => requested.push(request.url()));
    const opened = await rulelang(services.folder, ['open', '--edit', '--print', '--data-dir', services.data]);
    await page.goto(opened.stdout.trim());
    await page.locator('.side').getByText('Agent').click();
});
afterAll(async () => {
    await browser?.close();
    await services?.stop();
    await model?.stop();
});

const field = (): Locator => page.locator('.composer-field');
const told = (text: string): Locator => page.locator('.told', { hasText: text }).last();
const says = (...text: readonly string[]): Scripted => ({ text });
const calls = (name: string, input: object): Scripted => ({ calls: [{ name, arguments: JSON.stringify(input) }] });
async function asked(words: string, ...answers: readonly Scripted[]): Promise<void> {
    model.script(...answers);
    await field().fill(words);
    await field().press('Enter');
}
const names = async (): Promise<unknown> =>
    ((await data(get('/concepts/cities/list'))) as readonly { concept_name: string }[]).map(({ concept_name }) => concept_name);

test('without a model the rest works', async () => {
    await page.getByText('No model is configured').waitFor();
    await page.getByRole('button', { name: 'Show rows, and why they are there' }).click();
    await page.getByRole('menuitem', { name: 'town' }).click();
    await page.locator('.result-grid [role=gridcell]', { hasText: 'Riga' }).waitFor();
    await page.locator('.result-tools').getByRole('button', { name: 'Explain' }).click();
    await page.locator('.explanation-words', { hasText: 'town (name Narva, people 50) is given.' }).waitFor();
    expect(model.requests).toEqual([]);
});

test('a name is completed by keys, a proposal is changed in its place and accepted', async () => {
    await data(post('/users/save-config', { config_data: { LLM_BASE_URL: model.baseUrl, LLM_VERSION: 'm-1' } }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('.composer-model', { hasText: 'm-1' }).waitFor();
    model.script(calls('create_concept', { concept_name: 'large', rulelang_code: LARGE, description: 'Large towns' }), says('Saved.'));
    await field().pressSequentially('Which are large in @to');
    await page.getByRole('option', { name: 'town' }).waitFor();
    await field().press('Enter');
    expect(await field().inputValue()).toBe('Which are large in @town ');
    await field().press('Enter');
    await page.locator('.proposal.waiting .diff-line.added', { hasText: 'large(T)' }).waitFor();
    for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.screenshot({ path: join(pictures, `page-agent-${scheme}.png`) });
    }
    await page.locator('.proposal').getByRole('button', { name: 'Edit' }).click();
    await page.locator('.proposal-field').fill(LARGE.replace('100', '40'));
    await page.locator('.proposal').getByRole('button', { name: 'Accept' }).click();
    await told('Saved.').waitFor();
    expect(await names()).toContain('large');
    const concepts = (await data(get('/concepts/cities/list'))) as readonly { concept_name: string; definition: string }[];
    expect(concepts.find(({ concept_name }) => concept_name === 'large')?.definition).toContain('N > 40');
});

test('an answer is stopped, and what it writes asks for nothing', async () => {
    await asked('Go on', { text: ['It begins'], fault: 'silence' });
    await told('It begins').waitFor();
    await field().press('Escape');
    await page.locator('.turn-foot', { hasText: 'Stopped' }).waitFor();
    await asked('Show', says('![x](https://example.com/p.png) <img src="https://example.com/q.png"> [a](javascript:alert(1)) End.'));
    await told('End.').waitFor();
    expect(await page.locator('.told img, .told a').count()).toBe(0);
    expect(requested.filter(url => !url.startsWith(services.base))).toEqual([]);
});

test('the conversation survives a reload of the tab, and others stand beside it', async () => {
    await page.reload();
    await told('Saved.').waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('Ask about Cities').waitFor();
    await page.locator('.agent-title').click();
    await page.getByRole('menuitemradio', { name: 'Show the rows of @town' }).click();
    await told('Saved.').waitFor();
});

test('a narrow window has room for all of it', async () => {
    await page.setViewportSize({ width: 480, height: 760 });
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(excess).toBeLessThanOrEqual(0);
    expect(await field().isVisible()).toBe(true);
});
