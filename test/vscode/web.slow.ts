import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpackedExtension } from './harness.ts';
import { leadsTo } from './steps.ts';
import { openWebEditor, type WebEditor } from './web-editor.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SHOTS = process.env.VSCODE_SHOTS;

/** A program with another that it includes, and an output that it writes into a file. */
const FAR = `@include("steps.rulelang").
@bind("edge", "json multiline=false", "data", "edges.ndjson").
@model("edge", "['from:string', 'to:string']").
far(X, Y) <- reach(X, Y), not edge(X, Y).
@output("far").
@bind("far", "csv useHeaders=true", "data", "far.csv").
`;
const SHOP = `sold(X) <- order(X, _).
@output("sold").
@bind("order", "postgresql host=localhost", "shop", "orders").
`;
const CONTROL = join(ROOT, 'samples/control');
const FILES: readonly (readonly [string, string])[] = [
    ...['control.rulelang', 'data/companies.csv', 'data/ownership.csv'].map(
        name => [`/work/${name}`, readFileSync(join(CONTROL, name), 'utf8')] as const,
    ),
    ['/work/far.rulelang', FAR],
    ['/work/steps.rulelang', 'reach(X, Y) <- edge(X, Y).\nreach(X, Z) <- reach(X, Y), edge(Y, Z).\n'],
    ['/work/data/edges.ndjson', '{"from":"a","to":"b"}\n{"from":"b","to":"c"}\n{"from":"c","to":"d"}\n'],
    ['/work/shop.rulelang', SHOP],
];

let editor: WebEditor;
let page: Page;

beforeAll(async () => {
    editor = await openWebEditor(unpackedExtension(), new Map(FILES));
    page = editor.page;
});

afterAll(() => editor?.close());

async function shot(name: string): Promise<void> {
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `web-${name}.png`) });
}

const file = (name: string): Locator => page.getByRole('treeitem', { name, exact: true });
const quickInput = (): Locator => page.locator('.quick-input-widget input').first();
const picks = (): Locator => page.locator('.quick-input-list .monaco-list-row');

/** The content of the view whose tab is in front. */
const view = (): FrameLocator =>
    page.locator('iframe.webview.ready:visible').last().contentFrame().locator('iframe#active-frame').contentFrame();

async function open(name: string): Promise<void> {
    await file(name).dblclick();
    await page.locator('.tab.active').filter({ hasText: name }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).first().waitFor();
}

/** Runs the program by its key, which does nothing before the editor knows what has the focus. */
const run = (sight: Locator): Promise<void> => leadsTo(sight, () => page.keyboard.press('Control+Alt+Enter'));

async function command(title: string): Promise<void> {
    await page.keyboard.press('F1');
    await quickInput().fill(`>Rulelang: ${title}`);
    await picks().filter({ hasText: title }).first().click();
}

test('a program is checked, run and explained where no machine is behind the editor', async () => {
    await open('control.rulelang');
    await run(view().getByText('Tessaly Trust').first());
    await view().getByText('Tessaly Trust').first().click();
    await page.keyboard.press('e');
    await view().getByText('21 contributions').waitFor();
    await shot('explanation');
    await page
        .locator('.activitybar')
        .getByRole('tab', { name: /Rulelang/ })
        .first()
        .click();
    await page.getByRole('treeitem', { name: /^controls\/2.*119 rows/ }).waitFor();
    await shot('outline');
    await page
        .locator('.activitybar')
        .getByRole('tab', { name: /Explorer/ })
        .first()
        .click();
});

test('files of the workspace are included, read and written', async () => {
    await open('far.rulelang');
    await run(view().getByText('3 rows'));
    await file('data').click();
    await file('far.csv').dblclick();
    await page.locator('.view-line').filter({ hasText: /^b,d$/ }).waitFor();
    // The rows that a file has from now on are those of the next run.
    await file('edges.ndjson').dblclick();
    await page.locator('.view-line').filter({ hasText: '"to":"d"' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('{"from":"d","to":"e"}');
    await page.keyboard.press('Control+S');
    await page.locator('.tab').filter({ hasText: 'far.rulelang' }).first().click();
    await expect
        .poll(
            async () => {
                await page.keyboard.press('Control+Alt+Enter');
                return view().getByText('6 rows').isVisible();
            },
            { interval: 1000 },
        )
        .toBe(true);
    await shot('files');
});

test('why a fact is missing is explained, and what depends on what is drawn', async () => {
    await page.locator('.tab').filter({ hasText: 'far.rulelang' }).first().click();
    await command('Explain Missing Fact');
    await picks().filter({ hasText: 'far' }).first().click();
    await quickInput().fill('far("a", "b")');
    await page.keyboard.press('Enter');
    await view().getByText('edge("a","b")').first().waitFor();
    await shot('missing');
    await page.locator('.tab').filter({ hasText: 'far.rulelang' }).first().click();
    await command('Show Dependency Graph');
    await view()
        .locator('svg title')
        .filter({ hasText: /^reach\/2/ })
        .first()
        .waitFor({ state: 'attached' });
    await shot('graph');
});

test('what needs a machine is not offered, and a program that needs one is told so', async () => {
    await open('shop.rulelang');
    await run(view().getByText("a page in a browser reaches no source of type 'postgresql'", { exact: false }));
    await shot('unreachable');
    await page.locator('.tab').filter({ hasText: 'shop.rulelang' }).first().click();
    await page.keyboard.press('F1');
    const offers = async (title: string): Promise<Locator> => {
        await quickInput().fill(`>Rulelang: ${title}`);
        return picks().filter({ hasText: title }).first();
    };
    for (const title of ['Run Predicate', 'Explain Missing Fact', 'Show Plan']) await (await offers(title)).waitFor();
    for (const title of ['Debug Program', 'Start Local Services', 'Connect Source', 'New Concept', 'Open Sample', 'Clear Kept Rows']) {
        const other = await offers('Restart Language Server');
        await other.waitFor();
        const found = await offers(title);
        await other.waitFor({ state: 'hidden' });
        expect(await found.count(), title).toBe(0);
    }
    await page.keyboard.press('Escape');
});
