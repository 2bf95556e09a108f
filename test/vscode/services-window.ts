import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { keepShot, servicesIn } from './platform-window.ts';

/** The window of a test file, and of the parts that the file is made of, whose services keep their data in a folder of their own. */
export let code: VsCode;
export let page: Page;
/** The folder with their data. */
export let data: string;

/** Opens the window of a test file, which calls this first, and closes it at its end. */
export function shareWindow(): void {
    const home = mkdtempSync(join(tmpdir(), 'rulelang-services-'));
    beforeAll(async () => {
        data = join(home, 'data');
        code = await startVsCode(unpackedExtension(), { trusted: true, settings: servicesIn(data) });
        ({ page } = code);
    }, 900_000);
    afterAll(async () => {
        await code?.close();
        rmSync(home, { recursive: true, force: true });
    });
    afterEach(({ task }) => keepShot(page, task));
}

/** Leaves nothing of what the tests before have opened. */
export async function tidied(): Promise<void> {
    await code.host('closeAll');
    await code.host('command', 'notifications.clearAll');
}
