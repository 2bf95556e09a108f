import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { layoutFaults, titlesIn } from '../support/layout-faults.ts';
import { plainWords, pseudoLanguage, pseudoText } from '../support/pseudo-language.ts';

/** `PICTURES=/tmp/pictures npx vitest run --config vitest.all.config.ts test/page/words` keeps what was seen. */
const pictures = process.env.PICTURES ?? fs.mkdtempSync(join(tmpdir(), 'rulelang-pictures-'));
const ENGLISH = JSON.parse(fs.readFileSync(new URL('../../extension/words/bundle.l10n.json', import.meta.url), 'utf8'));
/** The language of the reader, in whose place a pseudo-language stands. */
const LANGUAGE = 'de';

const WIDTHS = [420, 800, 1280] as const;
const THEMES = [
    ['light', { colorScheme: 'light', contrast: 'no-preference' }],
    ['dark', { colorScheme: 'dark', contrast: 'no-preference' }],
    ['contrast', { colorScheme: 'dark', contrast: 'more' }],
] as const;

let services: Services;
let browser: Browser;
let page: Page;
const { post, data } = callsTo(() => services);

async function address(): Promise<string> {
    return (await rulelang(services.folder, ['open', '--print', '--data-dir', services.data])).stdout.trim();
}

beforeAll(async () => {
    services = await startServices();
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
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    const context = await browser.newContext({ locale: LANGUAGE });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
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
            await page.goto('about:blank');
            await page.goto(services.base);
            await page.getByRole('heading', { name: pseudoText('This page needs a token') }).waitFor();
        },
    ],
]);

describe.each(WIDTHS)('at %i pixels', width => {
    test.each([...SURFACES])('%s', async (name, open) => {
        await page.setViewportSize({ width, height: 640 });
        await page.goto('about:blank');
        await page.goto(await address());
        await page.locator('.project').first().waitFor();
        await open();
        const faults = [];
        for (const [theme, media] of THEMES) {
            await page.emulateMedia(media);
            await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
            faults.push(...(await layoutFaults(page.locator('body'))).map(fault => `${theme}: ${fault}`));
            await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`) });
        }
        expect(faults).toEqual([]);
        expect((await titlesIn(page.locator('body'))).flatMap(plainWords)).toEqual([]);
    });
});
