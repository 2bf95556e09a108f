import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cell, code, look, page, results, run, runAgain, seen, shareWindow, tab } from './shared-window.ts';
import { type Theme, themed } from './steps.ts';

shareWindow();

const PROGRAM = 'programs/tariff.rulelang';
const THEMES: readonly Theme[] = ['Default Light Modern', 'Default Dark Modern', 'Default High Contrast', 'Default High Contrast Light'];

describe('outputs', { retry: 1 }, () => {
    test('of the samples are all in sight', async () => {
        await run('genealogy/genealogy.rulelang');
        await tab('elder').waitFor();
        const hidden = await results.locator('.tab').evaluateAll(tabs =>
            tabs
                .filter(found => {
                    const [own, strip] = [found.getBoundingClientRect(), found.parentElement?.getBoundingClientRect()];
                    return strip === undefined || own.right > strip.right + 1;
                })
                .map(found => found.textContent),
        );
        expect(hidden).toEqual([]);
        expect(await results.getByRole('button', { name: /^All outputs/u }).count()).toBe(0);
    });

    test('that have no room scroll, and a list has all of them with their rows', async () => {
        await run(PROGRAM, 'above');
        const all = results.getByRole('button', { name: /^All outputs/u });
        await all.waitFor();
        await results.getByRole('button', { name: 'Further outputs' }).click();
        await expect.poll(() => results.locator('.tabs').evaluate(tabs => tabs.scrollLeft)).toBeGreaterThan(50);
        await cell(1, 1).click();
        await page.keyboard.press('o');
        const items = results.getByRole('menuitemradio');
        expect(await items.allTextContents()).toEqual([
            'above2',
            'chosen2',
            'every_share_of_every_city4',
            'cities_in_alphabetic_order4',
            'shares_in_descending_order4',
            'none0',
        ]);
        expect(await items.first().getAttribute('aria-checked')).toBe('true');
        await page.keyboard.press('End');
        await page.keyboard.press('Enter');
        expect(await tab('none').getAttribute('aria-selected')).toBe('true');
        const inSight = (): Promise<boolean> =>
            tab('none').evaluate(found => {
                const [own, strip] = [found.getBoundingClientRect(), found.parentElement?.getBoundingClientRect()];
                return strip !== undefined && own.left >= strip.left - 1 && own.right <= strip.right + 1;
            });
        await expect.poll(inSight).toBe(true);
        await seen(results.locator('.empty-rows'), "Nothing satisfies a rule of 'none'.");
    });

    test('stand side by side, follow the next run, and stay when the other panel goes', async () => {
        const views = page.locator('iframe.webview.ready');
        const selected = async (): Promise<readonly (string | null)[]> => {
            const frames = await Promise.all((await views.all()).map(async view => (await view.elementHandle())?.contentFrame()));
            const tabs = frames.map(frame =>
                frame?.childFrames()[0]?.locator('.tab[aria-selected="true"]').textContent({ timeout: 1_000 }),
            );
            return (await Promise.all(tabs).catch(() => [])).map(text => text ?? null).sort();
        };
        await run(PROGRAM, 'above');
        await cell(1, 1).click();
        await page.keyboard.press('b');
        await expect.poll(selected).toEqual(['above2', 'chosen2']);
        await code.host('open', PROGRAM);
        await code.host('append', '\nshare("Nowhere", 99.0).\nchosen("Nowhere", 99.0).\n');
        expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
        await expect.poll(selected).toEqual(['above3', 'chosen3']);
        await code.host('command', 'workbench.action.files.revert');
        await page.locator('.tabs-container .tab', { hasText: 'Results: tariff' }).first().click();
        await code.host('command', 'workbench.action.closeActiveEditor');
        await expect.poll(() => views.count()).toBe(1);
        await results.getByLabel('Search all columns').fill('Nowhere');
        await expect.poll(() => results.locator('mark').count()).toBe(1);
        await code.host('closeAll');
    });
});

