import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { code, lineOfCursor, page, results, run, runAgain, seen } from '../shared-window.ts';

const PROGRAM = 'programs/absent.rulelang';

const items = (): Locator => results.getByRole('treeitem');
const box = (): Locator => page.locator('.quick-input-widget input[type="text"]:visible, .quick-input-widget input:not([type]):visible');

describe('an output without rows', { retry: 1 }, () => {
    test('says for each rule where it stops', async () => {
        await run(PROGRAM, 'nobody');
        await results.getByRole('button', { name: 'Why is this empty?' }).click();
        await seen(items(), /nobody\(_\) no rule derives one/u);
        await seen(results.locator('.explanation h2'), 'Why it is empty');
        await expect.poll(() => results.locator('.item.reason').count()).toBe(4);
        await seen(results.locator('.item.lack'), 'S > 900 holds for none of the 3 matches: in the first, S is 60');
        await seen(results.locator('.item.holding'), 'works(X, _, S)3 matches');
        await seen(results.locator('.item.reason').nth(2), /ghost has no facts/u);
    });

    test('leads to the literal, and down to what lacks facts', async () => {
        await results.locator('.item.lack').first().getByRole('button').click();
        await expect.poll(lineOfCursor).toBe(9);
        await results.locator('.item.reason').nth(2).click();
        await results.locator('.item.lack', { hasText: 'ghost has no facts' }).click();
        await results.locator('.item.lack', { hasText: 'spirit has no facts' }).click();
        await seen(results.locator('.item.lack', { hasText: 'no fact joins' }), /works\("Ida","Manor",_\) is missing/u);
    });

    test('is explained by the lens of its predicate', async () => {
        await code.host('closeAll');
        const uri = `file://${code.workspace}/${PROGRAM}`;
        expect(await code.host('command', 'rulelang.explainPredicate', uri, 'ghost')).toBe('done');
        await seen(items(), /ghost\(_\) no rule derives one/u);
    });
});

describe('a missing fact', { retry: 1 }, () => {
    test('is chosen by its predicate, and written with its columns in sight', async () => {
        await run(PROGRAM, 'chief');
        await code.host('open', PROGRAM, 7);
        const done = code.host('command', 'rulelang.whyNot');
        const list = page.locator('.quick-input-list .monaco-list-row');
        await expect.poll(() => list.count()).toBeGreaterThan(5);
        await seen(list, /chief.*X, Y · output · 1 fact/u);
        await page.keyboard.press('Enter');
        await expect.poll(() => box().inputValue()).toBe('chief(_, _)');
        await box().fill('chief("Bo")');
        await seen(page.locator('.quick-input-message'), /'chief' has 2 columns, not 1/u);
        await box().fill('chief(Bo, _)');
        await seen(page.locator('.quick-input-message'), /Bo stands for any value/u);
        await box().fill('chief("Bo", "Mill")');
        await expect.poll(() => page.locator('.quick-input-message').textContent()).not.toMatch(/stands for any value;/u);
        await page.keyboard.press('Enter');
        expect(await done).toBe('done');
        await seen(items(), /chief\("Bo","Mill"\) is not derived/u);
        await seen(results.locator('.words h3'), 'Look first at');
        await seen(results.locator('.item.reason', { hasText: 'retired("Bo") is there' }), /chief\(X,Y\) <- works/u);
    });

    test('leads to the literal that stops it, and to why that is so', async () => {
        await results.locator('.item.reason', { hasText: 'retired("Bo") is there' }).first().focus();
        await page.keyboard.press('ArrowRight');
        const lack = results.locator('.item.lack', { hasText: 'retired("Bo") is there' }).first();
        await lack.getByRole('button', { name: /absent\.rulelang:5/u }).click();
        await expect.poll(lineOfCursor).toBe(5);
        await lack.focus();
        await page.keyboard.press('ArrowRight');
        await seen(results.locator('.item[aria-level="4"] .fact'), 'retired("Bo")');
    });

    test('is the one at the cursor', async () => {
        await code.host('open', PROGRAM, 20);
        const done = code.host('command', 'rulelang.whyNot');
        await expect.poll(() => box().inputValue()).toBe('age("Bo", 70)');
        await page.keyboard.press('Enter');
        expect(await done).toBe('done');
        await seen(results.locator('.explanation h2'), 'It is there');
        await seen(items(), /age\("Bo",70\)/u);
    });

    test('begins with what filters say that columns equal', async () => {
        await runAgain(PROGRAM, 'chief');
        await results.locator('.cell').first().click();
        await page.keyboard.press('f');
        await results.getByLabel('Filter X').fill('=Ida');
        await seen(results.locator('.empty-rows'), /No rows match/u);
        await results.getByRole('button', { name: 'Why is a row missing?', exact: true }).click();
        await expect.poll(() => box().inputValue()).toBe('chief("Ida", _)');
        await page.keyboard.press('Enter');
        await seen(results.locator('.item.lack'), /S > 50 does not hold: S is 30; off by 20/u);
    });
});
