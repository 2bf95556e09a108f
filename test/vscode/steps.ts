import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import type { VsCode } from './harness.ts';

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

export type Answer = readonly [words: string | RegExp, text?: string];

/** Answers the boxes that come one after the other, each known by its words. Without a text what stands in it is taken. */
export async function answer(page: Page, ...answers: readonly Answer[]): Promise<void> {
    const box = page.locator('.quick-input-widget');
    for (const [words, text] of answers) {
        await box.getByText(words).first().waitFor();
        if (text !== undefined) await box.locator('input.input').fill(text);
        await box.locator('input.input').press('Enter');
    }
}

/** Chooses from the list whose box has these words. */
export async function pick(page: Page, words: string, entry: string): Promise<void> {
    await page.locator('.quick-input-widget').getByText(words).first().waitFor();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: entry }).first().click();
}

const VIEWS = ['Program', 'Concepts', 'Data', 'Runs'];

/** Shows a view of the extension, called by its id and its title, alone: beside the others a long tree has too little room to be clicked on. */
export async function lookAtView({ page, host }: Pick<VsCode, 'page' | 'host'>, view: string, name: RegExp): Promise<void> {
    await host('command', `${view}.focus`);
    for (const other of VIEWS.filter(text => !name.test(text))) {
        const open = page.locator('.pane-header[aria-expanded="true"]', { hasText: other });
        if ((await open.count()) > 0) await open.first().click();
    }
}

/** Waits until a tree has the focus that it was given: the editor learns a moment later what has it. */
export async function focused(pane: Locator): Promise<void> {
    await pane.locator('.monaco-list:focus').waitFor();
}

/** Waits until a page or a frame has drawn what was changed before. */
export async function drawn(body: Locator): Promise<void> {
    await body.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** Waits until the view has told the editor what to keep for it over a reload, as JSON; it does so a moment after the last change. */
export async function keptByView(page: Page, isFine: (kept: string) => boolean): Promise<void> {
    const view = page.frameLocator('iframe.webview.ready').locator('html');
    await until('what the view has the editor keep', () => view.evaluate<string, unknown>("globalThis.keptByView ?? ''"), isFine);
}

const THEME_FILES = {
    'Default Dark Modern': 'dark_modern',
    'Default Light Modern': 'light_modern',
    'Default High Contrast': 'hc_black',
    'Default High Contrast Light': 'hc_light',
} as const;
export type Theme = keyof typeof THEME_FILES;

/** Chooses a theme, and waits until the window and a view in it have its colours. */
export async function themed({ page, host }: Pick<VsCode, 'page' | 'host'>, theme: Theme, body?: Locator): Promise<void> {
    await host('configure', 'workbench.colorTheme', theme);
    await page.locator(`.monaco-workbench.vscode-theme-defaults-themes-${THEME_FILES[theme]}-json`).waitFor();
    if (body === undefined) return;
    await until(
        `the colours of ${theme}`,
        () => body.getAttribute('data-vscode-theme-id'),
        id => id === theme,
    );
    await drawn(body);
}
