import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { startPostgresql, type TestServer } from '../databases/start-server.ts';
import { CHROMIUM } from '../support/chromium.ts';

const PEOPLE = `name,born\n${Array.from({ length: 20 }, (_, i) => `Person ${i},${1950 + (i % 4)}`).join('\n')}\n`;
const PASSWORD = 'page-canary-8X';

let services: Services;
let database: TestServer;
let browser: Browser;
const { post, get, data } = callsTo(() => services);

beforeAll(async () => {
    database = await startPostgresql();
    database.execute(`CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'; CREATE DATABASE shop OWNER app;`);
    database.execute(
        "\\c shop\nSET ROLE app;\nCREATE TABLE orders (id int PRIMARY KEY, buyer text); INSERT INTO orders VALUES (1, 'Ada'), (2, NULL);",
    );
    services = await startServices({ 'people.csv': PEOPLE }, ['--allow-net', `127.0.0.1:${database.port}`]);
    await data(post('/projects/save', { project: { id: 'registry', name: 'Registry' } }));
    await data(post('/concepts/registry/save', { definition: 'old("Ada").\n@output("old").' }));
    browser = await chromium.launch(CHROMIUM);
});
afterAll(async () => {
    await browser?.close();
    await services?.stop();
    database?.stop();
});

async function opened(...more: readonly string[]): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 760 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(120_000);
    const { stdout } = await rulelang(services.folder, ['open', ...more, '--print', '--data-dir', services.data]);
    await page.goto(stdout.trim());
    await page.locator('.project').first().waitFor();
    await page.locator('.sections').getByText('Data', { exact: true }).click();
    return page;
}
const named = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });
async function chooseFrom(page: Page, thing: string, what: string): Promise<void> {
    await named(page, `What to do with ${thing}`).last().click();
    await page.getByRole('menuitem', { name: what, exact: true }).click();
}
const definitionOf = async (concept: string): Promise<string | undefined> => {
    const all = await data<readonly { readonly concept_name: string; readonly definition: string }[]>(get('/concepts/registry/list'));
    return all.find(({ concept_name }) => concept_name === concept)?.definition;
};
async function pictured(page: Page, name: string): Promise<void> {
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
}

test('a file is connected once what was wrong is corrected, and its rows and columns are looked at', async () => {
    const page = await opened('--edit');
    await named(page, 'Connect a source').click();
    const sheet = page.locator('dialog');
    await sheet.locator('[name=path]').fill('nobody.csv');
    await named(sheet, 'Connect').click();
    await expect.poll(() => sheet.getByRole('alert').textContent()).toContain('nobody.csv');
    expect(await sheet.locator('[name=path]').inputValue()).toBe('nobody.csv');
    await pictured(page, 'connect-fault');
    await sheet.locator('[name=path]').fill('people.xlsx');
    expect(await sheet.getByRole('alert').textContent()).toContain('another kind than CSV');
    await sheet.locator('[name=path]').fill(join(services.folder, 'people.csv'));
    await named(sheet, 'Test').click();
    await sheet.getByText('It can be read: 1 table.').waitFor();
    expect(await data<readonly unknown[]>(get('/data/list'))).toEqual([]);
    await named(sheet, 'Connect').click();
    await named(page, 'people').waitFor();
    await named(page, 'Columns of people').click();
    const columns = page.locator('.data-columns li');
    expect(await columns.allTextContents()).toEqual(['namestring', 'bornint']);
    await pictured(page, 'data');
    await named(page, 'people').click();
    await page.getByRole('heading', { name: 'All 20 rows of people' }).waitFor();
    await page.locator('[role=gridcell]', { hasText: 'Person 3' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'All 20 rows of people' }).waitFor();
    await page.locator('.crumbs .link').click();
    await named(page, 'Columns of people').click();
    await named(page, 'born').click();
    const profile = page.locator('.profile-figures');
    await expect.poll(() => profile.textContent()).toContain('Different values4');
    expect(await profile.textContent()).toContain('Least1950');
    await pictured(page, 'profile');
    await page.close();
});

