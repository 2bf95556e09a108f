import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Milliseconds after which a step is taken to be lost, and taken again. */
const LOST = 10_000;

/** Takes a step again until what it leads to is in sight: a click on a tree that is drawn anew meanwhile does nothing. Says what went wrong last. */
export async function leadsTo(sight: Locator, step: () => Promise<unknown>): Promise<void> {
    const taken = async (): Promise<string> => {
        if (await sight.isVisible()) return 'in sight';
        try {
            await step();
            await sight.waitFor({ timeout: LOST });
            return 'in sight';
        } catch (reason) {
            return String(reason);
        }
    };
    await expect.poll(taken).toBe('in sight');
}
