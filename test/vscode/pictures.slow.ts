import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { picture as takePicture } from './platform-window.ts';
import { answer, drawn } from './steps.ts';

/**
 * `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/vscode/pictures` takes those of the pages anew; where nobody looks at
 * them none are taken, since other tests reach what they show.
 */
const folder = process.env.PICTURES;

const THEMES = [
    ['dark', 'Default Dark Modern'],
    ['light', 'Default Light Modern'],
    ['contrast', 'Default High Contrast'],
    ['contrast-light', 'Default High Contrast Light'],
] as const;

let code: VsCode;
let page: Page;
let results: FrameLocator;

beforeAll(async () => {
    mkdirSync(folder ?? '', { recursive: true });
    code = await startVsCode(unpackedExtension(), {
        trusted: true,
        size: { width: 1360, height: 780 },
        settings: { 'workbench.activityBar.location': 'hidden', 'breadcrumbs.enabled': false, 'editor.fontSize': 13 },
    });
    ({ page } = code);
    results = code.results();
    await code.host('command', 'workbench.action.closeSidebar');
}, 900_000);
afterAll(() => code?.close());

async function editors() {
    const box = await page.locator('.monaco-workbench .part.editor').first().boundingBox();
    if (box === null) throw new Error('there are no editors');
    return box;
}

/** The editors alone, or the window below its title. */
async function picture(name: string, isWhole = false): Promise<void> {
    await page.mouse.move(720, 772);
    const clip = isWhole ? { x: 0, y: 35, width: 1360, height: 723 } : await editors();
    await takePicture(page, join(folder ?? '', `${name}.png`), clip);
}

async function run(path: string, line: number, output?: string): Promise<void> {
    await code.host('closeAll');
    await code.host('open', path, line);
    await code.host('command', 'rulelang.runProgram');
    if (output !== undefined) await results.locator('.tab', { hasText: output }).click();
}

describe.runIf(folder !== undefined).each(THEMES)('%s', { retry: 1 }, (theme, name) => {
    beforeAll(() => code.host('configure', 'workbench.colorTheme', name));

    test('problems', async () => {
        await code.host('closeAll');
        await code.host('open', 'programs/problems.rulelang');
        await code.host('command', 'workbench.actions.view.problems');
        await page.locator('.markers-panel .monaco-list-row').nth(1).waitFor();
        await picture(`problems-${theme}`, true);
        await code.host('command', 'workbench.action.closePanel');
    });

    test('results', async () => {
        await run('control/control.rulelang', 14, 'joint');
        await results.locator('.cell').nth(6).click();
        await results.locator('.header').nth(1).click();
        await picture(`results-${theme}`);
    });

    test('filters', async () => {
        await run('programs/shapes.rulelang', 1, 'kept');
        await results.locator('.cell').nth(2).click();
        await page.keyboard.press('f');
        await results.getByLabel('Filter number').fill('>1');
        await picture(`filters-${theme}`);
    });

    test('explanation', async () => {
        await run('control/control.rulelang', 14, 'joint');
        await results.locator('.cell').first().click();
        await page.keyboard.press('e');
        await results.getByRole('treeitem').nth(3).waitFor();
        for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown']) {
            await page.keyboard.press(key);
            await drawn(results.locator('body'));
            await results.locator('.item.loading').waitFor({ state: 'detached' });
        }
        await picture(`explanation-${theme}`);
        await results.getByLabel('All derivations').check();
        await picture(`derivations-${theme}`);
    });

    test('missing fact', async () => {
        await run('control/control.rulelang', 26, 'joint');
        const done = code.host('command', 'rulelang.whyNot', undefined, 'controls("Seabright Capital", "Rowan Energy Ltd")');
        await answer(page, ['Which fact is missing?']);
        expect(await done).toBe('done');
        await results.locator('.item.lack').first().waitFor();
        await results.locator('.item.holding').first().click();
        await results.locator('.item[aria-level="3"]').first().waitFor();
        await picture(`missing-${theme}`);
    });

    test('why an output is empty', async () => {
        await run('programs/absent.rulelang', 1, 'nobody');
        await results.getByRole('button', { name: 'Why is this empty?' }).click();
        await results.locator('.item.lack').first().waitFor();
        await picture(`why-empty-${theme}`);
    });

    test('dependency graph', async () => {
        await code.host('closeAll');
        await code.host('open', 'control/control.rulelang', 14);
        expect(await code.host('command', 'rulelang.showDependencyGraph')).toBe('done');
        const nodes = results.locator('.node');
        await nodes.first().waitFor();
        await picture(`graph-${theme}`);
        await results.getByRole('button', { name: /^controls\/2/u }).focus();
        await picture(`graph-focus-${theme}`);
    });

    test('errors', async () => {
        await run('programs/problems.rulelang', 1);
        await results.locator('.notice').first().waitFor();
        await picture(`errors-${theme}`);
    });

    test('no rows, and no rows that match', async () => {
        await run('programs/shapes.rulelang', 1, 'nobody');
        await results.locator('.empty-rows').waitFor();
        await picture(`empty-${theme}`);
        await results.locator('.tab', { hasText: 'number' }).click();
        await results.getByLabel('Search all columns').fill('nothing like this');
        await results.getByRole('button', { name: 'Clear filters' }).waitFor();
        await picture(`unmatched-${theme}`);
    });

    test('keys', async () => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await page.keyboard.press('?');
        await picture(`keys-${theme}`);
        await page.keyboard.press('Escape');
    });

    test('running, stopped', async () => {
        await code.host('closeAll');
        await code.host('open', 'programs/endless.rulelang');
        const done = code.host('command', 'rulelang.runProgram');
        await results.locator('.state.running').waitFor();
        // It counts and turns as long as it runs.
        await page.screenshot({ path: join(folder ?? '', `running-${theme}.png`), clip: await editors() });
        await results.getByRole('button', { name: 'Stop' }).click();
        await done;
        await picture(`stopped-${theme}`);
    });
});