test('a bind comes into a concept, and a program that was inferred becomes one', async () => {
    const page = await opened('--edit');
    await chooseFrom(page, 'people', 'Insert the bind into a concept');
    const sheet = page.locator('dialog');
    await sheet.locator('[name=concept]').selectOption('old');
    await named(sheet, 'Insert').click();
    await page.locator('.crumbs', { hasText: 'old' }).waitFor();
    expect(await definitionOf('old')).toMatch(/^@bind\("people".*\n@model\("people".*\nold\("Ada"\)/u);
    await page.goBack();
    await chooseFrom(page, 'people', 'Insert the bind into a concept');
    await sheet.locator('[name=concept]').selectOption('old');
    await named(sheet, 'Insert').click();
    await sheet.getByText('The bind is in the program already.').waitFor();
    await sheet.locator('[name=concept]').selectOption('');
    await sheet.locator('[name=name]').fill('person');
    await named(sheet, 'Insert').click();
    await page.locator('.crumbs', { hasText: 'person' }).waitFor();
    expect(await definitionOf('person')).toContain('person(Name, Born) <- people(Name, Born).');
    await page.goBack();
    await chooseFrom(page, 'people', 'Infer a program');
    await named(sheet, 'Infer').click();
    await expect.poll(() => sheet.locator('textarea').inputValue()).toContain('@bind(');
    await pictured(page, 'inferred');
    await sheet.locator('[name=concept]').fill('everybody');
    await named(sheet, 'Save as a new concept').click();
    await page.locator('.crumbs', { hasText: 'everybody' }).waitFor();
    expect(await definitionOf('everybody')).toContain('everybody(');
    await data(post('/concepts/registry/run/everybody', {}));
    expect((await data<{ readonly count: number }>(get('/concepts/registry/fetch?output_predicate=everybody'))).count).toBe(20);
    await page.close();
});

test('a password is corrected, kept or asked for each time, forgotten, and nowhere in the page', async () => {
    const page = await opened('--edit');
    const sheet = page.locator('dialog');
    await named(page, 'Connect a source').click();
    await sheet.locator('[name=type]').selectOption('postgresql');
    await sheet.getByLabel('Host and port').fill(`127.0.0.1:${database.port}`);
    await sheet.locator('[name=database]').fill('shop');
    await sheet.locator('[name=username]').fill('app');
    await sheet.locator('[name=password]').fill('wrong-one');
    await named(sheet, 'Test').click();
    await expect.poll(() => sheet.getByRole('alert').textContent()).toMatch(/password|login/iu);
    await sheet.locator('[name=password]').fill(PASSWORD);
    await named(sheet, 'Connect').click();
    await named(page, 'orders').click();
    await page.getByRole('heading', { name: 'All 2 rows of orders' }).waitFor();
    await page.locator('.crumbs .link').click();

    await chooseFrom(page, 'shop', 'Forget password');
    await named(sheet, 'Forget password').click();
    await sheet.waitFor({ state: 'detached' });
    await named(page, 'orders').click();
    await named(page, 'Enter another password').click();
    await sheet.locator('[name=username]').fill('app');
    await sheet.locator('[name=password]').fill('wrong-again');
    await sheet.locator('[name=keeps]').uncheck();
    await named(sheet, 'Read').click();
    await expect.poll(() => sheet.getByRole('alert').textContent()).toMatch(/password|login/iu);
    await sheet.locator('[name=password]').fill(PASSWORD);
    await named(sheet, 'Read').click();
    await page.getByRole('heading', { name: 'All 2 rows of orders' }).waitFor();
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])');
    expect(kept).not.toContain(PASSWORD);
    expect(JSON.stringify(await data(get('/data/list')))).not.toContain(PASSWORD);
    await page.locator('.crumbs .link').click();
    await named(page, 'orders').click();
    await named(page, 'Enter another password').waitFor();
    await page.locator('.crumbs .link').click();

    await chooseFrom(page, 'shop', 'Forget the source');
    await named(sheet, 'Forget').click();
    await named(page, 'orders').waitFor({ state: 'detached' });
    await page.close();
});

test('a viewer finds tables and columns, copies a bind, and has nothing to change', async () => {
    const page = await opened();
    await page.getByText('people', { exact: true }).first().waitFor();
    expect(await named(page, 'Connect a source').count()).toBe(0);
    expect(await named(page, 'people').count()).toBe(0);
    const filter = page.getByRole('searchbox');
    await filter.fill('nothing of the kind');
    await page.getByText('Nothing matches.').waitFor();
    await filter.fill('born');
    await page.locator('.data-columns', { hasText: 'born' }).waitFor();
    await filter.fill('');
    await named(page, 'What to do with people').click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy the bind']);
    await page.close();
});
