import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { CHROMIUM } from '../support/chromium.ts';

const pictures = process.env.PICTURES ?? fs.mkdtempSync(join(tmpdir(), 'rulelang-pictures-'));

let services: Services;
let browser: Browser;
let page: Page;
const said: string[] = [];
const { post, data } = callsTo(() => services);

async function opened(...more: readonly string[]): Promise<Page> {
    const made = await browser.newPage({ viewport: { width: 1100, height: 640 }, reducedMotion: 'reduce' });
    made.setDefaultTimeout(120_000);
    made.on('console', message => said.push(message.text()));
    await made.goto((await rulelang(services.folder, ['open', '--print', '--data-dir', services.data, ...more])).stdout.trim());
    return made;
}

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'cities', name: 'Cities' } }));
    const save = (definition: string): Promise<unknown> => data(post('/concepts/cities/save', { definition }));
    await save('town("Rome", 2800000). town("Pisa", 90000). town("Bari", 310000). @output("town").');
    await save('@param("least", 200000).\nlarge(N, P) :- town(N, P), P > ?least.');
    await save('@input("lost"). @bind("lost", "csv", ".", "lost.csv"). broken(X) :- lost(X).');
    await save('n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. endless(X) :- n(X). @output("endless").');
    browser = await chromium.launch(CHROMIUM);
    page = await opened('--edit');
});
afterAll(async () => {
    await browser?.close();
    await services?.stop();
});

const open = async (name: string, on = page): Promise<void> => {
    await on.locator('.project').first().click();
    await on.locator('.concepts .link', { hasText: new RegExp(`^${name}$`, 'u') }).click();
    await on.locator('.crumbs .value', { hasText: name }).waitFor();
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const told = () => page.locator('.run-notice');

test('a concept runs with what it reads, with its default and with what is written', async () => {
    await open('large');
    expect(await page.getByLabel('least').getAttribute('placeholder')).toBe('200000');
    await button('Run').click();
    await told().filter({ hasText: 'It has run, after 1 concept that it reads.' }).waitFor();
    await page.locator('.status', { hasText: '2 rows' }).waitFor();
    await page.getByLabel('least').fill('500000');
    await page.keyboard.press('Enter');
    await page.locator('.status', { hasText: /^1 row/u }).waitFor();
    expect(await page.getByLabel('least').inputValue()).toBe('500000');
    expect(await page.evaluate('document.activeElement.name')).toBe('least');
    for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.screenshot({ path: join(pictures, `page-run-${scheme}.png`) });
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.screenshot({ path: join(pictures, 'page-run-narrow.png') });
    await page.setViewportSize({ width: 1100, height: 640 });
});

test('what has not changed is not run again, unless that is wanted', async () => {
    await open('town');
    await button('Run').click();
    await told().filter({ hasText: 'It has run.' }).waitFor();
    await button('Run').click();
    await told().filter({ hasText: 'Nothing has changed' }).waitFor();
    await page.getByLabel('Even if nothing has changed').check();
    await button('Run').click();
    await told().filter({ hasText: 'It has run.' }).waitFor();
});

test('what failed is said, and stays in its runs', async () => {
    await open('broken');
    await button('Run').click();
    await told().getByRole('alert').filter({ hasText: 'lost.csv' }).waitFor();
    await page.getByRole('heading', { name: 'The last run has left no rows' }).waitFor();
});

test('a run goes on while other things are shown, says how long, and is stopped', async () => {
    await open('endless');
    await button('Run').click();
    await button('Stop').waitFor();
    await open('town');
    await open('endless');
    await expect.poll(() => told().locator('.so-far').textContent()).toMatch(/^[1-9]/u);
    const progress = told().locator('.run-progress');
    await expect.poll(() => progress.textContent()).toMatch(/^ · Evaluating.* · \w+: [\d,]+ rows$/u);
    await page.screenshot({ path: join(pictures, 'page-run-progress.png') });
    await button('Stop').click();
    await told().filter({ hasText: 'The run was stopped.' }).waitFor();
    await page.getByRole('status').first().filter({ hasText: 'Nothing runs' }).waitFor();
    await button('Run').waitFor();
});

test('a viewer is shown no action that would be refused', async () => {
    const viewer = await opened();
    await open('large', viewer);
    await viewer.locator('.cell').first().waitFor();
    expect(await viewer.getByRole('button', { name: 'Run', exact: true }).count()).toBe(0);
    expect(await viewer.locator('.run-bar').count()).toBe(0);
    await viewer.close();
    expect(said.filter(text => !text.startsWith('Failed to load resource'))).toEqual([]);
});