describe('rows', { retry: 1 }, () => {
    test('have the points of decimals below each other', async () => {
        await look(PROGRAM, 'every_share');
        await seen(cell(4, 2), '763701.125');
        const points = await results.locator('.row [aria-colindex="3"]').evaluateAll(cells =>
            cells.map(found => {
                const text = found.firstChild;
                if (text === null) return Number.NaN;
                const range = found.ownerDocument.createRange();
                const at = text.textContent?.indexOf('.') ?? 0;
                range.setStart(text, at);
                range.setEnd(text, at + 1);
                return Math.round(range.getBoundingClientRect().left);
            }),
        );
        expect(points).toHaveLength(4);
        expect(new Set(points).size).toBe(1);
    });

    test('show an empty text as none in every theme', async () => {
        await look(PROGRAM, 'cities_in');
        const empty = cell(1, 1).locator('.empty');
        await seen(empty, 'empty');
        for (const theme of THEMES) {
            await themed(code, theme, results.locator('body'));
            const drawn = await empty.evaluate(found => {
                const style = found.ownerDocument.defaultView?.getComputedStyle(found);
                return { style: style?.fontStyle, isFaint: Number(style?.opacity) < 0.9 };
            });
            expect(drawn, theme).toEqual({ style: 'italic', isFaint: true });
        }
        await code.host('configure', 'workbench.colorTheme');
    });

    test('have what was searched marked, and Escape gives them the focus back', async () => {
        await look(PROGRAM, 'every_share');
        await cell(1, 1).click();
        await page.keyboard.press('/');
        await page.keyboard.type('O');
        await expect.poll(() => results.locator('mark').allTextContents()).toEqual(['o', 'O', 'o']);
        await page.keyboard.press('Escape');
        await expect.poll(() => results.locator('mark').count()).toBe(0);
        expect(await results.locator('.grid').evaluate(grid => grid.contains(grid.ownerDocument.activeElement))).toBe(true);
        expect(await results.getByLabel('Search all columns').inputValue()).toBe('');
    });
});

describe('groups', { retry: 1 }, () => {
    test('say which rows they have, and are drawn by their number', async () => {
        await look(PROGRAM, 'every_share');
        await results.getByLabel('Search all columns').fill('O');
        await expect.poll(() => results.locator('mark').count()).toBe(3);
        await results.locator('.header').first().click({ button: 'right' });
        await results.getByRole('menuitem', { name: 'Group by it' }).click();
        await seen(results.locator('.group-bar'), /^2 groups by.*of rows where a value contains O/u);
        await page.keyboard.press('c');
        await results.locator('.chart-canvas canvas').waitFor();
        const chosen = async (question: string): Promise<string | null> =>
            results.getByLabel(question).locator('option:checked').textContent();
        expect([await chosen('Kind of chart'), await chosen('Up')]).toEqual(['Bar chart', 'count']);
    });
});

