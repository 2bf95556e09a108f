import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { textsOfDrawing } from '../../support/svg-files.ts';
import { code, look, page, results, run, tidied } from '../shared-window.ts';
import { themed } from '../steps.ts';

const PROGRAM = 'programs/network.rulelang';

const node = (name: string): Locator => results.getByRole('button', { name: new RegExp(`^${name}: (?:not )?expanded`, 'u') });
const names = (): Promise<(string | null)[]> => results.locator('.node-graph .node > title').allTextContents();
const said = (): Promise<string | null> => results.locator('.chart-bar [role="status"]').textContent();

async function chartOf(output: string, kind: string): Promise<void> {
    await look(PROGRAM, output);
    // What was clicked in a chart before may have left a filter.
    const filters = results.getByRole('button', { name: /^Remove: /u });
    for (let left = await filters.count(); left > 0; left--) {
        await filters.first().click();
        await expect.poll(() => filters.count()).toBe(left - 1);
    }
    const kinds = results.getByLabel('Kind of chart');
    if (!(await kinds.isVisible())) {
        await results.locator('.body [aria-colindex="2"]').first().click();
        await page.keyboard.press('c');
    }
    await kinds.selectOption(kind);
}

describe('a graph of rows', { retry: 1 }, () => {
    beforeAll(tidied);

    test('begins at one node, and is expanded and collapsed with keys; cycles and loops have their place', async () => {
        await chartOf('held', 'graph');
        await expect.poll(names).toEqual(expect.arrayContaining(['Alba', 'Bruno', 'Carlo']));
        expect(await names()).toHaveLength(3);
        expect(await said()).toBe('3 of 7 rows, around Alba');
        await node('Carlo').focus();
        await page.keyboard.press('Enter');
        await expect.poll(said).toBe('5 of 7 rows, around Alba');
        expect(await node('Carlo').getAttribute('aria-expanded')).toBe('true');
        await page.keyboard.press('ArrowRight');
        await expect.poll(() => results.locator('.node:focus > title').textContent()).toBe('Dora');
        await page.keyboard.press('Enter');
        await expect.poll(said).toBe('7 of 7 rows, around Alba');
        await results.getByText(/^Neighbours of Dora/u).click();
        const neighbours = results.locator('.neighbours li');
        expect((await neighbours.allTextContents()).sort()).toEqual(['from Carlo', 'to Dora', 'to Elio']);
        await node('Carlo').focus();
        await page.keyboard.press('Backspace');
        await expect.poll(said).toBe('3 of 7 rows, around Alba');
        await results.getByLabel('Label').selectOption('percent');
        await expect.poll(() => results.locator('.edge-label').allTextContents()).toEqual(expect.arrayContaining(['60', '10', '5']));
    });

    test('of ten thousand edges shows some, finds a node that is not drawn, and leads to its rows', async () => {
        await chartOf('link', 'graph');
        await expect.poll(said).toBe('20 of 10,000 rows, around 0');
        expect(await node('0').getAttribute('aria-label')).toBe('0: expanded, 80 more rows');
        for (const rows of ['40', '60']) {
            await node('0').click();
            await expect.poll(said).toBe(`${rows} of 10,000 rows, around 0`);
        }
        await results.getByLabel('Find a node').fill('4242');
        await page.keyboard.press('Enter');
        await expect.poll(said).toBe('1 of 10,000 rows, around 4242');
        await node('4242').focus();
        await results.getByRole('button', { name: 'Rows that begin here' }).click();
        await expect.poll(() => results.locator('.chips').first().textContent()).toContain('4242');
        await expect.poll(() => results.locator('.status').first().textContent()).toContain('1 of 10,000 rows');
    });
});

describe('a timeline', { retry: 1 }, () => {
    const focused = (): Promise<string | null> => results.locator('.target:focus').getAttribute('aria-label');

    test('has a lane for each category, is gone through with keys, and leads to a row', async () => {
        await chartOf('stayed', 'timeline');
        await expect.poll(() => results.locator('.lane-name').allTextContents()).toEqual(['Oslo · 1 row', 'Rome · 2 rows']);
        expect(await said()).toBe('3 rows from 2031-03-29 to 2031-05-03 (UTC)');
        expect(await results.locator('.timeline-axis text').allTextContents()).toContain('2031-04-07');
        await results.locator('.target').first().focus();
        await expect.poll(focused).toBe('place: Oslo, who: Alba, begin: 2031-04-12, end: 2031-05-02');
        await page.keyboard.press('ArrowDown');
        await expect.poll(focused).toContain('who: Bruno');
        await page.keyboard.press('ArrowLeft');
        await expect.poll(focused).toContain('who: Alba, begin: 2031-03-30');
        await page.keyboard.press('+');
        await page.keyboard.press('+');
        await expect.poll(() => results.locator('.lane-name').allTextContents()).toEqual(['Rome · 2 rows']);
        await page.keyboard.press('0');
        await expect.poll(() => results.locator('.lane-name').count()).toBe(2);
        await results.getByRole('button', { name: /who: Bruno/u }).click();
        await expect.poll(() => results.locator('.status').first().textContent()).toContain('1 of 3 rows');
        expect(await results.locator('.body [role="row"]').allTextContents()).toEqual([expect.stringContaining('Bruno')]);
    });

    test('counts ten thousand rows where they are, and shows each of them from near', async () => {
        await chartOf('seen', 'timeline');
        await expect.poll(said).toMatch(/^10,000 rows from .+ \(UTC\) · zoom in to see each of them$/u);
        const bins = results.locator('.target');
        const counts = await bins.evaluateAll(all =>
            all.map(one => Number(one.getAttribute('aria-label')?.split(' ')[0]?.replace(',', ''))),
        );
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10_000);
        await bins.nth(3).focus();
        await page.keyboard.press('Enter');
        await expect.poll(said).toMatch(/^3\d\d rows that begin from 2031-/u);
        await bins.nth(3).focus();
        await page.keyboard.press('Enter');
        await expect.poll(() => results.locator('.moment').count()).toBeGreaterThan(5);
        await results.getByRole('button', { name: 'Later (Shift+Right)' }).click();
        await expect.poll(said).toMatch(/^\d+ rows that begin from 2031-/u);
    });
});

