import fs from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { layoutFaults, titlesIn } from '../support/layout-faults.ts';
import { englishIn, pseudoLanguage, pseudoText } from '../support/pseudo-language.ts';

/** `PICTURES=/tmp/pictures npx vitest run --config vitest.all.config.ts test/page/words` keeps what was seen. */
const pictures = process.env.PICTURES;
const ENGLISH = JSON.parse(fs.readFileSync(new URL('../../extension/words/bundle.l10n.json', import.meta.url), 'utf8'));
/** The language of the reader, in whose place a pseudo-language stands. */
const LANGUAGE = 'de';

/** A source that is called the same in every language. */
const SOURCE = 'people.csv';
const WIDTHS = [420, 800, 1280] as const;
const NARROW = 340;
/** Each width in one theme, the narrowest in the one whose edges take room; pictures show all of them. */
const THEMES = [
    ['light', { colorScheme: 'light', contrast: 'no-preference' }, (width: number) => pictures !== undefined || width === 1280],
    ['dark', { colorScheme: 'dark', contrast: 'no-preference' }, (width: number) => pictures !== undefined || width === 800],
    ['contrast', { colorScheme: 'dark', contrast: 'more' }, (width: number) => pictures !== undefined || width < 800],
] as const;
/** At which width a theme is looked at as those do who do not see well. */
const ACCESSIBLE = { light: 1280, dark: 800, contrast: 420 } as const;

let services: Services;
let browser: Browser;
let page: Page;
/** What `rulelang open` prints for those who may look, and for those who may change things. */
let toLook: string;
let toChange: string;
const { post, data } = callsTo(() => services);

async function address(...more: readonly string[]): Promise<string> {
    return (await rulelang(services.folder, ['open', ...more, '--print', '--data-dir', services.data])).stdout.trim();
}

