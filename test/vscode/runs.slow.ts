import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { chooseFromMenu } from './context-menu.ts';
import { inThemes } from './platform-window.ts';
import { cell, code, page, results, shareWindow } from './shared-window.ts';
import { answer, focused, keptByView } from './steps.ts';

shareWindow();

const PROGRAM = 'control/control.rulelang';

/** `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/vscode/runs` takes those of the pages anew. */
async function takePictures(name: string): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder === undefined) return;
    for (const other of ['Concepts', 'Data']) {
        const open = page.locator('.pane-header[aria-expanded="true"]', { hasText: other });
        if ((await open.count()) > 0) await open.click();
    }
    await code.host('command', 'notifications.clearAll');
    await inThemes(code, { folder, name, height: 600 });
}

const pane = (): Locator => page.locator('.pane', { has: page.locator('.pane-header', { hasText: /^Runs/u }) });
const runs = (): Locator => pane().locator('[role=treeitem][aria-level="2"]');

/** Chooses from the context menu of a run. */
async function chosen(at: number, entry: string): Promise<void> {
    await chooseFromMenu(page, runs().nth(at), entry);
}
/** The newest run is kept a moment after it has ended. */
async function kept(count: number): Promise<void> {
    await expect.poll(() => runs().count()).toBe(count);
    await expect.poll(() => runs().first().textContent()).not.toContain('rows not kept');
}
/** Opens a run that is kept. A click on a list that is drawn anew meanwhile opens nothing. */
async function opened(at: number): Promise<void> {
    const clicked = async (): Promise<string | null> => {
        await runs().nth(at).click();
        return results.locator('.status').textContent();
    };
    await expect.poll(clicked, { interval: 2000 }).toMatch(/Kept from/u);
}
async function focusRuns(): Promise<void> {
    await code.host('command', 'rulelang.runs.focus');
    await focused(pane());
}
async function run(parameters?: object): Promise<void> {
    await code.host('configure', 'rulelang.run.parameters', parameters);
    const before = await runs().count();
    await code.host('open', PROGRAM);
    expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
    await kept(before + 1);
}

test('runs are listed by day as they end, with what they were given', async () => {
    await page.locator('.activitybar .action-item', { has: page.locator('[aria-label="Rulelang"]') }).click();
    await code.host('command', 'rulelang.runs.focus');
    await code.host('open', PROGRAM);
    await code.host('command', 'rulelang.runs.focus');
    await pane().locator('.monaco-button', { hasText: 'Run Program' }).click();
    await kept(1);
    await run({ majority: 30 });
    await expect.poll(() => runs().first().textContent()).toMatch(/control\.rulelang.*\d+ rows.*majority=30/u);
    await pane().locator('[role=treeitem]', { hasText: 'Today' }).waitFor();
});

test('a run is opened, run again, named, pinned and removed by keyboard', async () => {
    const rows = await results.locator('.status').textContent();
    await code.host('command', 'rulelang.runs.focus');
    await opened(1);
    expect(await results.locator('.status').textContent()).not.toBe(rows);
    await focusRuns();
    await page.keyboard.press('F2');
    await answer(page, ['What to call the run', 'as it was']);
    await expect.poll(() => runs().nth(1).textContent()).toContain('as it was');
    await chosen(1, 'Pin Run');
    await expect.poll(() => runs().nth(1).textContent()).toContain('pinned');
    await code.host('configure', 'rulelang.run.parameters');
    await runs().nth(0).click();
    await focusRuns();
    await page.keyboard.press('Control+Alt+Enter');
    await expect.poll(() => runs().count()).toBe(3);
    await expect.poll(() => runs().first().textContent()).toContain('majority=30');
    await kept(3);
    await opened(1);
    await focusRuns();
    await page.keyboard.press('Delete');
    await expect.poll(() => runs().count()).toBe(2);
});

test('two runs are compared: what was added, removed and changed', async () => {
    await chosen(0, 'Compare with…');
    await page.locator('.quick-input-widget .monaco-list-row', { hasText: 'as it was' }).click();
    await expect.poll(() => results.locator('.header').first().textContent()).toContain('change');
    await cell(1, 1).waitFor();
    expect(await cell(1, 1).textContent()).toMatch(/added|removed|changed/u);
    await head().getByText('majority = 30; it was').waitFor();
    await results.locator('.tab .difference-counts').first().waitFor();
});

test('a program that fails is a run too, which says why', async () => {
    writeFileSync(join(code.workspace, 'wrong.rulelang'), 'p(X) <- q(X), Y > 3.\nq(1).\n@output("p").\n');
    await code.host('open', 'wrong.rulelang');
    await code.host('command', 'rulelang.runProgram');
    await expect.poll(() => runs().first().textContent()).toMatch(/wrong\.rulelang.*failed/u);
    rmSync(join(code.workspace, 'wrong.rulelang'));
});