describe('parameters', { retry: 1 }, () => {
    const line = (): Locator => results.locator('.parameters');
    const form = (): Locator => results.locator('.parameter-form');
    const used = (): Promise<string[]> => line().locator('.parameter').allTextContents();

    test('are shown with the values that the run used', async () => {
        await look(PROGRAM, 'above');
        await expect.poll(() => line().locator('.parameter').allTextContents()).toEqual(['majority50', 'cities["Lyon","Oslo"]']);
        await code.host('configure', 'rulelang.run.parameters', { majority: 80, cities: ['Turin'], majorty: 1 });
        await runAgain(PROGRAM, 'above');
        await expect.poll(() => line().locator('.parameter').allTextContents()).toEqual(['majority80given', 'cities["Turin"]given']);
        await seen(tab('chosen').locator('.count'), '1');
        await seen(results.locator('.remarks'), /'majorty'.*did you mean 'majority'\?/u);
    });

    test('of another type lead to the form, and what is no value to the setting', async () => {
        await code.host('configure', 'rulelang.run.parameters', { majority: 'abc' });
        await runAgain(PROGRAM);
        await seen(results.locator('.notice'), /'majority' must be int, but 'abc' is not/u);
        await results.locator('.notice').getByRole('button', { name: 'parameters' }).click();
        await expect.poll(() => form().getByLabel('majority').inputValue()).toBe('abc');
        await seen(form().locator('.parameter-wrong'), 'A whole number');
        await form().getByRole('button', { name: 'Close' }).click();
        const settings = page.locator('.settings-editor');
        await code.host('configure', 'rulelang.run.parameters', { majority: { of: 80 } });
        await runAgain(PROGRAM);
        await seen(results.locator('.state'), /The run could not begin.*'majority' is \{"of":80\}/u);
        await results.getByRole('button', { name: 'Open setting' }).click();
        await settings.waitFor();
        await seen(settings.locator('.setting-item-description'), /Values of program parameters/u);
        await code.host('configure', 'rulelang.run.parameters');
    });

    test('are given in a form before the first run, remembered, and kept as sets', async () => {
        await code.host('closeAll');
        await code.host('open', PROGRAM);
        expect(await code.host('command', 'rulelang.runWithParameters')).toBe('done');
        await seen(results.locator('.state'), /Not run yet/u);
        const majority = form().getByLabel('majority');
        expect(await majority.getAttribute('placeholder')).toBe('50');
        await majority.fill('many');
        await majority.press('Enter');
        await seen(form().locator('.parameter-wrong'), 'A whole number');
        await majority.fill('80');
        await form().getByLabel('cities').fill('["Turin"]');
        await majority.press('Enter');
        await seen(tab('chosen').locator('.count'), '1');
        await form().getByRole('button', { name: 'Save as Set…' }).click();
        await page.locator('.quick-input-widget', { hasText: 'What the set is called' }).locator('input.input').fill('Strict');
        await page.keyboard.press('Enter');
        const sets = form().getByLabel('Set of values');
        await expect.poll(() => sets.inputValue()).toBe('Strict');
        await sets.selectOption('No set');
        expect(await majority.inputValue()).toBe('');
        await majority.press('Enter');
        await majority.press('Escape');
        await expect.poll(used).toEqual(['majority50', 'cities["Lyon","Oslo"]']);
        await line().getByRole('button', { name: 'Change' }).click();
        await sets.selectOption('Strict');
        await majority.press('Enter');
        await majority.press('Escape');
        await expect.poll(used).toEqual(['majority80given', 'cities["Turin"]given']);
        // A run of the program has them, too, until they are others.
        await runAgain(PROGRAM);
        await expect.poll(used).toEqual(['majority80given', 'cities["Turin"]given']);
        await line().getByRole('button', { name: 'Change' }).click();
        await sets.selectOption('Strict');
        await form().getByRole('button', { name: 'Delete Set' }).click();
        await expect.poll(() => sets.isHidden()).toBe(true);
        await majority.fill('');
        await form().getByLabel('cities').fill('');
        await majority.press('Enter');
        await majority.press('Escape');
        await expect.poll(used).toEqual(['majority50', 'cities["Lyon","Oslo"]']);
    });

    test('and other settings that cannot be are told', async () => {
        await code.host('configure', 'rulelang.run.timeout', 'soon');
        const told = page.locator('.notification-toast', { hasText: 'rulelang.run.timeout' });
        await seen(told, /must be a whole number from 0 to 604,800, but is "soon"\. Its default, 600, counts instead\./u);
        await code.host('configure', 'rulelang.run.timeout');
        await code.host('command', 'notifications.clearAll');
    });
});

