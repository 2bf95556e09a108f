import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { CHROMIUM } from '../support/chromium.ts';

const TOWNS = 'town("Riga", 600). town("Narva", 50). town("<img src=x onerror=alert(1)>", 7).\n@output("town").';
const NAME = 'Towns <b>now</b>';
const DEFINITION = {
    kept: { by: 'somebody else' },
    tiles: [{ id: 'rows', kind: 'rows', concept: 'town', x: 0, y: 0, width: 6, height: 6, odd: [1] }],
};

let services: Services;
let browser: Browser;
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'cities', name: 'Cities' } }));
    await data(post('/concepts/cities/save', { definition: TOWNS }));
    await data(post('/concepts/cities/run/town', {}));
    browser = await chromium.launch(CHROMIUM);
});
afterAll(async () => {
    await browser?.close();
    await services?.stop();
});

async function opened(...more: readonly string[]): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 760 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(120_000);
    const { stdout } = await rulelang(services.folder, ['open', ...more, '--print', '--data-dir', services.data]);
    await page.goto(stdout.trim());
    await page.locator('.side').getByText('Dashboards').click();
    return page;
}
const definitionOf = async (id: string): Promise<unknown> => {
    const found = (await data(get(`/dashboards/cities/${id}`))) as { readonly definition: unknown };
    return found.definition;
};

test('one is made, built by keys, kept over a reload before it is saved, and saved', async () => {
    const page = await opened('--edit');
    await page.getByText('No dashboards yet').waitFor();
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.dashboard-bar').waitFor();
    if (!(await page.getByRole('button', { name: 'Add' }).isVisible())) await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('menuitem', { name: 'Text' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    const route = new URL(page.url()).hash;
    await page.reload();
    await page.locator('.tile').waitFor();
    expect(new URL(page.url()).hash).toBe(route);
    await page.getByRole('button', { name: 'Save' }).click();
    const id = route.split('/').at(-1) ?? '';
    await expect.poll(async () => JSON.stringify(await definitionOf(id))).toContain('text');
    await page.close();
});

test('a viewer sees the rows of one as text, and nothing to change', async () => {
    const { id } = (await data(post('/dashboards/cities/save', { dashboard: { name: NAME, definition: DEFINITION } }))) as { id: string };
    const page = await opened();
    const requested: string[] = [];
    page.on('request', request => requested.push(request.url()));
    await page.getByRole('button', { name: NAME }).click();
    await page.locator('[role=gridcell]', { hasText: '<img src=x' }).waitFor();
    await page.locator('.crumbs', { hasText: NAME }).waitFor();
    for (const name of ['Edit', 'Save', 'Run']) expect(await page.getByRole('button', { name, exact: true }).isVisible(), name).toBe(false);
    expect(await page.locator('main img').count()).toBe(0);
    expect(requested.filter(address => !address.startsWith(new URL(page.url()).origin))).toEqual([]);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, 'page-dashboard-light.png') });
    expect(await definitionOf(id)).toEqual(DEFINITION);
    await page.close();
});
