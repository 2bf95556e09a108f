import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { RunnerTask } from 'vitest';
import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import type { VsCode } from './harness.ts';

/** Settings of a window whose services keep their data in a folder of their own, and whose texts are saved by the test. */
export function servicesIn(data: string): Readonly<Record<string, unknown>> {
    return {
        'files.autoSave': 'off',
        'rulelang.platform.dataDir': data,
        'rulelang.platform.port': 0,
        'rulelang.platform.enginePort': 0,
        'rulelang.platform.chatPort': 0,
    };
}

/** A client of the services that run with a data directory, with the token of their user. */
export function clientOf(data: string): PlatformClient {
    const endpoints = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8'));
    const token = readFileSync(join(data, 'auth/token'), 'utf8').trim();
    return platformClient({ baseUrl: endpoints.base_url, token, fetch: (url, init) => fetch(url, init) });
}

/** `VSCODE_SHOTS=folder` keeps what the window showed when a test failed. */
export async function keepShot(page: Page, { name, result }: Readonly<Pick<RunnerTask, 'name' | 'result'>>): Promise<void> {
    const folder = process.env.VSCODE_SHOTS;
    if (folder && result?.state === 'fail') await page.screenshot({ path: join(folder, `${name.replace(/\W+/gu, '-')}.png`) });
}

const THEMES = {
    dark: 'Default Dark Modern',
    light: 'Default Light Modern',
    contrast: 'Default High Contrast',
    'contrast-light': 'Default High Contrast Light',
} as const;

/** Takes the picture of a page in four themes, below the title of the window; `settled` is the milliseconds that a theme needs to be drawn. */
export async function inThemes(
    { page, host }: Pick<VsCode, 'page' | 'host'>,
    {
        folder,
        name,
        height,
        settled = 1000,
    }: { readonly folder: string; readonly name: string; readonly height: number; readonly settled?: number },
): Promise<void> {
    for (const [theme, called] of Object.entries(THEMES)) {
        await host('configure', 'workbench.colorTheme', called);
        await page.waitForTimeout(settled);
        await page.screenshot({ path: join(folder, `${name}-${theme}.png`), clip: { x: 0, y: 35, width: 1440, height } });
    }
    await host('configure', 'workbench.colorTheme');
}