describe('a program', { retry: 1 }, () => {
    const groups = (): Promise<number> => page.locator('.editor-group-container').count();

    test('is run without debugging', async () => {
        await code.host('closeAll');
        await code.host('open', PROGRAM);
        await page.locator('.monaco-editor .view-lines').first().click();
        await page.keyboard.press('Control+F5');
        await seen(tab('above').locator('.count'), '2');
        expect(await page.locator('.monaco-dialog-box').count()).toBe(0);
        expect(await page.locator('.debug-toolbar').count()).toBe(0);
    });

    test('is debugged by F5: it stops at a rule, shows its match and steps back', async () => {
        const program = 'control/control.rulelang';
        const lines = readFileSync(join(code.workspace, program), 'utf8').split('\n');
        const line = lines.findIndex(text => text.startsWith('controls(X, Y) <-')) + 1;
        await code.host('closeAll');
        await code.host('open', program, line);
        await code.host('command', 'workbench.debug.viewlet.action.removeAllBreakpoints');
        await code.host('command', 'editor.debug.action.toggleBreakpoint');
        await page.locator('.monaco-editor .view-lines').first().click();
        await code.host('open', program, line);
        await page.keyboard.press('F5');
        const frame = page.locator('.debug-call-stack .stack-frame .label');
        await expect.poll(() => frame.first().textContent()).toMatch(/^controls\("/u);
        await expect.poll(() => page.locator('.debug-top-stack-frame-line').count()).toBe(1);
        const variables = page.locator('.debug-variables');
        await expect.poll(() => variables.textContent()).toMatch(/Match.*X.*Y.*S\s*=/su);
        const stopped = await frame.first().textContent();
        await expect.poll(() => frame.count()).toBeGreaterThan(3);
        const first = await frame.count();
        await code.host('command', 'workbench.action.debug.stepBack');
        await expect.poll(() => frame.first().textContent()).not.toBe(stopped);
        await code.host('command', 'workbench.action.debug.stepInto');
        await expect.poll(() => frame.first().textContent()).toBe(stopped);
        expect(await code.host('command', 'rulelang.stepBackToStratum')).toBe('done');
        await expect.poll(() => frame.first().textContent()).not.toMatch(/^controls/u);
        await code.host('command', 'workbench.action.debug.continue');
        await expect.poll(() => frame.first().textContent()).toBe(stopped);
        await expect.poll(() => variables.textContent()).toMatch(/S\s*=\s*\d+/u);
        await expect.poll(() => frame.count()).toBe(first);
        // Each value stands at the place of its variable in the rule.
        await expect.poll(() => page.locator('.debug-inline-value').allTextContents()).not.toEqual([]);
        const folder = process.env.VSCODE_SHOTS;
        if (folder) await page.screenshot({ path: join(folder, 'debugger.png') });
        await code.host('command', 'workbench.action.debug.stop');
        await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
        await code.host('command', 'workbench.debug.viewlet.action.removeAllBreakpoints');
        await code.host('command', 'workbench.action.closePanel');
        await code.host('command', 'workbench.action.closeSidebar');
    });

    test('has its rows counted above its predicates, and a click shows them', async () => {
        await run(PROGRAM, 'chosen');
        const lens = page.locator('.codelens-decoration a', { hasText: /^0 rows$/u });
        await lens.click();
        await expect.poll(() => tab('none').getAttribute('aria-selected')).toBe('true');
        await code.host('configure', 'rulelang.run.inline', false);
        await lens.waitFor({ state: 'detached' });
        await code.host('configure', 'rulelang.run.inline');
    });

    test('counts what comes to each atom, which stands behind it, and marks a rule that never fired', async () => {
        const counted = async (path: string): Promise<void> => {
            await code.host('closeAll');
            await code.host('open', path);
            expect(await code.host('command', 'rulelang.runProfiled')).toBe('done');
        };
        const text = page.locator('.editor-instance .view-lines').first();
        await counted('control/control.rulelang');
        await expect.poll(() => text.textContent()).toMatch(/\d+\s→\s\d+/u);
        const folder = process.env.VSCODE_SHOTS;
        if (folder) await page.screenshot({ path: join(folder, 'counted.png') });
        await counted(PROGRAM);
        await expect.poll(() => text.textContent()).toMatch(/share\(C,\sS\)\s*4\srows/u);
        await page.locator('.squiggly-hint').first().waitFor({ state: 'attached' });
    });

    test('is run in part: what is selected, with what it needs', async () => {
        await code.host('closeAll');
        await code.host('open', PROGRAM, 7);
        await page.locator('.view-line', { hasText: 'above(C,' }).getByText('share', { exact: true }).dblclick();
        await page.keyboard.press('Shift+Alt+Enter');
        await seen(tab('query').locator('.count'), '4');
    });

    test('that is run from the right column uses the column of results', async () => {
        await runAgain(PROGRAM, 'above');
        expect(await groups()).toBe(2);
        await code.host('command', 'workbench.action.focusSecondEditorGroup');
        await code.host('open', 'programs/shapes.rulelang');
        expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
        await tab('kept').waitFor();
        expect(await groups()).toBe(2);
    });

    test('that is new is saved as services.rulelang', async () => {
        await code.host('closeAll');
        expect(await code.host('command', 'rulelang.newSampleProgram')).toBe('done');
        await page.locator('.tab .label-name', { hasText: /^services\.rulelang$/u }).waitFor();
        await code.host('command', 'workbench.action.files.save');
        await expect.poll(() => existsSync(join(code.workspace, 'services.rulelang'))).toBe(true);
        writeFileSync(join(code.workspace, 'services-2.rulelang'), '');
        expect(await code.host('command', 'rulelang.newSampleProgram')).toBe('done');
        await page.locator('.tab .label-name', { hasText: /^services-3\.rulelang$/u }).waitFor();
        await code.host('closeAll');
    });
});

await import('./parts/charts.ts');
await import('./parts/large.ts');
await import('./parts/testing.ts');
await import('./parts/notebook.ts');
