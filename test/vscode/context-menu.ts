import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Chooses from the context menu of an item of a tree. Where the tree is drawn anew meanwhile, the menu is gone, and is opened again. */
export async function chooseFromMenu(page: Page, item: Locator, entry: string): Promise<void> {
    const limit = { timeout: 10_000 };
    const reached = async (): Promise<string> => {
        try {
            await item.click({ button: 'right', ...limit });
            await page.locator('.context-view').getByRole('menuitem', { name: entry }).hover(limit);
            return 'reached';
        } catch (reason) {
            await page.keyboard.press('Escape');
            return String(reason);
        }
    };
    await expect.poll(reached).toBe('reached');
    await page.keyboard.press('Enter');
}
