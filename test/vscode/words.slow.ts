import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { layoutFaults, titlesIn } from '../support/layout-faults.ts';
import { plainWords, pseudoLanguage, pseudoText } from '../support/pseudo-language.ts';
import { until } from '../support/until.ts';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { drawn, type Theme, themed } from './steps.ts';

/** `PICTURES=/tmp/pictures npx vitest run --config vitest.all.config.ts test/vscode/words` keeps what was seen. */
const pictures = process.env.PICTURES;

/** The language of the reader, in whose place a pseudo-language stands. */
const LANGUAGE = 'de';
const WIDTHS = [480, 800, 1280] as const;
/** Each width in one theme, the narrowest in the one whose edges take room; pictures show all of them. */
const THEMES: readonly (readonly [name: string, theme: Theme, widths: readonly number[]])[] = [
    ['dark', 'Default Dark Modern', pictures === undefined ? [1280] : WIDTHS],
    ['light', 'Default Light Modern', pictures === undefined ? [800] : WIDTHS],
    ['contrast', 'Default High Contrast', pictures === undefined ? [480] : WIDTHS],
];

let extension: string;
let code: VsCode;
let page: Page;
let results: FrameLocator;
/** The program and the output whose rows are shown. */
let shown = '';

beforeAll(async () => {
    extension = mkdtempSync(join(tmpdir(), 'rulelang-translated-'));
    cpSync(unpackedExtension(), extension, { recursive: true });
    for (const [english, translated] of [
        ['l10n/bundle.l10n.json', `l10n/bundle.l10n.${LANGUAGE}.json`],
        ['package.nls.json', `package.nls.${LANGUAGE}.json`],
    ] as const) {
        const words = JSON.parse(readFileSync(join(extension, english), 'utf8'));
        writeFileSync(join(extension, translated), JSON.stringify(pseudoLanguage(words)));
    }
    code = await startVsCode(extension, {
        trusted: true,
        language: LANGUAGE,
        size: { width: 1280, height: 780 },
        settings: { 'workbench.activityBar.location': 'hidden', 'breadcrumbs.enabled': false },
    });
    ({ page } = code);
    results = code.results();
    await code.host('command', 'workbench.action.closeSidebar');
}, 900_000);
afterAll(async () => {
    await code?.close();
    rmSync(extension, { recursive: true, force: true });
});

/** A second try begins anew. */
beforeEach(({ task }) => {
    if ((task.result?.retryCount ?? 0) > 0) shown = '';
});

const button = (name: string) => results.getByRole('button', { name: pseudoText(name), exact: true });

/** Runs a program whose results then have the window to themselves; those that are shown already are looked at again. */
async function run(path: string, output = ''): Promise<void> {
    if (shown === path + output) {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        return;
    }
    if (shown.startsWith(path)) {
        await results.locator('.tab', { hasText: output }).click();
        shown = path + output;
        return;
    }
    shown = '';
    await code.host('closeAll');
    await code.host('open', path, 1);
    await code.host('command', 'rulelang.runProgram');
    if (output !== '') await results.locator('.tab', { hasText: output }).click();
    await alone();
    shown = path + output;
}

/** Gives the column of the view all of the window. */
async function alone(): Promise<void> {
    await code.host('command', 'workbench.action.focusSecondEditorGroup');
    await code.host('command', 'workbench.action.toggleMaximizeEditorGroup');
}

async function press(key: string): Promise<void> {
    await results.locator('.cell').first().click();
    await page.keyboard.press(key);
}

/** Everything that the views of results and graphs can show. */
const SURFACES: ReadonlyMap<string, () => Promise<void>> = new Map([
    [
        'rows',
        async () => {
            await run('control/control.rulelang', 'joint');
            await results.locator('.cell').first().click();
        },
    ],
    [
        'export',
        async () => {
            await run('control/control.rulelang', 'joint');
            await button('Export').click();
            await results.locator('.menu').waitFor();
        },
    ],
    [
        'keys',
        async () => {
            await run('control/control.rulelang', 'joint');
            await press('?');
        },
    ],
    [
        'explanation',
        async () => {
            await run('control/control.rulelang', 'joint');
            await press('e');
            await results.getByRole('treeitem').nth(2).waitFor();
        },
    ],
    [
        'filters',
        async () => {
            await run('programs/shapes.rulelang', 'kept');
            await press('f');
            await results.locator('.operators').first().click();
        },
    ],
    [
        'parameters',
        async () => {
            await run('programs/tariff.rulelang');
            await results.locator('.parameters').waitFor();
        },
    ],
    [
        'parameters to fill in',
        async () => {
            expect(await code.host('command', 'rulelang.runWithParameters')).toBe('done');
            await results.locator('.parameter-form input').first().waitFor();
        },
    ],
    [
        'empty',
        async () => {
            await run('programs/absent.rulelang', 'nobody');
            await button('Why is this empty?').click();
            await results.locator('.item.lack').first().waitFor();
        },
    ],
    [
        'errors',
        async () => {
            await run('programs/problems.rulelang');
            await results.locator('.notice').first().waitFor();
        },
    ],
    [
        'stopped',
        async () => {
            shown = '';
            await code.host('closeAll');
            await code.host('open', 'programs/endless.rulelang');
            const done = code.host('command', 'rulelang.runProgram');
            await button('Stop').click();
            await done;
            await results.getByRole('heading', { name: pseudoText('Run stopped') }).waitFor();
            await alone();
        },
    ],
    [
        'graph of rows',
        async () => {
            await run('programs/network.rulelang', 'held');
            await press('c');
            await results.getByLabel(pseudoText('Kind of chart')).selectOption('graph');
            await results.locator('.node-graph .node').nth(2).waitFor();
            await results.locator('.neighbours summary').click();
        },
    ],
    [
        'timeline',
        async () => {
            await run('programs/network.rulelang', 'stayed');
            await press('c');
            await results.getByLabel(pseudoText('Kind of chart')).selectOption('timeline');
            await results.locator('.timeline .target').nth(2).waitFor();
        },
    ],
    [
        'graph',
        async () => {
            shown = '';
            await code.host('closeAll');
            await code.host('open', 'control/control.rulelang', 14);
            await code.host('command', 'rulelang.showDependencyGraph');
            await results.locator('.node').first().waitFor();
            await alone();
        },
    ],
]);

describe.each([...SURFACES])('%s', (name, open) => {
    test('can be read at every width and in every theme', { retry: 1 }, async () => {
        await page.setViewportSize({ width: 1280, height: 780 });
        await open();
        const body = results.locator('body');
        const faults = [];
        for (const [theme, label, widths] of THEMES) {
            await themed(code, label, body);
            for (const width of widths) {
                await page.setViewportSize({ width, height: 780 });
                await until(
                    `${width} pixels`,
                    () => body.evaluate<number, unknown>('innerWidth'),
                    wide => wide === width,
                );
                await drawn(body);
                faults.push(...(await layoutFaults(body)).map(fault => `${theme}, ${width}: ${fault}`));
                if (pictures !== undefined) await page.screenshot({ path: join(pictures, `vscode-${name}-${width}-${theme}.png`) });
            }
            faults.push(...(await accessibilityFaults(body, theme === 'contrast' ? 'all' : 'colours')).map(fault => `${theme}: ${fault}`));
        }
        expect(faults).toEqual([]);
        expect((await titlesIn(body)).flatMap(plainWords)).toEqual([]);
    });
});
