import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { RunnerTask } from 'vitest';
import { type PlatformClient, platformClient } from '#server/client/platform-client.ts';
import { until } from '../support/until.ts';
import type { VsCode } from './harness.ts';
import { themed } from './steps.ts';

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

/** A part of a window. */
type Clip = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** Takes a picture of a part of the window once two in a row are the same. */
export async function picture(page: Page, path: string, clip: Clip): Promise<void> {
    let last: Buffer | undefined;
    const look = async (): Promise<boolean> => {
        const before = last;
        last = await page.screenshot({ path, clip });
        return before?.equals(last) === true;
    };
    await until('a window that stands still', look);
}

/** Takes the picture of a page in four themes, below the title of the window. */
export async function inThemes(
    code: Pick<VsCode, 'page' | 'host'>,
    { folder, name, height }: { readonly folder: string; readonly name: string; readonly height: number },
): Promise<void> {
    for (const [theme, called] of Object.entries(THEMES)) {
        await themed(code, called);
        await picture(code.page, join(folder, `${name}-${theme}.png`), { x: 0, y: 35, width: 1440, height });
    }
    await code.host('configure', 'workbench.colorTheme');
}