describe('a picture', { retry: 1 }, () => {
    let keeps = 0;
    /** Saves what is drawn in the folder of the program, where it is looked for. */
    async function saved(entry: 'SVG' | 'PNG', name: string): Promise<Buffer> {
        const file = join(code.workspace, 'programs', name);
        rmSync(file, { force: true });
        await results.getByRole('button', { name: 'Save as a picture' }).last().click();
        await results.getByRole('menuitem', { name: `Save as ${entry}` }).click();
        const box = page.locator('.quick-input-widget input.input');
        await expect.poll(() => box.inputValue()).toContain(name);
        // A key that is pressed while the list of the folder comes is lost.
        const written = async (): Promise<boolean> => {
            if (await box.isVisible()) await box.press('Enter');
            return existsSync(file) && readFileSync(file).length > 0;
        };
        await expect.poll(written, { interval: 300 }).toBe(true);
        const shots = process.env.VSCODE_SHOTS;
        if (shots !== undefined) copyFileSync(file, join(shots, `${keeps++}-${name}`));
        return readFileSync(file);
    }

    test('of each kind of chart stands alone, and is read on white in a dark theme', async () => {
        await themed(code, 'Default Dark Modern');
        await chartOf('held', 'bar');
        for (const [kind, words] of [
            ['bar', 'Bar chart of held'],
            ['area', 'Area chart of held'],
            ['scatter', 'Scatter plot of held'],
            ['histogram', 'Histogram of held'],
            ['heat', 'Heat map of held'],
        ] as const) {
            await results.getByLabel('Kind of chart').selectOption(kind);
            await results.locator('.chart-canvas canvas').waitFor();
            const texts = textsOfDrawing(String(await saved('SVG', 'network-held.svg')));
            expect(texts[0]).toBe(words);
            expect(texts).toEqual(expect.arrayContaining(['owner', expect.stringMatching(/^7 rows/u)]));
        }
        await results.getByLabel('Kind of chart').selectOption('graph');
        await results.locator('.node-graph .node').first().waitFor();
        expect(textsOfDrawing(String(await saved('SVG', 'network-held.svg')))).toEqual(
            expect.arrayContaining(['Graph of held', 'Alba', 'Bruno', 'Carlo', '3 of 7 rows, around Alba']),
        );
        await chartOf('stayed', 'timeline');
        await results.locator('.timeline .bar').first().waitFor();
        expect(textsOfDrawing(String(await saved('SVG', 'network-stayed.svg')))).toEqual(
            expect.arrayContaining(['Timeline of stayed', 'Oslo · 1 row', '2031-04-07']),
        );
        await code.host('configure', 'workbench.colorTheme');
    });

    test('has twice as many dots as units', async () => {
        await chartOf('held', 'bar');
        await results.locator('.chart-canvas canvas').waitFor();
        const png = await saved('PNG', 'network-held.png');
        expect(png.subarray(1, 4).toString()).toBe('PNG');
        expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, expect.any(Number)]);
        await results.getByRole('button', { name: 'Save as a picture' }).click();
        await results.getByRole('menuitem', { name: 'Copy as a picture' }).click();
        await expect.poll(said).toBe('The picture is in the clipboard');
    });

    test('of an explanation has what is open in its tree, each fact once', async () => {
        await run(PROGRAM, 'link');
        await results.locator('.body [aria-colindex="2"]').first().click();
        await page.keyboard.press('e');
        await results.locator('.explanation .item').nth(1).waitFor();
        const texts = textsOfDrawing(String(await saved('SVG', 'network-explanation.svg')));
        expect(texts).toEqual(
            expect.arrayContaining(['Explanation', 'link(0,0)', expect.stringMatching(/… {2}network\.rulelang:12$/u), 'rests on']),
        );
        expect(texts.filter(text => text.startsWith('digit(0)'))).toHaveLength(1);
    });
});
