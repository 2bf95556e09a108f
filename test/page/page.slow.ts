import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { textsOfDrawing } from '../support/svg-files.ts';

/** `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/page` takes them anew; the pages of the documentation show two. */
const pictures = process.env.PICTURES ?? fs.mkdtempSync(join(tmpdir(), 'rulelang-pictures-'));
const profile = fs.mkdtempSync(join(tmpdir(), 'rulelang-profile-'));
const LAUNCH = {
    ...CHROMIUM,
    viewport: { width: 1100, height: 640 },
    reducedMotion: 'reduce',
} as const;
const HOSTILE = '<img src="http://127.0.0.1:9/leak" onerror="window.hacked=1"><script>window.hacked=1</script>';
const ROWS = 5000;
/** Milliseconds between two looks of the page at what runs, at most. */
const LONGEST_PACE = 10_000;

/** What a page of another origin may try: it tells what it could read, and whether it still holds the window it opened. */
const FOREIGN_SCRIPT = `async (base, opened) => {
    const outcome = promise => promise.then(() => 'read', () => 'refused');
    const read = await outcome(fetch(base + '/'));
    const script = await new Promise(resolve => {
        const made = document.createElement('script');
        made.onload = () => resolve('read');
        made.onerror = () => resolve('refused');
        made.src = base + '/page.js';
        document.head.append(made);
    });
    const api = (await fetch(base + '/api/v1/projects/list')).status;
    const frame = document.createElement('iframe');
    frame.src = opened;
    document.body.append(frame);
    await new Promise(resolve => { frame.onload = resolve; });
    const framed = await outcome((async () => frame.contentWindow.document.body.innerHTML)());
    const held = window.open(opened);
    while (held !== null && !held.closed) await new Promise(resolve => setTimeout(resolve, 50));
    return { read, script, api, framed, held: held !== null && !held.closed };
}`;

let services: Services;
let browser: BrowserContext;
let page: Page;
let token: string;
const requested: string[] = [];
const said: string[] = [];
const { post, get, data } = callsTo(() => services);

async function save(projectId: string, definition: string, more: object = {}): Promise<void> {
    await data(post(`/concepts/${projectId}/save`, { definition, ...more }));
}

async function address(...more: readonly string[]): Promise<string> {
    return (await rulelang(services.folder, ['open', '--print', '--data-dir', services.data, ...more])).stdout.trim();
}

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'cities', name: 'Cities', description: 'Where people live' } }));
    await data(post('/projects/save', { project: { id: 'shared', name: 'Shared terms', scope: 'organization' } }));
    await data(post('/projects/save', { project: { id: 'odd', name: HOSTILE, description: HOSTILE } }));
    const towns = Array.from({ length: ROWS }, (_, i) => `town("Town ${i}", ${(i * 7919) % 100_003}, ${i % 2 === 0 ? '#T' : '#F'}).`);
    await save('cities', `${towns.join('\n')}\n@model("town", "['name:string', 'people:int', 'coast:boolean']").\n@output("town").`);
    await save('cities', '@param("least", 90000).\n% Large towns.\nlarge(N, P) :- town(N, P, _), P > ?least.', {
        description: 'Towns that are large',
    });
    await save('cities', 'mayor(N, M) :- large(N, _).');
    await save('cities', 'never(N) :- large(N, 1).');
    await save('cities', 'SELECT name FROM town', { concept_type: 'sql', concept_name: 'names' });
    for (const concept of ['mayor', 'never']) await data(post(`/concepts/cities/run/${concept}`, {}));
    await data(post('/concepts/cities/run/town', {}));
    await data(post('/concepts/cities/run/large', {}));
    await save('cities', '@param("least", 90000).\n% Large towns.\nlarge(N, P) :- town(N, P, _), P >= ?least.');
    await data(post('/dashboards/cities/save', { dashboard: { name: 'Overview', definition: {} } }));
    await save(
        'odd',
        `odd(${JSON.stringify(HOSTILE)}, "a\\nb", "").\nodd(${JSON.stringify('long '.repeat(200))}, "=1+1", "c").\n@output("odd").`,
    );
    await data(post('/concepts/odd/run/odd', {}));

    browser = await chromium.launchPersistentContext(profile, LAUNCH);
    await browser.grantPermissions(['clipboard-read', 'clipboard-write']);
    page = browser.pages()[0] ?? (await browser.newPage());
    page.setDefaultTimeout(120_000);
    page.on('request', request => requested.push(request.url()));
    page.on('console', message => said.push(message.text()));
    page.on('pageerror', error => said.push(error.message));
    const opened = await address();
    token = opened.split('=')[1] ?? '';
    await page.goto(opened);
});
afterAll(async () => {
    await browser?.close();
    await services?.stop();
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});

