import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { cell, code, page, results, run, seen } from '../shared-window.ts';

/** Of the page, where the function that scrolls runs. */
declare const requestAnimationFrame: (callback: (time: number) => void) => void;

const COLUMNS = 50;
/** Steps down the whole grid. Each draws the window: `VSCODE_LOG=1`, which tells how long that takes, takes more of them. */
const STEPS = process.env.VSCODE_LOG ? 120 : 20;
const NUMBER = new Intl.NumberFormat('en-US');

/** The number N stands in row N + 1: its first column, and N plus the column's number in each other. */
test('a million rows are scrolled, sorted and searched', async () => {
    writeFileSync(join(code.workspace, 'million.rulelang'), wideRows(1000, 2));
    await run('million.rulelang');
    await seen(results.locator('.status'), NUMBER.format(1_000_000));
    await seen(cell(1, 1), '0');

    const frames = await scrollThrough(results.locator('.grid'));
    if (process.env.VSCODE_LOG) console.log(`frames while scrolling: ${JSON.stringify(frames)}`);

    await cell(1, 1).click();
    await page.keyboard.press('Control+End');
    await seen(cell(1_000_000, 2), '1000000');
    expect(await results.locator('.row').count()).toBeLessThan(100);

    await page.keyboard.press('Control+Home');
    const header = results.locator('.header').first();
    await header.click();
    await header.click();
    await seen(cell(1, 1), '999999');

    await results.getByLabel('Search all columns').fill('777777');
    await seen(results.locator('.status'), new RegExp(` of ${NUMBER.format(1_000_000)}`, 'u'));
    await seen(cell(1, 1), '777777');
});

test('of fifty columns those in sight are drawn', async () => {
    writeFileSync(join(code.workspace, 'wide.rulelang'), wideRows(40, COLUMNS));
    await run('wide.rulelang');
    await seen(results.locator('.status'), NUMBER.format(1600));
    const frames = await scrollThrough(results.locator('.grid'));
    if (process.env.VSCODE_LOG) console.log(`frames while scrolling: ${JSON.stringify(frames)}`);
    await cell(1, 1).click();
    await page.keyboard.press('Control+End');
    await seen(cell(1600, COLUMNS), String(1599 + COLUMNS - 1));
    expect(await results.locator('.row >> nth=0').locator('[aria-colindex]').count()).toBeLessThan(COLUMNS);
});

/** Moves down the whole grid in steps of one frame, waits for what is there, and tells how long the frames took. */
async function scrollThrough(grid: Locator): Promise<{ readonly median: number; readonly longest: number }> {
    const lengths = await grid.evaluate(async (element, steps) => {
        const taken: number[] = [];
        let before = performance.now();
        for (let step = 0; step <= steps; step++) {
            element.scrollTop = (element.scrollHeight * step) / steps;
            element.scrollLeft = (element.scrollWidth * step) / steps;
            const now = await new Promise<number>(resolve => requestAnimationFrame(resolve));
            taken.push(now - before);
            before = now;
        }
        element.scrollTo(0, 0);
        return taken.sort((a, b) => a - b);
    }, STEPS);
    await seen(cell(1, 1), '0');
    return { median: Math.round(lengths[STEPS / 2] ?? 0), longest: Math.round(lengths.at(-1) ?? 0) };
}

/** The square of `count` rows. */
function wideRows(count: number, columns: number): string {
    const facts = Array.from({ length: count }, (_, i) => `d(${i}).`).join('');
    const others = Array.from({ length: columns - 1 }, (_, i) => `N + ${i + 1}`);
    return `${facts}\n@output("wide").\nwide(N, ${others.join(', ')}) <- d(A), d(B), N = A * ${count} + B.\n`;
}
