import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inThemes } from '../platform-window.ts';
import { code, page, tidied } from '../shared-window.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NOTEBOOK = 'control/groups.rulelangnb';

/** The outputs of all cells stand in one frame. */
const outputs = (): FrameLocator => frameOf('&');
/** Where rows are explained, beside the notebook. */
const results = (): FrameLocator => frameOf('rulelang');
const frameOf = (extension: string): FrameLocator =>
    page.frameLocator(`iframe.webview.ready[src*="extensionId=${extension}"]`).frameLocator('#active-frame');
/** The rows of a predicate below its cell. */
const rowsOf = (name: string): Locator => outputs().locator('.rows-output', { has: page.locator(`.output-name:text-is("${name}")`) });

describe('a notebook', () => {
    beforeAll(async () => {
        await tidied();
        await code.host('configure', 'rulelang.python.enabled', true);
        expect(await code.host('command', 'rulelang.restartServer')).toBe('done');
        await page.setViewportSize({ width: 1440, height: 1100 });
    });
    afterAll(() => page.setViewportSize({ width: 1440, height: 900 }));

    test('cells are run as one program, and show their rows', async () => {
        await code.host('openNotebook', NOTEBOOK);
        await page.locator('.notebook-editor .code-cell-row').first().waitFor();
        await code.host('command', 'notebook.execute');
        await expect
            .poll(() => code.host('cellOutputs'))
            .toEqual([
                ['owns: the first 100 of 397 rows'],
                ['controls: the first 100 of 119 rows'],
                ['head: 13 rows'],
                ['size: 13 rows'],
                ['large: 2 rows'],
            ]);
        await rowsOf('controls').locator('.cell', { hasText: 'Adele Fontaine' }).first().waitFor();
        // `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/vscode/results` takes the one of the page anew.
        const folder = process.env.PICTURES;
        if (folder !== undefined) await inThemes(code, { folder, name: 'notebook', height: 1000 });
    });

    /** What the first cells in sight of a column say. */
    const columnOf = async (rows: Locator, column: number): Promise<string[]> => {
        const lines = await rows.locator('.row').all();
        return Promise.all(lines.slice(0, 3).map(line => line.locator('.cell').nth(column).innerText()));
    };
    const rowsInSight = async (rows: Locator): Promise<number> =>
        Math.floor(((await rows.locator('.grid').boundingBox())?.height ?? 0) / 22) - 1;

    test('rows are sorted, more of them seen, and single ones explained', async () => {
        await code.host('revealCell', 1);
        const controls = rowsOf('controls');
        expect(await rowsInSight(controls)).toBe(10);
        await controls.getByRole('button', { name: '15 more rows' }).click();
        expect(await rowsInSight(controls)).toBe(25);
        await controls.locator('.header').first().click();
        await expect.poll(() => columnOf(controls, 0)).toEqual(['Adele Fontaine', 'Adele Fontaine', 'Adele Fontaine']);
        await controls.locator('.header').first().click();
        await expect.poll(async () => (await columnOf(controls, 0))[0]).not.toBe('Adele Fontaine');
        await controls.locator('.row .cell').first().click();
        await page.keyboard.press('e');
        await results().locator('.explanation [role=treeitem]').first().waitFor();
        await code.host('command', 'workbench.action.closeEditorsInOtherGroups');
    });

    test('a chart is drawn where the cell asks for it, and by a button', async () => {
        await code.host('openNotebook', NOTEBOOK);
        await code.host('revealCell', 3);
        await rowsOf('size').locator('.chart canvas').first().waitFor();
        await rowsOf('size').getByRole('button', { name: 'Close the chart' }).click();
        await rowsOf('size').locator('.row').first().waitFor();
        await rowsOf('size').getByRole('button', { name: 'Chart (C)' }).click();
        await rowsOf('size').locator('.chart canvas').first().waitFor();
    });

    test('F2 renames across cells', async () => {
        // A cell that has just come in sight has no text editor yet.
        await expect
            .poll(() =>
                code.host('goIntoCell', 1, 'controls(X, Z)').then(
                    () => true,
                    () => false,
                ),
            )
            .toBe(true);
        await page.keyboard.press('F2');
        await page.locator('.rename-box input').fill('rules');
        await page.keyboard.press('Enter');
        await expect
            .poll(async () => (await code.host('cellTexts')).map(text => /\b(?:controls|rules)_?/u.exec(text)?.[0]))
            .toEqual([undefined, 'rules', 'rules', 'rules_', undefined]);
        await code.host('command', 'undo');
    });

    /** Which cells have names that are not defined. */
    const undefinedNames = async (): Promise<boolean[]> => (await code.host('cellProblems')).map(codes => codes.includes('RL1101'));

    test('problems cross cells, and a file keeps what nobody changed', async () => {
        await code.host('editCell', 1, 'controls(X, Y) <-', 'rules(X, Y) <-');
        await expect.poll(undefinedNames).toEqual([false, true, true, expect.any(Boolean), false]);
        await code.host('editCell', 1, 'rules(X, Y) <-', 'controls(X, Y) <-');
        await expect.poll(undefinedNames).toEqual([false, false, false, false, false]);
        await code.host('editCell', 3, '-- size(', '-- extent(');
        await code.host('editCell', 4, '<- size(', '<- extent(');
        await code.host('saveNotebook');
        const before = readFileSync(join(ROOT, 'samples', NOTEBOOK), 'utf8');
        expect(await code.host('read', NOTEBOOK)).toBe(before.replace('-- size(', '-- extent(').replace('<- size(', '<- extent('));
    });

    test('is exported as a page', async () => {
        await code.host('exportNotebook', 'control/groups.html');
        const written = await code.host('read', 'control/groups.html');
        expect(written).toContain('<h1>Who decides</h1>');
        expect(written).toContain('controls: the first 100 of 119 rows');
    });

    test('an error leads to its place', async () => {
        await code.host('editCell', 4, '<- extent(', '<- nothing(');
        await code.host('revealCell', 4);
        await code.host('command', 'notebook.execute');
        await expect.poll(async () => (await code.host('cellOutputs'))[4]?.[0]).toContain("'nothing'");
        await outputs().getByRole('button', { name: 'cell 10, line 1' }).last().click();
        await expect.poll(() => code.host('cursor')).toMatchObject({ line: 1, text: 'large(X, N) <- nothing(X, N), N >= 10.' });
        await code.host('editCell', 4, '<- nothing(', '<- extent(');
    });

    test('a cell of Python is run where scripts are allowed', async () => {
        const cells =
            '```python\n# weather(City, Temp) <-\n\ndef main():\n    return [{"City": "Oslo", "Temp": 22}, {"City": "Rome", "Temp": 31}]\n```\n\n' +
            '```rulelang\nhot(City) <- weather(City, T), T > 30.\n@output("hot").\n```\n';
        writeFileSync(join(code.workspace, 'weather.rulelangnb'), cells);
        await code.host('command', 'workbench.action.closeAllEditors');
        await code.host('openNotebook', 'weather.rulelangnb');
        await page.locator('.notebook-editor .code-cell-row').first().waitFor();
        await code.host('command', 'notebook.execute');
        await expect.poll(() => code.host('cellOutputs')).toEqual([['weather: 2 rows'], ['hot: 1 row']]);
        await rowsOf('hot').locator('.cell', { hasText: 'Rome' }).waitFor();
    });

    test('is exported as a program', async () => {
        await code.host('openNotebook', NOTEBOOK);
        await code.host('command', 'rulelang.exportNotebookAsProgram');
        const lines = page.locator('.editor-group-container.active .monaco-editor .view-lines');
        await expect.poll(async () => (await lines.innerText()).replaceAll('\u{a0}', ' ')).toContain('% # Who decides');
        await code.host('command', 'workbench.action.revertAndCloseActiveEditor');
    });
});
