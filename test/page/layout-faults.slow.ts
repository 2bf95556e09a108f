import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { layoutFaults } from '../support/layout-faults.ts';

const CUT = 'width: 40px; overflow: hidden; white-space: nowrap';

let browser: Browser;
let page: Page;

beforeAll(async () => {
    browser = await chromium.launch(CHROMIUM);
    page = await browser.newPage({ viewport: { width: 400, height: 300 } });
});
afterAll(() => browser?.close());

test.each([
    ['<p>Short</p><button>Open</button>', []],
    [`<p class="a" style="${CUT}">A long text here</p>`, ['cut: A long text here in p.a']],
    [`<p class="a" style="${CUT}; text-overflow: ellipsis">A long text here</p>`, ['cut without a tooltip: A long text here in p.a']],
    [`<p class="a" style="${CUT}; text-overflow: ellipsis" title="A long text here">A long text here</p>`, []],
    ['<p class="a" style="height: 8px; overflow: hidden">One line</p>', ['cut below: One line in p.a']],
    ['<p style="margin: 0">Below</p><p style="position: absolute; top: 14px; margin: 0">Above</p>', ['overlap: Below and Above']],
    ['<p style="width: 500px">Wide</p>', ['the page scrolls sideways: 508 of 400']],
    ['<div style="width: 50px; overflow: auto"><p style="width: 500px">Wide</p></div>', []],
    [
        '<button class="a" style="position: absolute; left: 20px; width: 60px">Under</button><p style="position: absolute; margin: 0; background: red; width: 100px">.</p>',
        ['not in sight with the focus: button.a Under'],
    ],
])('%s', async (html, faults) => {
    await page.setContent(`<body style="overflow-wrap: normal">${html}</body>`);
    expect(await layoutFaults(page.locator('body'))).toEqual(faults);
});
