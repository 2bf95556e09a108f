import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { keepShot } from './platform-window.ts';

/** The window of a test file, and of the parts that the file is made of: to open one takes longer than most tests do. */
export let code: VsCode;
export let page: Page;
/** The view that is shown. */
export let results: FrameLocator;
/** What a view complained about, and what it asked other hosts for. */
export const errors: string[] = [];
export const foreign: string[] = [];

/** Opens the window of a test file, which calls this first, and closes it at its end. */
export function shareWindow(): void {
    beforeAll(async () => {
        errors.length = foreign.length = 0;
        code = await startVsCode(unpackedExtension(), { trusted: true, settings: { 'files.autoSave': 'off' } });
        ({ page } = code);
        results = code.results();
        page.on('console', message => {
            if (message.type() === 'error' && /Content Security Policy|results\.js/u.test(message.text())) errors.push(message.text());
        });
        page.on('pageerror', error => errors.push(error.stack ?? error.message));
        page.on('request', request => {
            const own = /^(?:http:\/\/127\.0\.0\.1:|data:|blob:|https:\/\/[^/]+\.vscode-cdn\.net\/)/u;
            if (request.serviceWorker() === null && request.frame() !== page.mainFrame() && !own.test(request.url()))
                foreign.push(request.url());
        });
    }, 900_000);
    afterAll(() => code?.close());
    afterEach(({ task }) => keepShot(page, task));
    /** A second try finds nothing of the first one. */
    beforeEach(async ({ task }) => {
        if ((task.result?.retryCount ?? 0) > 0) await code.host('closeAll');
    });
}

export const cell = (row: number, column: number): Locator =>
    results.locator(`[aria-rowindex="${row + 1}"] [aria-colindex="${column + 1}"]`);
export const header = (name: string): Locator => results.locator('.header', { has: page.locator(`text="${name}"`) });
export const tab = (name: string): Locator => results.locator('.tab', { hasText: name });
export const status = (): Locator => results.locator('.status');

export async function seen(locator: Locator, text: string | RegExp): Promise<void> {
    await expect.poll(() => locator.first().textContent()).toMatch(text);
}

export async function lineOfCursor(): Promise<number | undefined> {
    return (await code.host('cursor'))?.line;
}

/** Leaves nothing of what the tests before have opened. */
export async function tidied(): Promise<void> {
    await code.host('closeAll');
    await code.host('command', 'workbench.action.closePanel');
    await code.host('command', 'workbench.view.explorer');
    await code.host('command', 'notifications.clearAll');
}

/**
 * Runs a program in a fresh view. All views of this VS Code share one service worker, which at times serves none of them
 * when one follows another closely; then the view is opened anew, as often as a slow machine may need.
 */
export async function run(path: string, output?: string): Promise<void> {
    for (const last of [false, false, false, true]) {
        await code.host('closeAll');
        await code.host('open', path);
        expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
        try {
            await results.locator('.status').waitFor({ state: 'attached', timeout: 30_000 });
            break;
        } catch (reason) {
            if (last) throw reason;
            console.warn(`the view of ${path} was not served; opening it once more`);
        }
    }
    if (output !== undefined) await tab(output).click();
}

/** The results of a program are looked at. */
async function isShown(path: string): Promise<boolean> {
    const name = path.split('/').at(-1);
    return (await page.locator('.tabs-container .tab.active', { hasText: `Results: ${name}` }).count()) > 0;
}

/** Shows the rows of an output; the program is run where its results are not there. */
export async function look(path: string, output: string): Promise<void> {
    if (await isShown(path)) await tab(output).click();
    else await run(path, output);
}

/** Runs a program again in the view that it has, which is quicker; without one in a fresh view. */
export async function runAgain(path: string, output?: string): Promise<void> {
    if (!(await isShown(path))) return run(path, output);
    await code.host('open', path);
    expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
    if (output !== undefined) await tab(output).click();
}