const project = (name: string) => page.locator('.project', { hasText: name });
const concept = (name: string) => page.locator('.concepts .link', { hasText: new RegExp(`^${name}$`, 'u') });
const cells = (column: number) => page.locator(`.cell[data-place="${column}"]`);

async function openConcept(of: string, name: string): Promise<void> {
    await project(of).first().click();
    await concept(name).click();
    await page.locator('.crumbs .value', { hasText: name }).waitFor();
}

async function picture(name: string): Promise<void> {
    await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    expect(fs.statSync(join(pictures, `${name}.png`)).size).toBeGreaterThan(5_000);
}

describe('what is seen', () => {
    test('projects of both scopes, concepts with their state, dashboards', async () => {
        await project('Cities').click();
        await concept('town').waitFor();
        expect(await page.locator('.project').allTextContents()).toEqual(['Cities5', `${HOSTILE}1`, 'Shared terms0']);
        expect(await page.locator('.projects h2').allTextContents()).toEqual(['Projects', 'Projects of the organization']);
        // A row that is replaced at that moment has its text without the marks between cells.
        const rows = async (): Promise<string[][]> =>
            (await page.locator('.concepts tbody tr').allInnerTexts()).map(text => text.split('\t').slice(0, 4));
        await expect.poll(rows).toEqual([
            ['town', 'logic', '5,000', 'Up to date'],
            ['large\nTowns that are large\n', 'logic', expect.stringMatching(/^\d+$/u), 'Stale'],
            ['mayor', 'logic', expect.stringMatching(/^\d+$/u), 'Up to date'],
            ['never', 'logic', '0', 'Up to date'],
            ['names', 'sql', '—', 'No rows'],
        ]);
        expect(await page.locator('.dashboards li').allTextContents()).toEqual(['Overview']);
        expect(await page.getByRole('status').first().textContent()).toBe('Nothing runs');
    });

    test('what runs, and that it has ended', async () => {
        const status = page.getByRole('status').first();
        const running = post('/rulelang/evaluate', { program: 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. @output("n").' });
        await status.filter({ hasText: 'A program runs' }).waitFor();
        await get('/rulelang/stop');
        expect((await running).body.code).toBe('evaluation_stopped');
        await status.filter({ hasText: 'Nothing runs' }).waitFor();
    });

    test('stored rows, page by page and sorted by the service', async () => {
        await openConcept('Cities', 'town');
        await cells(0).first().waitFor();
        expect(await page.locator('.status').textContent()).toBe('5,000 rows');
        expect(await page.locator('.header').allInnerTexts()).toEqual([
            expect.stringContaining('name'),
            expect.stringContaining('people'),
            expect.stringContaining('coast'),
        ]);
        await page.keyboard.press('Escape');
        await cells(0).first().click();
        await page.keyboard.press('Control+End');
        await page
            .locator(`.row[aria-rowindex="${ROWS + 1}"] .cell`)
            .first()
            .waitFor();
        const offsets = requested.filter(url => url.includes('/rows?')).map(url => new URL(url).searchParams.get('offset'));
        expect(offsets).toContain('4800');
        expect(offsets.length).toBeLessThan(10);
        await page.locator('.header').nth(1).click();
        await page.locator('.header[aria-sort="ascending"]').waitFor();
        await expect.poll(() => cells(1).first().textContent()).toBe('0');
        await page.locator('.header').nth(1).click();
        const largest = Math.max(...Array.from({ length: ROWS }, (_, i) => (i * 7919) % 100_003));
        await expect.poll(() => cells(1).first().textContent()).toBe(String(largest));
        expect(requested.filter(url => url.includes('/rows?')).at(-1)).toContain('order_by=1%3Adesc');
        await page.locator('.header').nth(1).click();
        await page.locator('.header[aria-sort="descending"]').waitFor({ state: 'detached' });
    });

    test('the keyboard moves, copies and opens cells', async () => {
        await openConcept('Cities', 'town');
        await cells(0).first().click();
        await page.keyboard.press('Shift+ArrowDown');
        await page.keyboard.press('Shift+ArrowRight');
        await page.keyboard.press('Control+c');
        await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^Town 0\t0\nTown 1\t7919$/u);
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    test('rows that are filtered and searched by the service', async () => {
        await openConcept('Cities', 'town');
        await cells(0).first().click();
        await page.keyboard.press('f');
        await page.keyboard.type('town 4');
        const status = page.locator('.status');
        await status.filter({ hasText: '1,111 of 5,000 rows' }).waitFor();
        await page.getByLabel('Filter people').fill('<1000');
        const few = Array.from({ length: ROWS }, (_, i) => i).filter(i => String(i).startsWith('4') && (i * 7919) % 100_003 < 1000);
        await status.filter({ hasText: `${few.length} of 5,000 rows` }).waitFor();
        await page.locator('.header').nth(1).click();
        const least = Math.min(...few.map(i => (i * 7919) % 100_003));
        await expect.poll(() => cells(1).first().textContent()).toBe(String(least));
        // What was chosen stays while the page is open.
        await project('Cities').click();
        await concept('town').click();
        await status.filter({ hasText: `${few.length} of 5,000 rows` }).waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('nowhere');
        await page.getByRole('heading', { name: 'No rows match' }).waitFor();
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await status.filter({ hasText: '5,000 rows' }).waitFor();
        expect(await page.getByLabel('Search all columns').inputValue()).toBe('');
        await page.locator('.header').nth(1).click();
        await page.locator('.header').nth(1).click();
        await page.keyboard.press('f');
        await page.locator('.filters').waitFor({ state: 'hidden' });
    });

    test('stored rows are written to files, as they are sorted and filtered', async () => {
        await openConcept('Cities', 'town');
        await cells(0).first().click();
        await page.keyboard.press('f');
        await page.getByLabel('Filter people').fill('<1000');
        const numbers = Array.from({ length: ROWS }, (_, i) => (i * 7919) % 100_003).filter(people => people < 1000);
        await page.locator('.status', { hasText: `${numbers.length} of 5,000 rows` }).waitFor();
        await page.locator('.header').nth(1).click();
        await page.locator('.header[aria-sort="ascending"]').waitFor();
        const asked = page.getByRole('button', { name: 'Export', exact: true });
        const exported = async (entry: string): Promise<readonly [name: string, content: Buffer]> => {
            await asked.click();
            const download = page.waitForEvent('download');
            await page.getByRole('menuitem', { name: entry, exact: true }).click();
            const file = await download;
            await page.locator('.export-line', { hasText: `town: ${numbers.length} rows written` }).waitFor();
            await page.locator('.export-line').getByRole('button', { name: 'Close' }).click();
            return [file.suggestedFilename(), fs.readFileSync(await file.path())];
        };
        const [csv, lines] = await exported('CSV');
        const [head, ...written] = lines.toString().trimEnd().split('\n');
        expect([csv, head]).toEqual(['town.csv', 'name,people,coast']);
        expect(written.map(line => Number(line.split(',')[1]))).toEqual(numbers.toSorted((a, b) => a - b));
        const [json, object] = await exported('JSON');
        expect([json, JSON.parse(object.toString()).resultSet.town.length]).toEqual(['town.json', numbers.length]);
        const [workbook, bytes] = await exported('Excel workbook');
        expect([workbook, bytes.subarray(0, 2).toString()]).toEqual(['town.xlsx', 'PK']);
        await asked.click();
        expect(await page.getByRole('menuitem').allInnerTexts()).not.toContain('Parquet');
        await page.keyboard.press('Escape');
        await page.getByLabel('Filter people').fill('');
        await page.locator('.header').nth(1).click();
        await page.locator('.header').nth(1).click();
        await page.locator('.status', { hasText: /^5,000 rows$/u }).waitFor();
        await cells(0).first().click();
        await page.keyboard.press('f');
        await page.locator('.filters').waitFor({ state: 'hidden' });
    });

    test('an export is stopped while its rows are read', async () => {
        const isSecond = (url: URL): boolean => url.pathname.endsWith('/rows') && url.searchParams.get('offset') === '1000';
        await openConcept('Cities', 'town');
        await cells(0).first().waitFor();
        await page.route(isSecond, () => undefined);
        await page.getByRole('button', { name: 'Export', exact: true }).click();
        await page.getByRole('menuitem', { name: 'CSV', exact: true }).click();
        const line = page.locator('.export-line', { hasText: 'town: 1,000 of 5,000 rows read' });
        await line.waitFor();
        // It goes on while other things are looked at.
        await openConcept('Cities', 'large');
        await line.getByRole('button', { name: 'Stop' }).click();
        await line.waitFor({ state: 'detached' });
        await page.unroute(isSecond);
    });

    test('the columns of a concept that has no rows, with the types that its definition tells', async () => {
        await save('cities', 'fresh(N, L) :- town(N, P, _), L = P / 2.');
        await project('Cities').click();
        await concept('fresh').click();
        await page.getByRole('heading', { name: 'No rows are stored' }).waitFor();
        expect(await page.getByRole('list', { name: 'Columns' }).getByRole('listitem').allInnerTexts()).toEqual(['N\nstring', 'L\ndouble']);
        await data(post('/concepts/cities/cleanup', { concept_names: ['fresh'] }));
    });

    test('a chart says that it waits for its rows', async () => {
        const isPoints = (url: URL): boolean => url.pathname.endsWith('/rows') && url.searchParams.get('limit') === '1000';
        let go = (): void => undefined;
        const held = new Promise<void>(resolve => {
            go = resolve;
        });
        await openConcept('Cities', 'town');
        await cells(0).first().click();
        await page.route(isPoints, async route => {
            await held;
            await route.continue();
        });
        await page.keyboard.press('c');
        const said = page.locator('.chart-bar [role="status"]');
        await said.filter({ hasText: 'Loading' }).waitFor();
        go();
        await said.filter({ hasText: /rows/u }).waitFor();
        await page.unroute(isPoints);
        await page.keyboard.press('c');
        await cells(0).first().waitFor();
    });

    test('why a row is there, in the tree of the extension', async () => {
        await openConcept('Cities', 'large');
        await cells(0).first().click();
        const name = await cells(0).first().textContent();
        await page.keyboard.press('e');
        const pane = page.locator('.explanation');
        await pane.locator('.rule').first().waitFor();
        // The rows were made by an older definition, and are explained by it.
        expect(await pane.locator('.rule').first().textContent()).toBe('large(N,P) <- town(N,P,_), P>?least');
        expect(await pane.locator('.words').innerText()).toContain(`${name}`);
        const premise = pane.getByRole('treeitem', { level: 2 }).first();
        expect(await premise.locator('.place').textContent()).toBe('town');
        await premise.focus();
        await page.keyboard.press('ArrowRight');
        const place = premise.locator('.rule-line .place');
        expect(await place.textContent()).toMatch(/^town:\d+$/u);
        const line = Number((await place.textContent())?.split(':')[1]);
        await place.click();
        const marked = page.locator('.marked-line');
        expect(await marked.textContent()).toContain(`town("${name}",`);
        expect(line).toBe(Number(name?.split(' ')[1]) + 1);
        await marked.and(page.locator(':visible')).waitFor();
        await openConcept('Cities', 'large');
        await cells(0).first().waitFor();
        await page.getByRole('button', { name: 'Explain the row (E)' }).click();
        await pane.locator('.rule').first().waitFor();
        await page.keyboard.press('Escape');
        await pane.waitFor({ state: 'hidden' });
        expect(await page.evaluate("document.activeElement.closest('.grid') !== null")).toBe(true);
    });

    test('pictures of a chart and of an explanation are downloaded, and copied', async () => {
        const saved = async (within: string, entry: string): Promise<readonly [name: string, content: Buffer]> => {
            await page.locator(within).getByRole('button', { name: 'Save as a picture' }).click();
            const download = page.waitForEvent('download');
            await page.getByRole('menuitem', { name: entry }).click();
            const file = await download;
            return [file.suggestedFilename(), fs.readFileSync(await file.path())];
        };
        await openConcept('Cities', 'large');
        await cells(0).first().click();
        await page.keyboard.press('e');
        await page.locator('.explanation .rule').first().waitFor();
        const [explained, explanation] = await saved('.explanation', 'Save as SVG');
        expect(explained).toBe('explanation.svg');
        expect(textsOfDrawing(String(explanation))).toEqual(
            expect.arrayContaining(['Explanation', expect.stringMatching(/^large\(N,P\) <- town/u), 'rests on']),
        );
        await page.keyboard.press('Escape');
        await page.keyboard.press('c');
        await page.locator('.chart-canvas canvas').waitFor();
        const [name, png] = await saved('.chart', 'Save as PNG');
        expect([name, png.subarray(1, 4).toString(), png.readUInt32BE(16)]).toEqual(['large.png', 'PNG', 1920]);
        const [, svg] = await saved('.chart', 'Save as SVG');
        expect(textsOfDrawing(String(svg))).toEqual(expect.arrayContaining(['Bar chart of large', 'sum of P']));
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.locator('.chart').getByRole('button', { name: 'Save as a picture' }).click();
        await page.getByRole('menuitem', { name: 'Copy as a picture' }).click();
        await page.locator('.chart-bar', { hasText: 'The picture is in the clipboard' }).waitFor();
        await page.keyboard.press('c');
    });

    test('why a row is missing, and why there are none', async () => {
        await openConcept('Cities', 'large');
        await cells(0).first().click();
        await page.keyboard.press('m');
        const sheet = page.getByRole('dialog', { name: 'Which row is missing?' });
        await sheet.getByLabel('P', { exact: true }).fill('many');
        await page.keyboard.press('Enter');
        await sheet.locator('input:invalid').waitFor();
        await sheet.getByLabel('P', { exact: true }).fill('');
        await sheet.getByLabel('N', { exact: true }).fill('Town 1');
        await page.keyboard.press('Enter');
        const pane = page.locator('.explanation');
        await pane.getByRole('heading', { name: 'Why it is missing' }).waitFor();
        await pane.locator('.item.lack', { hasText: 'P > ?least does not hold: P is 7919' }).waitFor();
        expect(await pane.locator('.words .first').textContent()).toContain('P > ?least does not hold');
        await pane.locator('.words .place').first().click();
        await page.locator('.marked-line:visible', { hasText: 'large(N, P)' }).waitFor();
        await openConcept('Cities', 'large');
        await page.getByRole('button', { name: 'Why is a row missing? (M)' }).click();
        await sheet.waitFor();
        await page.keyboard.press('Escape');
        await sheet.waitFor({ state: 'detached' });
        await openConcept('Cities', 'never');
        await page.getByRole('button', { name: 'Why is this empty?' }).click();
        await pane.getByRole('heading', { name: 'Why it is empty' }).waitFor();
        await pane.locator('.item.lack', { hasText: 'no fact joins large(N, 1)' }).or(pane.locator('.item.lack')).first().waitFor();
        await page.keyboard.press('Escape');
    });

    test('the last runs, and why one failed', async () => {
        await save('cities', '@input("lost"). @bind("lost", "csv", ".", "lost.csv"). broken(X) :- lost(X).');
        await post('/concepts/cities/run/broken', {});
        await project('Cities').click();
        const runs = page.locator('.runs tbody tr');
        await runs.first().filter({ hasText: 'broken' }).waitFor();
        expect(await runs.first().locator('.run-state').textContent()).toBe('Failed');
        expect(await page.locator('.run-error').first().textContent()).toContain('lost.csv');
        expect((await runs.allInnerTexts()).map(text => text.split('\t')[0]).slice(2)).toEqual(['large', 'town', 'never', 'mayor']);
        await runs.nth(2).locator('.link').click();
        await page.getByRole('tab', { name: 'Runs' }).click();
        expect((await runs.allInnerTexts()).map(text => text.split('\t')[0])).toEqual(['large']);
        await data(post('/concepts/cities/cleanup', { concept_names: ['broken'] }));
    });

    test('a run is seen while it lasts and when it has ended', async () => {
        await project('Cities').click();
        await save('cities', 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. endless(X) :- n(X). @output("endless").');
        const asked = post('/concepts/cities/run/endless', {});
        const first = page.locator('.runs tbody tr').first();
        await first.filter({ hasText: 'endless' }).locator('.run-state.running').waitFor();
        await project('Cities').locator('.running-mark').waitFor();
        const status = page.getByRole('status').first();
        await status.filter({ hasText: 'endless runs' }).waitFor();
        await expect.poll(() => first.locator('.so-far').textContent()).toMatch(/^(?:[2-9]|\d\d)/u);
        await get('/rulelang/stop');
        expect((await asked).body.code).toBe('evaluation_stopped');
        await first.filter({ hasText: 'Stopped' }).waitFor();
        await project('Cities').locator('.running-mark').waitFor({ state: 'detached' });
        await data(post('/concepts/cities/cleanup', { concept_names: ['endless'] }));
    });

    test('rows that a later run has replaced', async () => {
        await save('cities', 'brief(1). @output("brief").');
        await data(post('/concepts/cities/run/brief', {}));
        await page.getByRole('button', { name: 'Refresh' }).click();
        await openConcept('Cities', 'brief');
        await cells(0).first().waitFor();
        await save('cities', 'brief(1). brief(2). @output("brief").');
        await data(post('/concepts/cities/run/brief', {}));
        await page.locator('.header').first().click();
        await page.locator('.status').filter({ hasText: '2 rows' }).waitFor();
        await data(post('/concepts/cities/cleanup', { concept_names: ['brief'] }));
    });

    test('nulls, empty results and concepts without rows', async () => {
        await openConcept('Cities', 'mayor');
        expect(await cells(1).first().locator('.null-pill').textContent()).toMatch(/^z\d+$/u);
        await openConcept('Cities', 'never');
        await page.getByRole('heading', { name: 'No rows', exact: true }).waitFor();
        await openConcept('Cities', 'names');
        await page.getByRole('heading', { name: 'No rows are stored' }).waitFor();
    });

    test('the definition', async () => {
        await openConcept('Cities', 'large');
        await page.getByRole('tab', { name: 'Rows' }).focus();
        await page.keyboard.press('ArrowLeft');
        const text = await page.locator('.definition').innerText();
        expect(text).toContain('large(N, P) :- town(N, P, _), P >= ?least.');
        expect(text).toContain('Towns that are large');
        expect(text).toMatch(/Reads\s+town/u);
        expect(text).toMatch(/Parameters\s+least = 90000/u);
    });

    test('a project without concepts says so', async () => {
        await project('Shared').click();
        await page.getByRole('heading', { name: 'No concepts yet' }).waitFor();
    });
});

describe('what is not let in or out', () => {
    test('hostile text is text', async () => {
        await openConcept('<img', 'odd');
        await expect.poll(() => cells(0).first().textContent()).toContain('<img src=');
        expect(await cells(1).first().textContent()).toBe('a↵b');
        await cells(0).first().dblclick();
        await page.getByRole('dialog').locator('pre').filter({ hasText: '<script>' }).waitFor();
        await page.keyboard.press('Escape');
        await cells(0).nth(1).dblclick();
        await expect.poll(async () => (await page.getByRole('dialog').locator('pre').textContent())?.length).toBe(1000);
        await page.keyboard.press('Escape');
        await cells(0).first().click();
        await page.keyboard.press('e');
        await page.locator('.tree .fact').filter({ hasText: '<script>' }).first().waitFor();
        expect(await page.locator('.words').innerText()).toContain('<img src=');
        await page.getByRole('tab', { name: 'Definition' }).click();
        await page.locator('.definition pre').waitFor();
        expect(await page.locator('img, iframe').count()).toBe(0);
        expect(await page.evaluate("'hacked' in window")).toBe(false);
        expect(requested.filter(url => !url.replace(/^blob:/u, '').startsWith(services.base))).toEqual([]);
    });

    test('nothing was refused by the policy, and a script in the page would be', async () => {
        expect(said).toEqual([]);
        const refused = await page.evaluate(`(() => {
            const script = document.createElement('script');
            try {
                script.text = 'window.hacked = 1';
            } catch (error) {
                return String(error);
            }
            return 'taken';
        })()`);
        expect(refused).toContain('TrustedScript');
        said.length = 0;
    });

    test('the token is in the session of the tab, and nowhere else', async () => {
        expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/u);
        const kept = await page.evaluate(`(async () => ({
            address: location.href,
            referrer: document.referrer,
            state: JSON.stringify(history.state),
            local: JSON.stringify(localStorage),
            cookies: document.cookie,
            databases: (await indexedDB.databases()).length,
            caches: (await caches.keys()).length,
            html: document.documentElement.outerHTML,
        }))()`);
        expect(kept).toMatchObject({ state: 'null', local: '{}', cookies: '', databases: 0, caches: 0 });
        expect(page.url()).toMatch(/^http:\/\/[^/]+\/#\/concepts\/user\/odd\/odd$/u);
        expect(JSON.stringify(kept)).not.toContain(token.slice(-20));
        expect(services.log()).not.toContain(token.slice(-20));
        expect(requested.filter(url => url.includes(token.slice(-20)) && !url.endsWith(`#token=${token}`))).toEqual([]);
        expect(await page.evaluate('Object.entries(sessionStorage)')).toEqual([['rulelang.token', token]]);
        await page.goBack();
        expect(page.url()).not.toContain('token');
    });

    test('no request says where it comes from, and none carries the token but in its header', async () => {
        const heads: Record<string, string>[] = [];
        page.on('request', request => void request.allHeaders().then(found => heads.push(found)));
        await page.reload();
        await page.locator('.project').first().waitFor();
        await page.getByRole('button', { name: 'Refresh' }).click();
        await expect.poll(() => heads.length).toBeGreaterThan(8);
        for (const { authorization, ...others } of heads) {
            expect([undefined, `Bearer ${token}`]).toContain(authorization);
            expect(others.referer ?? '').toBe('');
            expect(JSON.stringify(others)).not.toContain(token.slice(-20));
        }
    });

    test('a reload leads to the same place without another token', async () => {
        await openConcept('Cities', 'large');
        expect(page.url()).toMatch(/#\/concepts\/user\/cities\/large$/u);
        await page.reload();
        await page.locator('.crumbs .value', { hasText: 'large' }).waitFor();
        await page.goBack();
        await concept('town').waitFor();
        expect(page.url()).toMatch(/#\/concepts\/user\/cities$/u);
        await page.goForward();
        await page.locator('.crumbs .value', { hasText: 'large' }).waitFor();
    });

    test('another tab has no part in the session; an address pasted there opens it', async () => {
        const other = await browser.newPage();
        await other.goto(page.url());
        await other.getByRole('heading', { name: 'This page needs a token' }).waitFor();
        const field = other.getByLabel('Or paste here what rulelang open --print prints');
        await field.fill('http://127.0.0.1/');
        await other.keyboard.press('Enter');
        await other.getByRole('alert').filter({ hasText: 'neither' }).waitFor();
        await field.fill(await address());
        await other.keyboard.press('Enter');
        await other.locator('.crumbs .value', { hasText: 'large' }).waitFor();
        expect(await other.evaluate('location.href + document.documentElement.outerHTML')).not.toMatch(/eyJ/u);
        await other.close();
    });

    test('a link that is followed at the moment when the page tells its place leads where it says', async () => {
        const other = await browser.newPage();
        await other.addInitScript(`{
            let isFollowed = false;
            Object.defineProperty(document, 'title', {
                get: () => '',
                set() {
                    if (isFollowed) return;
                    isFollowed = true;
                    [...document.querySelectorAll('.section')].at(-1).click();
                },
            });
        }`);
        await other.goto(await address());
        const last = await other.locator('.section').last().textContent();
        await expect.poll(() => other.locator('.section[aria-current]').textContent()).toBe(last);
        await other.close();
    });

    test('another token in the address is taken up without a reload', async () => {
        await page.goto(await address());
        await page.locator('.crumbs .value', { hasText: 'large' }).waitFor();
        await expect.poll(() => page.url()).toMatch(/#\/concepts\/user\/cities\/large$/u);
    });

    test.each([
        [[], 403, 'forbidden'],
        [['--edit'], 200, null],
    ] as const)('a page opened with %j may save: %i', async (more, status, code) => {
        const opened = await browser.newPage();
        await opened.goto(await address(...more));
        await opened.locator('.project').first().waitFor();
        const answer = await opened.evaluate(`fetch('api/v1/concepts/shared/save', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + sessionStorage.getItem('rulelang.token') },
            body: JSON.stringify({ scope: 'organization', definition: 'kept(1). @output("kept").' }),
        }).then(async answer => [answer.status, (await answer.json()).code ?? null])`);
        expect(answer).toEqual([status, code]);
        await opened.close();
        await post('/concepts/shared/cleanup', { scope: 'organization', concept_names: ['kept'] });
    });

    describe('a page of another origin', () => {
        let foreign: Server;
        let origin: string;

        beforeAll(async () => {
            foreign = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>foreign</title>'));
            await new Promise<void>(resolve => foreign.listen(0, '127.0.0.1', resolve));
            origin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
        });
        afterAll(() => foreign.close());

        test('can not read, frame or hold it', async () => {
            const stranger = await browser.newPage();
            await stranger.goto(origin);
            const found = await stranger.evaluate(
                `(${FOREIGN_SCRIPT})(${JSON.stringify(services.base)}, ${JSON.stringify(await address())})`,
            );
            expect(found).toEqual({ read: 'refused', script: 'refused', api: 401, framed: 'refused', held: false });
            expect(await stranger.frames()[1]?.locator('.project').count()).toBe(0);
            for (const other of browser.pages()) if (other !== page) await other.close();
        });
    });
});

describe('what goes wrong', () => {
    test('a token that is no longer good, and services that are gone', async () => {
        const viewer = await browser.newPage();
        await viewer.goto(`${services.base}/#token=a.b.c`);
        await viewer.getByRole('heading', { name: 'The token is no longer good' }).waitFor();
        expect(await viewer.evaluate('sessionStorage.length')).toBe(0);
        await viewer.goto(await address());
        await viewer.locator('.project').first().waitFor();
        await viewer.route('**/api/v1/**', route => route.abort());
        await viewer.getByRole('button', { name: 'Refresh' }).click();
        await viewer.getByRole('heading', { name: 'The services do not answer' }).waitFor();
        await viewer.unroute('**/api/v1/**');
        await viewer.getByRole('button', { name: 'Try again' }).click();
        await viewer.locator('.project').first().waitFor();
        await viewer.close();
    });
});

test('what is being read stays when it is not known any more what runs, and nothing is asked while nobody looks', async () => {
    const viewer = await browser.newPage();
    await viewer.clock.install();
    await viewer.goto(await address());
    await viewer.locator('.concepts .link', { hasText: /^town$/u }).click();
    await viewer.locator('.cell').first().waitFor();
    const status = viewer.getByRole('status').first();
    await viewer.route('**/rulelang/running', route => route.abort());
    await viewer.clock.runFor(LONGEST_PACE);
    await status.filter({ hasText: 'The services do not answer' }).waitFor();
    await viewer.unroute('**/rulelang/running');
    await viewer.clock.runFor(LONGEST_PACE);
    await status.filter({ hasText: 'Nothing runs' }).waitFor();
    let looks = 0;
    viewer.on('request', () => looks++);
    const hide = async (state: string): Promise<void> => {
        await viewer.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
            document.dispatchEvent(new Event('visibilitychange'))`);
    };
    await hide('hidden');
    looks = 0;
    await viewer.clock.runFor(10 * LONGEST_PACE);
    expect(looks).toBe(0);
    await hide('visible');
    await expect.poll(() => looks).toBe(1);
    const body = JSON.stringify({ status: 'error', code: 'token_expired', message: 'Token expired', data: null });
    await viewer.route('**/rulelang/running', route => route.fulfill({ status: 401, contentType: 'application/json', body }));
    await viewer.clock.runFor(LONGEST_PACE);
    await status.filter({ hasText: 'The token is no longer good: run rulelang open' }).waitFor();
    expect(await viewer.locator('.cell').count()).toBeGreaterThan(10);
    await viewer.close();
});

describe.each(['light', 'dark'] as const)('pictures, %s', scheme => {
    beforeAll(async () => {
        await data(post('/projects/save', { project: { id: 'odd', name: 'Timetables', description: 'When buses leave' } }));
        await page.goto('about:blank');
        await page.goto(await address());
    });

    test('rows, project, explanation, definition, narrow window', async () => {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width: 1100, height: 640 });
        await project('Cities').click();
        await concept('town').waitFor();
        await picture(`page-project-${scheme}`);
        await openConcept('Cities', 'town');
        await page.locator('.header').nth(1).click();
        await cells(1).nth(3).click();
        expect(await page.locator('.project').allTextContents()).toEqual(['Cities5', 'Timetables1', 'Shared terms0']);
        await picture(`page-${scheme}`);
        await openConcept('Cities', 'mayor');
        await cells(0).nth(2).click();
        await page.keyboard.press('e');
        for (let level = 1; level < 4; level++) {
            const item = page.getByRole('treeitem', { level }).first();
            await item.focus();
            if ((await item.getAttribute('aria-expanded')) === 'false') await page.keyboard.press('ArrowRight');
            await item.locator('.rule').first().waitFor();
        }
        await picture(`page-explanation-${scheme}`);
        await openConcept('Cities', 'large');
        await page.getByRole('tab', { name: 'Definition' }).click();
        await picture(`page-definition-${scheme}`);
        await page.setViewportSize({ width: 420, height: 640 });
        await picture(`page-narrow-${scheme}`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
        await openConcept('Cities', 'names');
        await picture(`page-empty-${scheme}`);
    });
});

describe('high contrast', () => {
    test.each([
        ['contrast', { contrast: 'more', forcedColors: 'none' }],
        ['forced', { contrast: 'no-preference', forcedColors: 'active' }],
    ] as const)('%s: what is chosen is seen without its colour', async (name, media) => {
        await page.emulateMedia({ colorScheme: 'dark', ...media });
        await page.setViewportSize({ width: 1100, height: 640 });
        await openConcept('Cities', 'town');
        await cells(1).nth(3).click();
        const outline = await page.evaluate("getComputedStyle(document.querySelector('.cell.focused')).outlineStyle");
        expect(outline).toBe('solid');
        await picture(`page-${name}`);
        await project('Cities').click();
        await concept('town').waitFor();
        await picture(`page-project-${name}`);
    });
});
