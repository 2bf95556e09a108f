import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startPostgresql, type TestServer } from '../databases/start-server.ts';
import { startModelServer } from '../model/model-server.ts';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { servicesIn, picture as takePicture } from './platform-window.ts';
import { answer, leadsTo, pick } from './steps.ts';

const home = mkdtempSync(join(tmpdir(), 'rulelang-walkthrough-'));
let code: VsCode;
let page: Page;
let postgresql: TestServer;

beforeAll(async () => {
    postgresql = await startPostgresql();
    postgresql.execute(`create user ada password 'canary-5a11';
        create database shop owner ada;
        create database depot owner ada;`);
    postgresql.execute(`\\connect shop
        set role ada;
        create table orders(id int primary key, customer text, total numeric);
        insert into orders values (1, 'Ann', 12.5), (2, 'Bob', 99.0), (3, 'Ann', 7.0);`);
    postgresql.execute(`\\connect depot
        set role ada;
        create table parts(name text);
        insert into parts values ('nut');`);
    code = await startVsCode(unpackedExtension(), {
        trusted: true,
        empty: true,
        settings: { 'files.simpleDialog.enable': true, ...servicesIn(join(home, 'data')) },
    });
    ({ page } = code);
}, 900_000);
afterAll(async () => {
    await code?.close();
    postgresql?.stop();
    rmSync(home, { recursive: true, force: true });
});
/** `VSCODE_SHOTS=folder` keeps what the window showed at the end of each test. */
afterEach(async ({ task }) => {
    const folder = process.env.VSCODE_SHOTS;
    if (folder) await page.screenshot({ path: join(folder, `walkthrough-${task.name.replace(/\W+/gu, '-')}.png`) });
});

/** `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/vscode/walkthrough` takes those of the README anew. */
async function picture(name: string): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder === undefined) return;
    await page.mouse.move(720, 872);
    await takePicture(page, join(folder, `first-${name}-light.png`), { x: 0, y: 35, width: 1440, height: 841 });
}

const step = (title: string): Locator => page.locator('.getting-started-step', { hasText: title });

/** The view of ours that is shown; the walkthrough has one of its own. */
const ours = (): FrameLocator => page.frameLocator('iframe.webview.ready[src*="extensionId=rulelang"]').frameLocator('iframe#active-frame');

/** Opens the walkthrough at a step, and presses one of its buttons. */
async function press(title: string, button?: string): Promise<void> {
    await code.host('command', 'workbench.action.openWalkthrough', {
        category: 'rulelang.rulelang#start',
        step: 'rulelang.rulelang#start#x',
    });
    await step(title).click();
    if (button !== undefined) await step(title).getByRole('button', { name: button }).click();
}
/** Draws the rows that are shown, and writes them to a file of the folder that is open. */
async function drawnAndExported(file: string): Promise<string> {
    const results = ours();
    // The page of the walkthrough may take the focus back once a step is done.
    await leadsTo(results.getByLabel('Kind of chart'), async () => {
        await results.locator('.body [aria-colindex="2"]').first().click();
        await page.keyboard.press('c');
    });
    await results.locator('canvas').first().waitFor();
    await results.getByRole('button', { name: 'Export' }).click();
    await results.getByRole('menuitem', { name: 'CSV' }).click();
    const path = join(code.workspace, file);
    // The dialog puts the folder into its box once it has listed it.
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await answer(page, ['Export', path]);
    await expect.poll(() => existsSync(path)).toBe(true);
    return readFileSync(path, 'utf8');
}