beforeAll(async () => {
    services = await startServices({ [SOURCE]: 'ñ,þ\nAda,1815\nGrace,1906\n' });
    const people = { databaseType: 'csv', host: services.folder, databaseName: SOURCE, username: '', password: '' };
    await data(post('/data/connect', { database: people, computeRowCount: true }));
    await data(post('/projects/save', { project: { id: 'cities', name: 'Cities', description: 'Where people live' } }));
    const towns = Array.from({ length: 300 }, (_, i) => `town("Town ${i}", ${(i * 7919) % 100_003}, ${i % 2 === 0 ? '#T' : '#F'}).`);
    const save = (definition: string): Promise<unknown> => data(post('/concepts/cities/save', { definition }));
    await save(`${towns.join('\n')}\n@model("town", "['name:string', 'people:int', 'coast:boolean']").\n@output("town").`);
    await save('@param("least", 90000).\nlarge(N, P) :- town(N, P, _), P > ?least.');
    await save('never(N) :- large(N, 1).');
    await save('waiting(N) :- large(N, _).');
    await save('broken(N) :- large(N, P), R = 1 / (P - P), R > 0.');
    for (const concept of ['town', 'large', 'never']) await data(post(`/concepts/cities/run/${concept}`, {}));
    await post('/concepts/cities/run/broken', {});
    await data(post('/dashboards/cities/save', { dashboard: { name: 'ß1' } }));
    browser = await chromium.launch(CHROMIUM);
    toLook = await address();
    toChange = await address('--edit');
    const context = await browser.newContext({ locale: LANGUAGE, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.route('**/words.json', route => route.fulfill({ json: { [LANGUAGE]: pseudoLanguage(ENGLISH) } }));
});
afterAll(async () => {
    await browser?.close();
    await services?.stop();
});

const button = (name: string) => page.getByRole('button', { name: pseudoText(name), exact: true });

async function openConcept(name: string, tab?: string): Promise<void> {
    await page.locator('.project').first().click();
    await page.locator('.concepts .link', { hasText: new RegExp(`^${name}$`, 'u') }).click();
    await page.locator('.crumbs .value', { hasText: name }).waitFor();
    if (tab !== undefined) await page.getByRole('tab', { name: pseudoText(tab) }).click();
}

async function openRows(name: string): Promise<void> {
    await openConcept(name);
    await page.locator('.cell').first().click();
}

/** What a reader comes to see, each from the page as it is opened. */
const SURFACES: ReadonlyMap<string, () => Promise<void>> = new Map([
    ['project', async () => page.locator('.concepts .link').first().waitFor()],
    ['rows', async () => openRows('town')],
    [
        'filters',
        async () => {
            await openRows('town');
            await page.keyboard.press('f');
            await page.locator('.filter input').first().fill('Town 1');
        },
    ],
    [
        'operators',
        async () => {
            await openRows('town');
            await page.keyboard.press('f');
            await page.locator('.operators').first().click();
        },
    ],
    [
        'graph of rows',
        async () => {
            await openRows('town');
            await page.keyboard.press('c');
            await page.getByLabel(pseudoText('Kind of chart')).selectOption('graph');
            await page.locator('.node-graph .node').nth(1).waitFor();
        },
    ],
    [
        'columns',
        async () => {
            await openRows('town');
            await button('Columns').click();
        },
    ],
    [
        'unmatched',
        async () => {
            await openRows('town');
            await page.locator('.search input').fill('nowhere');
            await button('Clear filters').waitFor();
        },
    ],
    [
        'keys',
        async () => {
            await openRows('town');
            await page.keyboard.press('?');
        },
    ],
    [
        'cell',
        async () => {
            await openRows('town');
            await page.keyboard.press('Enter');
            await page.getByRole('dialog').waitFor();
        },
    ],
    [
        'explanation',
        async () => {
            await openRows('large');
            await page.keyboard.press('e');
            await page.locator('.explanation .rule').first().waitFor();
        },
    ],
    [
        'missing-sheet',
        async () => {
            await openRows('large');
            await page.keyboard.press('m');
            await page.locator('dialog').waitFor();
        },
    ],
    [
        'missing',
        async () => {
            await openRows('large');
            await page.keyboard.press('m');
            await page.locator('dialog input').first().fill('Town 1');
            await page.keyboard.press('Enter');
            await page.locator('.item.lack').first().waitFor();
        },
    ],
    [
        'empty',
        async () => {
            await openConcept('never');
            await button('Why is this empty?').click();
            await page.locator('.item.lack').first().waitFor();
        },
    ],
    ['waiting', async () => openConcept('waiting')],
    ['broken', async () => openConcept('broken')],
    ['runs', async () => openConcept('broken', 'Runs')],
    ['definition', async () => openConcept('large', 'Definition')],
    [
        'no-token',
        async () => {
            await page.evaluate('sessionStorage.clear()');
            await page.goto('about:blank');
            await page.goto(services.base);
            await page.getByRole('heading', { name: pseudoText('This page needs a token') }).waitFor();
        },
    ],
]);

async function openSection(name: string): Promise<void> {
    await page.locator('.section', { hasText: pseudoText(name) }).click();
    await page.locator('.section[aria-current]', { hasText: pseudoText(name) }).waitFor();
}
async function openSheet(opener: string): Promise<void> {
    await button(opener).click();
    await page.locator('dialog').waitFor();
}

/** What those come to see who may change things. */
const CHANGING: ReadonlyMap<string, () => Promise<void>> = new Map([
    [
        'data',
        async () => {
            await openSection('Data');
            await page.locator('.table-row .icon-button').first().click();
        },
    ],
    [
        'connect',
        async () => {
            await openSection('Data');
            await openSheet('Connect a source');
            await page.locator('dialog [name=type]').selectOption('postgresql');
        },
    ],
    [
        'source',
        async () => {
            await openSection('Data');
            await page.locator('.table-row .link').first().click();
            await page.locator('.cell').first().click();
            await page.keyboard.press('p');
            await page.locator('.profile-figures').waitFor();
        },
    ],
    [
        'settings',
        async () => {
            await openSection('Settings');
            await page.locator('.settings-list').first().waitFor();
        },
    ],
    [
        'model',
        async () => {
            await openSection('Settings');
            await openSheet('Configure a model');
        },
    ],
    [
        'dashboards',
        async () => {
            await openSection('Dashboards');
            await page.locator('.dashboard-list li').first().waitFor();
        },
    ],
]);

test.each([...CHANGING])('%s, with changes', (name, open) => looked(name, [NARROW, ...WIDTHS], open, toChange));
test.each([...SURFACES])('%s', (name, open) => looked(name, WIDTHS, open, toLook));

/** Opens what is widest, and looks at it again as the window becomes smaller. */
async function looked(name: string, widths: readonly number[], open: () => Promise<void>, from: string): Promise<void> {
    const narrower = widths.toReversed();
    await page.setViewportSize({ width: narrower[0] as number, height: 640 });
    // Another address, so that the page is loaded anew; of the same site, so that the browser needs no other process for it.
    await page.goto(`${services.base}/words.json`);
    await page.goto(from);
    await page.locator('.project').first().waitFor();
    await open();
    const faults: string[] = [];
    for (const width of narrower) {
        await page.setViewportSize({ width, height: 640 });
        faults.push(...(await faultsAt(name, width)));
    }
    expect(faults).toEqual([]);
    expect(englishIn((await titlesIn(page.locator('body'))).join('\n'), SOURCE)).toEqual([]);
}

async function faultsAt(name: string, width: number): Promise<string[]> {
    const faults: string[] = [];
    for (const [theme, media, isSeenAt] of THEMES) {
        if (!isSeenAt(width)) continue;
        await page.emulateMedia(media);
        await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
        faults.push(...(await layoutFaults(page.locator('body'))).map(fault => `${theme}: ${fault}`));
        if (width === ACCESSIBLE[theme])
            faults.push(
                ...(await accessibilityFaults(page.locator('body'), theme === 'contrast' ? 'all' : 'colours')).map(
                    fault => `${theme}: ${fault}`,
                ),
            );
        if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`) });
    }
    return faults.map(fault => `${width}, ${fault}`);
}