test('they are filtered, and grouped by program', async () => {
    const done = code.host('command', 'rulelang.filterRuns');
    await page.locator('.quick-input-widget input.input').waitFor();
    await page.keyboard.type('majority=30');
    await expect.poll(() => runs().count()).toBe(1);
    await pane().locator('.message', { hasText: '1 of 3 runs' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await done).toBe('done');
    await code.host('command', 'rulelang.clearRunFilter');
    await expect.poll(() => runs().count()).toBe(3);
    await code.host('command', 'rulelang.groupRunsByProgram');
    await pane().locator('[role=treeitem][aria-level="1"]', { hasText: 'control/control.rulelang' }).waitFor();
    await code.host('command', 'rulelang.groupRunsByDay');
    await runs().nth(1).click();
    await cell(1, 1).waitFor();
    await takePictures('runs');
});

const COMPARED = 'compared.rulelang';

/** A program whose first rule has this limit, and whose second one another text. */
function writeCompared(least: number, note: string): void {
    writeFileSync(
        join(code.workspace, COMPARED),
        `% ${note}
@model("own", "['x:string', 'y:string', 'w:int']").
@bind("own", "csv useHeaders='true'", ".", "compared.csv").
@output("large").
@output("named").
large(X, Y) <- own(X, Y, W), W > ${least}.
named(X, "${note}") <- own(X, _, _).
`,
    );
}
const writeOwn = (...rows: string[]): void => writeFileSync(join(code.workspace, 'compared.csv'), `x,y,w\n${rows.join('\n')}\n`);
const head = (): Locator => results.locator('.difference');

async function runCompared(): Promise<void> {
    await code.host('open', COMPARED);
    const before = await runs().count();
    expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
    await kept(before + 1);
}
/** Compares the newest run with the one before it. */
async function compareNewest(): Promise<void> {
    await chosen(0, 'Compare with…');
    await page.locator('.quick-input-widget .monaco-list-row').first().click();
    await head().waitFor();
}
/** The editor has read what was written to the file. */
async function readAgain(): Promise<void> {
    await expect.poll(() => results.locator('.status').textContent()).toContain('The text has changed since');
}

test('a comparison says which clauses were edited, with links to them, and counts rows on its tabs', async () => {
    writeOwn('a,b,60', 'b,c,40', 'c,d,20');
    writeCompared(50, 'one');
    await runCompared();
    writeCompared(30, 'two');
    await readAgain();
    await runCompared();
    await compareNewest();
    await expect.poll(() => head().locator('.change').count()).toBe(2);
    expect(await head().locator('.change').nth(0).textContent()).toContain('W > 30');
    await head().getByText('Change 1 makes the difference. Change 2 has no effect on it.').waitFor();
    await head().locator('.difference-rows li', { hasText: 'large("b","c")' }).getByRole('button', { name: 'change 1' }).waitFor();
    expect(await results.locator('.tab').nth(0).textContent()).toMatch(/large\+1$/u);
    expect(await results.locator('.tab').nth(1).textContent()).toMatch(/named\+3−3$/u);
    await head().getByRole('button', { name: 'W > 30' }).click();
    await expect.poll(() => page.locator('.editor-instance .view-line', { hasText: 'W > 30' }).count()).toBe(1);
    await takePictures('compare');
    await results.locator('.tab').nth(1).click();
    await head().getByText('Change 2 makes the difference. Change 1 has no effect on it.').waitFor();
    await results.locator('.tab').nth(0).click();
});

test('runs and a comparison are there after a reload', async () => {
    await keptByView(page, kept => kept.includes('large'));
    const before = await runs().count();
    await code.reload();
    await head().waitFor();
    await expect.poll(() => head().locator('.change').count()).toBe(2);
    expect(await results.locator('.tab').nth(0).textContent()).toMatch(/large\+1$/u);
    await head().getByText('Change 1 makes the difference.').waitFor();
    await expect.poll(() => runs().count()).toBe(before);
    await runs().filter({ hasText: 'as it was' }).waitFor();
});

test('a comparison names the file whose data changed', async () => {
    writeOwn('a,b,60', 'b,c,40', 'c,d,20', 'd,e,70');
    await runCompared();
    await compareNewest();
    await expect.poll(() => head().locator('.change').count()).toBe(1);
    expect(await head().locator('.change').first().textContent()).toMatch(/compared\.csv had 27 bytes and has 34/u);
    await head().getByText('1 added, 0 removed and 0 changed come from compared.csv').waitFor();
    expect(await results.locator('.tab').nth(0).textContent()).toMatch(/large\+1$/u);
});

test('the rows of a run are there after a reload', async () => {
    await code.host('closeAll');
    const named = (await runs().allTextContents()).findIndex(text => text.includes('as it was'));
    await opened(named);
    await cell(1, 1).waitFor();
});

await import('./parts/live.ts');
await import('./parts/translate.ts');
await import('./parts/reload.ts');
