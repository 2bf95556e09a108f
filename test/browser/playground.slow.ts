import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type FrameLocator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { pasteText } from '../support/paste-text.ts';
import { serveFolder } from './static-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'dist/playground-page');
const pictures = process.env.PICTURES ?? fs.mkdtempSync(join(tmpdir(), 'rulelang-pictures-'));
const SECONDS = { timeout: 120_000 };
const LARGEST = 1.5e6;
/** As the menu calls it. */
const EMPTY = 'An empty program';

let served: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;
let context: BrowserContext;
/** What pages say on their consoles, and what they ask of others than their own folder. */
const said: string[] = [];
const elsewhere: string[] = [];

beforeAll(async () => {
    execFileSync(process.execPath, ['scripts/playground.mjs', FOLDER], { cwd: ROOT, stdio: 'inherit' });
    served = await serveFolder(FOLDER);
    browser = await chromium.launch(CHROMIUM);
    context = await browser.newContext({
        viewport: { width: 1280, height: 720 },
        permissions: ['clipboard-read', 'clipboard-write'],
        reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(120_000);
    context.on('page', made => {
        made.on('console', message => said.push(message.text()));
        made.on('pageerror', error => said.push(error.message));
    });
    context.on('request', request => {
        const url = request.url();
        if (!url.startsWith(served.address) && !url.startsWith('blob:')) elsewhere.push(url);
    });
});
afterAll(async () => {
    await browser?.close();
    served?.server.close();
    fs.rmSync(FOLDER, { recursive: true, force: true });
    if (filesFolder !== undefined) fs.rmSync(filesFolder, { recursive: true, force: true });
});

let page: Page;
let rows: FrameLocator;

async function opened(end = ''): Promise<void> {
    page = await context.newPage();
    rows = page.frameLocator('iframe[title="Results"]');
    await page.goto(served.address + end);
    await page.locator('.cm-content').waitFor();
    await rows.getByText('Not run yet').waitFor();
}
const close = () => page.close();
const text = async (): Promise<string> => (await page.locator('.cm-line').allTextContents()).join('\n');
const file = (name: string) => page.getByRole('tab', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const cell = (value: string) => rows.getByRole('gridcell', { name: value, exact: true });
const output = (name: RegExp) => rows.getByRole('tab', { name });
const run = () => page.keyboard.press('Control+Enter');
const status = () => page.locator('.playground-bar').getByRole('status');

async function picture(name: string): Promise<void> {
    await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.screenshot({ path: join(pictures, `${name}.png`), caret: 'initial' });
}

/** Puts a text in the place of all that is in the editor. */
async function write(written: string): Promise<void> {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+A');
    await pasteText(page.locator('.cm-content'), written);
}

async function choose(name: string): Promise<void> {
    await button('Programs').click();
    await page.getByRole('menuitem', { name }).click();
    await file(`${name === EMPTY ? 'program' : name}.rulelang`).waitFor();
    await rows.getByText('Not run yet').waitFor();
}

/** Drops files on the page, as from a folder of its reader. */
async function drop(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    const given = Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]);
    await page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
        for (const [name, content] of ${JSON.stringify(given)}) dataTransfer.items.add(new File([bytes(content)], name));
        for (const kind of ['dragover', 'drop'])
            document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
}

/** Writes files of two kinds, and reads them. */
const VALUES = `p(1, 2.5, "a", #T, 2020-02-03, [1, 2]).
p(-9007199254740993, 0.1, "tschüß", #F, 1900-01-01, []).
`;
const WRITES_FILES = `${VALUES}s(1, S) <- p(_, _, S, _, _, _).
@output("p").
@bind("p", "parquet compression='zstd'", "", "all.parquet").
@output("s").
@bind("s", "excel useHeaders=true", "", "some.xlsx").
`;
const READS_FILES = `@bind("q", "parquet", "", "all.parquet").
@bind("t", "excel useHeaders=true", "", "some.xlsx").
all(A, B, C, D, E, F) <- q(A, B, C, D, E, F).
both(C) <- q(_, _, C, _, _, _), t(_, C).
@output("all").
@output("both").
`;
let filesFolder: string | undefined;

/** A folder with the files that a program on the command line has written. */
function withFiles(): string {
    if (filesFolder !== undefined) return filesFolder;
    filesFolder = fs.mkdtempSync(join(tmpdir(), 'rulelang-playground-'));
    fs.writeFileSync(join(filesFolder, 'write.rulelang'), WRITES_FILES);
    rulelang(filesFolder, ['run', 'write.rulelang']);
    return filesFolder;
}
const written = (name: string): Buffer => fs.readFileSync(join(withFiles(), name));
const rulelang = (cwd: string, args: readonly string[]): string =>
    execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** The rows of an output as the command line writes them. */
function inNode(program: string, name: string): string {
    const folder = withFiles();
    fs.writeFileSync(join(folder, 'read.rulelang'), program);
    return rulelang(folder, ['run', 'read.rulelang', '--output', name, '--format', 'csv']);
}

/** The rows that are shown, as a file. */
async function exported(): Promise<string> {
    const saved = page.waitForEvent('download');
    await rows.getByRole('button', { name: 'Export' }).click();
    await rows.getByRole('menuitem', { name: 'CSV', exact: true }).click();
    return fs.readFileSync(await (await saved).path(), 'utf8');
}

test('the scripts are small enough for a page', () => {
    // What answers SQL is loaded for programs that ask it.
    const scripts = fs.readdirSync(FOLDER).filter(name => name.endsWith('.js') && !name.startsWith('duckdb-'));
    const sizes = scripts.map(name => gzipSync(fs.readFileSync(join(FOLDER, name)), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(LARGEST);
});

describe('the first program', () => {
    beforeAll(() => opened());
    afterAll(close);

    test('leads from rows to an explanation and to a change', async () => {
        const steps = page.locator('.first-steps li');
        await run();
        await cell('Finn').click();
        await page.keyboard.press('e');
        await rows.getByRole('region', { name: 'In plain words' }).getByText('Cleo tells Eva everything').waitFor();
        await expect.poll(() => steps.locator('.step-done').count(), SECONDS).toBe(2);
        await rows.getByText('1 contribution').click();
        await rows.getByRole('treeitem').getByText('tells("Eva","Finn")').waitFor();
        await picture('playground-explained');
        expect(await accessibilityFaults(rows.locator('body'))).toEqual([]);
        // Nobody is away any more.
        await file('away.csv').click();
        await write('person\n');
        await rows.getByText('The text has changed since').waitFor();
        await run();
        await cell('Hana').waitFor();
        await output(/^unaware/u).click();
        await rows.getByText('No rows').waitFor();
        await expect.poll(() => steps.locator('.step-done').count(), SECONDS).toBe(3);
        expect(await accessibilityFaults(page.locator('body'))).toEqual([]);
    });

    test('a row that is missing is asked for', async () => {
        await output(/^hears/u).click();
        await cell('Ada').click();
        await page.keyboard.press('m');
        await page.getByLabel('Fact').fill('hears("Zoe", _)');
        await picture('playground-missing');
        await button('Ask').click();
        await rows.getByRole('heading', { name: 'Why it is missing' }).waitFor();
        await rows.getByRole('tree').getByText('tells').first().waitFor();
    });

    test('the graph leads to definitions', async () => {
        await page.getByRole('tab', { name: 'Dependencies' }).click();
        const graph = page.frameLocator('iframe[title="Dependencies"]');
        const node = graph.getByRole('button', { name: /^unaware/u });
        await node.waitFor();
        await picture('playground-graph');
        expect(await accessibilityFaults(graph.locator('body'))).toEqual([]);
        await node.click();
        await file('news.rulelang').and(page.locator('[aria-selected="true"]')).waitFor();
        await page.locator('.cm-activeLine', { hasText: 'unaware(P) <-' }).waitFor();
    });

    test('keys go round the page', async () => {
        await page.getByRole('tab', { name: 'Rows' }).click();
        await page.keyboard.press('F6');
        await expect.poll(() => page.evaluate('document.activeElement.tagName'), SECONDS).toBe('DIV');
        await page.keyboard.press('F6');
        await expect.poll(() => page.evaluate('document.activeElement.title'), SECONDS).toBe('Results');
        await page.keyboard.press('F6');
        await expect.poll(() => page.evaluate('document.activeElement.tagName'), SECONDS).toBe('DIV');
    });
});

describe('programs and files', () => {
    beforeAll(() => opened());
    afterAll(close);

    test('a sample includes modules, another one writes a file', async () => {
        await choose('access');
        await file('roles.rulelang').waitFor();
        await run();
        await output(/^approves/u).waitFor();
        await choose('parts');
        await run();
        await file('purchase.csv').click();
        await expect.poll(text, SECONDS).toMatch(/^supplier,part,pieces,amount\n/u);
        await rows.getByRole('button', { name: 'Change' }).click();
        await rows.getByLabel('part', { exact: true }).fill('Axle');
        await rows.getByRole('button', { name: 'Run', exact: true }).click();
        await rows.locator('.parameter.given', { hasText: 'Axle' }).waitFor({ state: 'attached' });
    });

    test('a problem is told before and after a run, with its place', async () => {
        await choose(EMPTY);
        await write('p(X) <- q(X), X > Y.\nq(1).\n@output("p").\n');
        await page.locator('.problem', { hasText: "'Y' is used here but never bound" }).waitFor();
        await run();
        await rows.getByText("'Y' is used here but never bound").waitFor();
        await write('@bind("q", "csv", "", "none.csv").\np(X) <- q(X).\n@output("p").\n');
        await run();
        await rows.getByRole('alert').getByText('none.csv').first().waitFor();
        await picture('playground-failed');
    });

    test('data that is dropped is read, and what a page cannot read is refused', async () => {
        await choose(EMPTY);
        await drop({ 'towns.csv': 'name,people\nRome,2800000\nPisa,90000\n' });
        await file('towns.csv').waitFor();
        await picture('playground-dropped');
        await button('Insert a @bind that reads it').click();
        await expect.poll(text, SECONDS).toContain('@bind("towns", "csv useHeaders=true", "", "towns.csv").');
        expect(await text()).toContain(`@model("towns", "['name:string', 'people:int']").`);
        await page.keyboard.press('Control+End');
        await pasteText(page.locator('.cm-content'), '@output("large").\nlarge(N) <- towns(N, P), P > 100000.\n');
        await run();
        await cell('Rome').waitFor();
        const saved = page.waitForEvent('download');
        await rows.getByRole('button', { name: 'Export' }).click();
        await rows.getByRole('menuitem', { name: 'CSV', exact: true }).click();
        const path = await (await saved).path();
        expect(fs.readFileSync(path, 'utf8')).toBe('N\nRome\n');
        await button('New file').click();
        await page.getByLabel('Name').fill('towns.csv');
        await page.getByRole('dialog').getByText('There is a file of this name').waitFor();
        await page.getByLabel('Name').fill('more/rivers.csv');
        await button('Create').click();
        await file('rivers.csv').and(page.locator('[aria-selected="true"]')).waitFor();
        await drop({ 'rows.sqlite': 'SQLite' });
        await page.getByRole('dialog').getByText("cannot read 'rows.sqlite'").waitFor();
        await button('Close').first().click();
    });

    test('rows of Parquet files are those of the command line, and stay with a workbook over a reload', async () => {
        await choose(EMPTY);
        await drop({ 'all.parquet': written('all.parquet'), 'some.xlsx': written('some.xlsx') });
        await file('all.parquet').waitFor();
        await file('program.rulelang').click();
        await write(READS_FILES);
        await run();
        await expect.poll(() => output(/^all/u).count(), SECONDS).toBe(1);
        expect(await exported()).toBe(inNode(READS_FILES, 'all'));
        await page.reload();
        await expect.poll(text, SECONDS).toBe(READS_FILES);
        await run();
        await output(/^both/u).click();
        expect(await exported()).toBe(inNode(READS_FILES, 'both'));
    });

    test('a link has the program and its data', async () => {
        await choose('news');
        await write('@output("p").\np(1).\n');
        await button('Share').click();
        await status().filter({ hasText: 'The link is copied.' }).waitFor();
        const link = await page.evaluate<string>('navigator.clipboard.readText()');
        expect(link).toBe(page.url());
        await close();
        await opened(link.slice(served.address.length));
        await expect.poll(text, SECONDS).toBe('@output("p").\np(1).\n');
        await file('tells.csv').waitFor();
        await run();
        await cell('1').waitFor();
        await write('@output("p").\np(2).\n');
        await page.reload();
        await expect.poll(text, SECONDS).toBe('@output("p").\np(2).\n');
        await page.goto(`${served.address}#code=nothing`);
        await page.getByRole('dialog').getByText('The link cannot be read').waitFor();
    });
});

test('programs of the documentation open in the page', async () => {
    await opened();
    await page.getByRole('link', { name: 'Tutorial' }).click();
    await page.getByRole('link', { name: 'Open in the playground' }).first().click();
    await expect.poll(text, SECONDS).toContain('peers(X, Y) <-');
    await run();
    await rows.getByRole('grid').waitFor();
    await close();
});

const ASKS_SQL = `edge("oslo", "rome"). edge("oslo", "pisa"). edge("rome", "pisa").
far(X, N) <- SELECT edge_0, COUNT(*) FROM edge GROUP BY edge_0.
@output("far").
`;

test('the page needs no network after its first visit, and asks nobody else', async () => {
    await opened();
    await page.waitForFunction('navigator.serviceWorker.controller !== null');
    const loaded: string[] = [];
    context.on('request', request => loaded.push(request.url()));
    await run();
    await cell('Finn').waitFor();
    expect(loaded.filter(url => url.includes('duckdb'))).toEqual([]);
    // The database for SQL comes with the first program that asks it, and stays.
    const first = await text();
    await write(ASKS_SQL);
    await run();
    await cell('oslo').waitFor();
    expect(await exported()).toBe(inNode(ASKS_SQL, 'far'));
    expect(loaded.filter(url => url.endsWith('.wasm'))).not.toEqual([]);
    const { server } = served;
    server.close();
    server.closeAllConnections();
    await page.reload();
    await page.locator('.cm-content').waitFor();
    await rows.getByText('Not run yet').waitFor();
    await run();
    await cell('oslo').waitFor();
    await write(first);
    await run();
    await cell('Finn').click();
    await rows.getByRole('button', { name: 'Explain the row (E)' }).click();
    await rows.getByRole('region', { name: 'In plain words' }).getByText('Cleo tells Eva everything').waitFor();
    await close();
    expect(elsewhere).toEqual([]);
    expect(said).toEqual([]);
});