test("from an empty folder to an explained row of a table of one's own, by the walkthrough and keys alone", async () => {
    expect(readdirSync(code.workspace)).toEqual([]);
    await press('Connect your data', 'Connect Source…');
    // The page of the walkthrough may take the focus back once a step is done.
    await answer(
        page,
        ['of which kind', 'PostgreSQL'],
        ['Host and port', `127.0.0.1:${postgresql.port}`],
        ['Name of the database', 'shop'],
        ['User name', 'ada'],
        ['Password', 'canary-5a11'],
        ['Keep the password on this computer'],
    );
    await page.locator('.statusbar-item', { hasText: 'Connected: orders' }).waitFor();
    await press('Write rules over your tables', 'Infer a Program');
    await page.locator('.view-line', { hasText: '@bind("orders_source"' }).first().waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\ndear(Customer) <- orders(Id, Customer, Total), Total > 50.\n@output("dear").\n');
    await page.keyboard.press('Control+S');
    await expect.poll(() => readdirSync(code.workspace)).toEqual(['shop.rulelang']);
    const saved = (): string => readFileSync(join(code.workspace, 'shop.rulelang'), 'utf8');
    await expect.poll(saved).toContain('@output("dear")');
    expect(saved()).not.toContain('canary');
    await press('Run it', 'Run Program');
    const results = ours();
    await results.getByRole('tab', { name: /dear/u }).waitFor();
    await press('Ask why a row is there', 'Explain Row');
    await results.locator('.item', { hasText: 'orders_source(1,"Ann"' }).first().waitFor();
    expect(await drawnAndExported('orders-of-mine.csv')).toContain('Bob,99');
    await press('Ask why a row is there');
    await expect.poll(() => step('Ask why a row is there').locator('.codicon-getting-started-step-checked').count()).toBeGreaterThan(0);
});

test("a file of one's own goes the same way", async () => {
    await code.host('closeAll');
    const file = join(code.workspace, 'visits.csv');
    writeFileSync(file, 'place,guests\nRiga,30\nNarva,5\n');
    await press('Connect your data', 'Connect Source…');
    await pick(page, 'of which kind', 'CSV');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'visits.csv' }).waitFor();
    await answer(page, ['Connect CSV', file]);
    await page.locator('.statusbar-item', { hasText: 'Connected: visits' }).waitFor();
    await press('Write rules over your tables', 'Infer a Program');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'visits' }).click();
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: '@bind("visits_source"' }).first().waitFor();
    await press('Run it', 'Run Program');
    const results = ours();
    await results.locator('[role=gridcell]', { hasText: 'Riga' }).click();
    await press('Ask why a row is there', 'Explain Row');
    await results.locator('.item', { hasText: 'visits_source("Riga"' }).first().waitFor();
    expect(await drawnAndExported('guests.csv')).toMatch(/^place,guests\r?\n/iu);
});

test('a program that came otherwise asks once before it reaches what is connected', async () => {
    await code.host('closeAll');
    const bind = `@bind("part", "postgresql host='127.0.0.1', port=${postgresql.port}, username='ada'", "depot", "parts").`;
    writeFileSync(join(code.workspace, 'parts.rulelang'), `${bind}\nname(X) <- part(X).\n@output("name").\n`);
    const connecting = code.host('command', 'rulelang.connectSource');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'PostgreSQL' }).click();
    await answer(
        page,
        ['Host and port', `127.0.0.1:${postgresql.port}`],
        ['Name of the database', 'depot'],
        ['User name', 'ada'],
        ['Password', 'canary-5a11'],
        ['Keep the password on this computer'],
    );
    expect(await connecting).toBe('done');
    await code.host('open', 'parts.rulelang');
    const question = page.locator('.quick-input-widget', { hasText: "parts.rulelang names the database 'depot' of 127.0.0.1" });
    const refused = code.host('command', 'rulelang.runProgram');
    await question.waitFor();
    await page.keyboard.press('Escape');
    expect(await refused).toBe('done');
    await ours().getByText('connect it in the view Data').first().waitFor();
    const allowed = code.host('command', 'rulelang.runProgram');
    await question.waitFor();
    await page.keyboard.press('Enter');
    expect(await allowed).toBe('done');
    await ours().locator('[role=gridcell]', { hasText: 'nut' }).waitFor();
    // What checks find out about the bind goes with it.
    const problems = (): Promise<string | null> => page.locator('[id="status.problems"] a').getAttribute('aria-label');
    await expect.poll(problems).toBe('No Problems');
    expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
});

test('a new program runs, and its rows are explained', async () => {
    await code.host('closeAll');
    await press('Begin with a sample', 'New Sample Program');
    await page.locator('.tab .label-name', { hasText: 'services.rulelang' }).waitFor();
    await press('Run it', 'Run Program');
    const results = ours();
    await results.locator('[aria-rowindex="2"] [aria-colindex="2"]').click();
    await press('Ask why a row is there', 'Explain Row');
    await results.locator('.item', { hasText: 'down("store")' }).first().waitFor();
    await press('Ask why a row is there');
    await expect.poll(() => step('Ask why a row is there').locator('.codicon-getting-started-step-checked').count()).toBeGreaterThan(0);
});

test('a program over the tables of a database is saved as a concept, run, and a row of it explained', async () => {
    await code.host('closeAll');
    await code.host('command', 'workbench.view.extension.rulelang');
    await page.locator('.pane-body [role=treeitem]', { hasText: 'orders' }).first().locator('.monaco-tl-twistie').click();
    await page.locator('.pane-body [role=treeitem]', { hasText: 'customer' }).waitFor();
    await picture('connect');
    await leadsTo(page.locator('.view-line', { hasText: '@bind("orders_source"' }).first(), async () => {
        await press('Write rules over your tables', 'Infer a Program');
        await page.locator('.quick-input-list .monaco-list-row', { hasText: 'shop' }).click({ timeout: 30_000 });
        await page.keyboard.press('Enter');
    });
    await picture('infer');
    await press('Ask why a row is there', 'Save as Concept');
    await answer(page, ['What the project is called', 'Shop'], ['Save as concept of Shop']);
    // The extension hears of it a moment after it is seen.
    await expect.poll(async () => (await code.host('cursor'))?.file).toContain('orders.rulelang');
    await press('Ask why a row is there', 'Run Concept');
    const results = ours();
    await results.locator('[role=gridcell]', { hasText: 'Bob' }).click();
    await picture('run');
    await page.keyboard.press('e');
    await results.locator('.item', { hasText: 'orders_source(2,"Bob"' }).first().waitFor();
    await picture('explain');
});

test('a change that the agent proposes is accepted', async () => {
    await code.host('closeAll');
    const model = await startModelServer();
    const configured = code.host('command', 'rulelang.configureModel');
    await pick(page, 'Configure a model', 'A server that speaks as OpenAI does');
    await answer(page, ['The address of the server', model.baseUrl], ['The name of the model', 'm-1'], ['The key, where the server', '']);
    expect(await configured).toBe('done');
    await code.host('command', 'rulelang.askAgent');
    const agent = ours();
    const rules = 'first(N) <- M = min(X), orders(X, _, _), N = M.\n@output("first").\n';
    const call = { name: 'create_concept', arguments: JSON.stringify({ concept_name: 'first', rulelang_code: rules }) };
    model.script({ calls: [call] }, { text: ['Done.'] });
    await agent.locator('.composer-field').fill('The first order of @orders');
    await agent.locator('.composer-field').press('Enter');
    await agent.locator('.proposal.waiting').getByRole('button', { name: 'Accept' }).click();
    await agent.locator('.told', { hasText: 'Done.' }).waitFor();
    await code.host('command', 'workbench.view.extension.rulelang');
    await page.locator('.pane-body [role=treeitem]', { hasText: 'first' }).first().waitFor();
    await model.stop();
    await code.host('command', 'workbench.view.explorer');
});

test('the sample is put where the user says, and opened', async () => {
    mkdirSync(join(code.workspace, 'place'));
    await press('Begin with a sample', 'Open Sample Workspace');
    const dialog = page.locator('.quick-input-widget', { hasText: 'Where is the folder' });
    // The dialog puts its folder into the box once it has listed it.
    await dialog.locator('.quick-input-list .monaco-list-row', { hasText: 'place' }).waitFor();
    await dialog.locator('input.input').fill(`${home}/`);
    await dialog.getByRole('button', { name: 'Put It Here' }).click();
    await expect.poll(() => existsSync(join(home, 'rulelang-sample', 'data', 'ownership.csv'))).toBe(true);
    await expect.poll(() => page.title()).toContain('rulelang-sample');
});
