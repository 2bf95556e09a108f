import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo } from '../api/calls.ts';
import { type Services, startServices } from '../api/services.ts';
import { rulelang } from '../cli/command-line.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { pasteText } from '../support/paste-text.ts';

const pictures = process.env.PICTURES ?? fs.mkdtempSync(join(tmpdir(), 'rulelang-pictures-'));
const TOWN = 'town("Rome", 2800000).\ntown("Pisa", 90000).\ntown("Bari", 310000).\n@output("town").\n';
const LARGE = '@param("least", 200000).\n% Large towns.\nlarge(N, P) <- town(N, P), P > ?least.\n@output("large").\n';

let services: Services;
let browser: Browser;
let page: Page;
const said: string[] = [];
const { post, get, data } = callsTo(() => services);

async function opened(...more: readonly string[]): Promise<Page> {
    const made = await browser.newPage({ viewport: { width: 1100, height: 640 }, reducedMotion: 'reduce' });
    made.setDefaultTimeout(120_000);
    made.on('console', message => said.push(message.text()));
    made.on('pageerror', error => said.push(error.message));
    await made.goto((await rulelang(services.folder, ['open', '--print', '--data-dir', services.data, ...more])).stdout.trim());
    return made;
}

beforeAll(async () => {
    services = await startServices();
    await data(post('/projects/save', { project: { id: 'cities', name: 'Cities' } }));
    const save = (definition: string, more: object = {}): Promise<unknown> => data(post('/concepts/cities/save', { definition, ...more }));
    await save(TOWN);
    await save(LARGE, { description: 'Towns that are large' });
    await save('greeted(X) <- python:run("greet").\n@output("greeted").\n', {
        python_scripts: { greet: 'def main():\n    # What is said.\n    return [{"X": "hello"}]\n' },
    });
    await save('SELECT name FROM town -- all\n', { concept_type: 'sql', concept_name: 'names' });
    browser = await chromium.launch(CHROMIUM);
    page = await opened('--edit');
});
afterAll(async () => {
    await browser?.close();
    await services?.stop();
});

const code = (on = page) => on.locator('.cm-content');
const text = async (on = page): Promise<string> => (await on.locator('.cm-line').allTextContents()).join('\n');
const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
const state = (on = page) => on.locator('.edit-bar').getByRole('status');
const problem = (words: string | RegExp) => page.locator('.problem', { hasText: words });
const savedText = async (name: string): Promise<string | undefined> => {
    const all = await data<{ concept_name: string; definition: string }[]>(get('/concepts/cities/list?scope=user'));
    return all.find(({ concept_name }) => concept_name === name)?.definition;
};

async function edit(name: string, on = page): Promise<void> {
    await on.locator('.project').first().click();
    await on.locator('.concepts .link', { hasText: new RegExp(`^${name}$`, 'u') }).click();
    await on.locator('.crumbs .value', { hasText: name }).waitFor();
    await on.getByRole('tab', { name: 'Definition' }).first().click();
    await code(on).waitFor();
}

/** Goes behind the last line, where the next clause is written. */
async function toEnd(): Promise<void> {
    await code().click();
    await page.keyboard.press('Control+End');
}

async function picture(name: string): Promise<void> {
    await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    // The caret stays as it is: to hide it brings a style that the policy of the page refuses.
    await page.screenshot({ path: join(pictures, `${name}.png`), caret: 'initial' });
}

/** Writes a text where the cursor is, without what the editor offers for it. */
async function type(written: string): Promise<void> {
    await pasteText(code(), written);
}

/** Puts a text in the place of all others; again, where the cursor has moved meanwhile. */
async function writeAll(written: string): Promise<void> {
    const write = async (): Promise<string> => {
        await page.keyboard.press('Control+a');
        await type(written);
        return await text();
    };
    await expect.poll(write).toBe(written);
}

describe('the language in the page', () => {
    test('names are coloured by what they are', async () => {
        await edit('large');
        expect(await text()).toBe(LARGE);
        await page.locator('.code-predicate.code-output', { hasText: 'large' }).first().waitFor();
        await page.locator('.code-variable', { hasText: /^N$/u }).first().waitFor();
        await page.locator('.code-comment', { hasText: '% Large towns.' }).waitFor();
        expect(await page.locator('.problem').count()).toBe(0);
        await picture('edit-start');
    });

    test('a problem is shown at its place and in a list, and goes when it is mended', async () => {
        await edit('large');
        await toEnd();
        await type('bad(X) <- large(X, P), Q > 3');
        await problem("Missing '.' at the end of this clause").waitFor();
        await type('.');
        await problem("'Q' is used here but never bound").waitFor();
        await page.locator('.cm-lintRange-error', { hasText: 'Q' }).waitFor();
        await picture('edit-problem');
        await problem("'Q' is used here but never bound").click();
        await page.keyboard.type('P');
        await problem("'Q' is used here but never bound").waitFor({ state: 'detached' });
        await button('Discard changes').click();
        await expect.poll(() => text()).toBe(LARGE);
        await state()
            .filter({ hasText: /^Saved$/u })
            .waitFor();
    });

    test('predicates of the program and of other concepts are offered', async () => {
        await edit('large');
        await toEnd();
        await page.keyboard.type('few(X) <- tow');
        const offer = page.locator('.cm-tooltip-autocomplete li', { hasText: 'town' });
        await offer.first().waitFor();
        await picture('edit-completion');
        await page.keyboard.press('Enter');
        await expect.poll(() => text()).toMatch(/few\(X\) <- town\(/u);
        await button('Discard changes').click();
        await toEnd();
        await page.keyboard.type('few(X) <- lar');
        await page.locator('.cm-tooltip-autocomplete li', { hasText: 'large' }).first().waitFor();
        await page.keyboard.press('Escape');
        await button('Discard changes').click();
    });

    test('what something is, under the pointer and by keys', async () => {
        await edit('large');
        await page.locator('.code-predicate', { hasText: 'town' }).hover();
        await page.locator('.card', { hasText: 'town' }).waitFor();
        await picture('edit-hover');
        await page.mouse.move(5, 5);
        await page.locator('.card').waitFor({ state: 'detached' });
        await code().click();
        await page.keyboard.press('Control+Home');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Control+k');
        await page.keyboard.press('Control+i');
        await page.locator('.card', { hasText: 'param' }).waitFor();
        await page.keyboard.press('ArrowRight');
        await page.locator('.card').waitFor({ state: 'detached' });
    });
});

describe('what is typed for one', () => {
    test('the text is laid out, and that is undone', async () => {
        await edit('large');
        await code().click();
        await page.keyboard.press('Control+a');
        await type('large(N,P):-town(N,P).\n@output("large").\n');
        await page.keyboard.press('Shift+Alt+f');
        await expect.poll(() => text()).toBe('large(N, P) <- town(N, P).\n@output("large").\n');
        await page.keyboard.press('Control+z');
        await expect.poll(() => text()).toContain('large(N,P):-town(N,P).');
        await button('Discard changes').click();
        await expect.poll(() => text()).toBe(LARGE);
    });

    test('F2 gives a variable another name, F12 leads to a definition, in another concept too', async () => {
        await edit('large');
        await page.locator('.code-variable', { hasText: /^P$/u }).first().click();
        await page.keyboard.press('F2');
        await page.getByLabel('New name').last().fill('People');
        await page.keyboard.press('Enter');
        await expect.poll(() => text()).toContain('large(N, People) <- town(N, People), People > ?least.');
        await page.locator('.code-predicate', { hasText: 'town' }).click();
        await page.keyboard.press('F12');
        await page.locator('.crumbs .value', { hasText: 'town' }).waitFor();
        await expect.poll(() => text()).toBe(TOWN);
        // What was changed there is there still.
        await edit('large');
        await expect.poll(() => text()).toContain('large(N, People)');
        await button('Discard changes').click();
        await expect.poll(() => text()).toBe(LARGE);
    });

    test('a fix is offered with its problem', async () => {
        await edit('large');
        await toEnd();
        await type('few(X) <- large(X, _)');
        await page.locator('.cm-lintRange-error').hover();
        await page.locator('.cm-diagnosticAction').first().click();
        await expect.poll(() => text()).toContain('few(X) <- large(X, _).');
        await button('Discard changes').click();
    });
});

describe('saving', () => {
    test('Ctrl+S saves, and a run gives the rows of the new text', async () => {
        await edit('large');
        await page.locator('.code-parameter, .code-number', { hasText: '200000' }).first().dblclick();
        await type('80000');
        await state().filter({ hasText: 'Unsaved changes' }).waitFor();
        await page.keyboard.press('Control+s');
        await state()
            .filter({ hasText: /^Saved$/u })
            .waitFor();
        await expect.poll(() => savedText('large')).toBe(LARGE.replace('200000', '80000'));
        await button('Run').click();
        await page.locator('.run-notice', { hasText: 'It has run' }).waitFor();
        expect(await code().isVisible()).toBe(true);
        await page.getByRole('tab', { name: 'Rows' }).click();
        await page.locator('.status', { hasText: /^3 rows/u }).waitFor();
    });

    test('what is written is saved before it runs', async () => {
        await edit('large');
        await page.locator('.code-number', { hasText: '80000' }).first().dblclick();
        await type('1000000');
        await state().filter({ hasText: 'Unsaved changes' }).waitFor();
        await button('Run').click();
        await expect.poll(() => savedText('large')).toContain('1000000');
        await page.getByRole('tab', { name: 'Rows' }).click();
        await page.locator('.status', { hasText: /^1 row/u }).waitFor();
    });

    test('what the services refuse is said at its place, and nothing runs', async () => {
        await edit('large');
        await toEnd();
        await type('broken(X) <- town(X');
        await page.keyboard.press('Control+s');
        await page.getByRole('alert').filter({ hasText: 'It was not saved:' }).waitFor();
        await page.locator('.cm-lintRange-error').first().waitFor();
        await state().filter({ hasText: 'Unsaved changes' }).waitFor();
        await picture('edit-refused');
        expect(await savedText('large')).not.toContain('broken');
        await button('Discard changes').click();
    });

    test('a reload keeps what is not saved, and so does leaving', async () => {
        await edit('large');
        await toEnd();
        await type('% kept\n');
        await page.reload();
        await page.getByRole('tab', { name: 'Definition' }).first().click();
        await expect.poll(() => text()).toContain('% kept');
        await state().filter({ hasText: 'Unsaved changes' }).waitFor();
        await edit('town');
        await expect.poll(() => text()).toBe(TOWN);
        await edit('large');
        await expect.poll(() => text()).toContain('% kept');
        await button('Discard changes').click();
        await state()
            .filter({ hasText: /^Saved$/u })
            .waitFor();
        expect(await page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('concept'))")).toEqual([]);
    });

    test('where somebody else has saved meanwhile, both texts are shown, and one is chosen', async () => {
        const theirs = 'town("Oslo", 700000).\n@output("town").\n';
        await edit('town');
        await toEnd();
        await type('town("Bern", 130000).\n');
        await data(post('/concepts/cities/save', { definition: theirs, existing_name: 'town', concept_name: 'town' }));
        await page.keyboard.press('Control+s');
        await page.getByRole('alert').filter({ hasText: "'town' was saved by somebody else" }).waitFor();
        await page.locator('.diff-line.removed', { hasText: 'Oslo' }).waitFor();
        await page.locator('.diff-line.added', { hasText: 'Bern' }).waitFor();
        await picture('edit-conflict');
        expect(await savedText('town')).toBe(theirs);
        await button('Take theirs').click();
        await expect.poll(() => text()).toBe(theirs);
        await state()
            .filter({ hasText: /^Saved$/u })
            .waitFor();
        await code().click();
        await page.keyboard.press('Control+a');
        await page.keyboard.type('t');
        await expect.poll(() => text()).toBe('t');
        await writeAll(TOWN);
        await data(post('/concepts/cities/save', { definition: `${theirs}% later\n`, existing_name: 'town', concept_name: 'town' }));
        await page.keyboard.press('Control+s');
        await button('Keep mine').click();
        // What the page says instead stands in the failure.
        const outcome = async (): Promise<string | null> =>
            (await savedText('town')) === TOWN ? 'saved' : await page.locator('.edit-notice').textContent();
        await expect.poll(outcome).toBe('saved');
        await state()
            .filter({ hasText: /^Saved$/u })
            .waitFor();
    });

    test('scripts and queries are edited and saved, too', async () => {
        await edit('greeted');
        await page.getByRole('tab', { name: 'greet.py' }).click();
        await page.locator('.code-keyword', { hasText: 'return' }).waitFor();
        await page.locator('.cm-line', { hasText: 'What is said' }).click();
        await page.keyboard.press('End');
        await type(' Today.');
        await page.keyboard.press('Control+s');
        await state()
            .filter({ hasText: /^Saved$/u })
            .waitFor();
        const [greeted] = (
            await data<{ concept_name: string; python_scripts: Record<string, string> }[]>(get('/concepts/cities/list?scope=user'))
        ).filter(({ concept_name }) => concept_name === 'greeted');
        expect(greeted?.python_scripts.greet).toContain('What is said. Today.');
        await edit('names');
        await page.locator('.code-keyword', { hasText: 'SELECT' }).waitFor();
        await toEnd();
        await type('WHERE name <> 1 2\n');
        await page.keyboard.press('Control+s');
        await page.getByRole('alert').filter({ hasText: 'It was not saved:' }).waitFor();
        await button('Discard changes').click();
    });
});

describe('what there is', () => {
    const entry = (name: string) => page.locator('.concepts .link', { hasText: new RegExp(`^${name}$`, 'u') });
    const more = (name: string) => button(`What to do with ${name}`);
    const sheet = () => page.getByRole('dialog');
    const names = () => page.locator('.concepts .link').allTextContents();
    const list = async (): Promise<void> => {
        await page.locator('.project').first().click();
        await entry('large').waitFor();
    };

    test('a new concept is made of rules, SQL or Python, and opened', async () => {
        await list();
        await button('New concept').click();
        await page.getByRole('menuitem', { name: 'SQL' }).waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await sheet().getByLabel('Name').fill('large');
        await page.keyboard.press('Enter');
        await sheet().getByRole('alert').filter({ hasText: 'There is a concept of this name' }).waitFor();
        await sheet().getByLabel('Name').fill('hello');
        await page.keyboard.press('Enter');
        await page.locator('.crumbs .value', { hasText: 'hello' }).waitFor();
        await page.locator('.code-keyword', { hasText: 'SELECT' }).waitFor();
        await button('Run').click();
        await page.locator('.run-notice', { hasText: 'It has run.' }).waitFor();
    });

    test('F2 gives a concept another name, also in those that read it', async () => {
        await list();
        await entry('town').focus();
        await page.keyboard.press('F2');
        await sheet().filter({ hasText: 'It is renamed in those that read it, too: large, names' }).waitFor();
        await sheet().getByLabel('Name').fill('city');
        await picture('edit-rename');
        await page.keyboard.press('Enter');
        await entry('city').waitFor();
        expect(await savedText('large')).toContain('city(N, P)');
        await more('city').click();
        await page.getByRole('menuitem', { name: 'Rename' }).click();
        await sheet().getByLabel('Name').fill('town');
        await page.keyboard.press('Enter');
        await entry('town').waitFor();
    });

    test('what has unsaved changes is marked, and not renamed', async () => {
        await edit('large');
        await toEnd();
        await type('% more\n');
        await list();
        await page.locator('.concepts tr', { hasText: 'large' }).getByText('Unsaved changes').waitFor();
        await entry('town').focus();
        await page.keyboard.press('F2');
        await sheet().getByLabel('Name').fill('city');
        await page.keyboard.press('Enter');
        await sheet().getByRole('alert').filter({ hasText: "'large' has unsaved changes" }).waitFor();
        await page.keyboard.press('Escape');
        await edit('large');
        await button('Discard changes').click();
    });

    test('a copy has a name of its own in its rules', async () => {
        await list();
        await more('large').click();
        await page.getByRole('menuitem', { name: 'Duplicate' }).click();
        await sheet().getByLabel('Name').fill('big');
        await page.keyboard.press('Enter');
        await page.locator('.crumbs .value', { hasText: 'big' }).waitFor();
        await expect.poll(() => text()).toContain('big(N, P) <- town(N, P)');
        expect(await savedText('big')).toContain('@output("big")');
    });

    test('what was deleted is brought back, by the notice and by keys', async () => {
        await list();
        await entry('big').focus();
        await page.keyboard.press('Delete');
        await page.locator('.deleted-notice', { hasText: "'big' was deleted." }).waitFor();
        expect(await names()).not.toContain('big');
        await picture('edit-deleted');
        await button('Undo').click();
        await entry('big').waitFor();
        await more('big').click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await page.locator('.deleted-notice').waitFor();
        await page.keyboard.press('Control+z');
        await entry('big').waitFor();
        await page.locator('.deleted-notice').waitFor({ state: 'detached' });
    });

    test('rows that do not come back are not deleted unasked', async () => {
        await list();
        await entry('large').focus();
        // A list that is drawn anew meanwhile leaves the focus where it was: the key is meant for that concept.
        const before = await entry('large').elementHandle();
        await page.evaluate("dispatchEvent(new HashChangeEvent('hashchange'))");
        await before?.waitForElementState('hidden');
        await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('large');
        await page.keyboard.press('Delete');
        await sheet().filter({ hasText: "Delete 'large' and what is stored of it (1 row)?" }).waitFor();
        await page.keyboard.press('Escape');
        expect(await names()).toContain('large');
    });

    test('projects are made, renamed and deleted', async () => {
        await button('New project').click();
        await sheet().getByLabel('What the project is called').fill('Rivers');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Rivers' }).waitFor();
        await page.getByRole('heading', { name: 'No concepts yet' }).waitFor();
        await more('Rivers').click();
        await page.getByRole('menuitem', { name: 'Rename project' }).click();
        await sheet().getByLabel('What the project is called').fill('Streams');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Streams' }).waitFor();
        await more('Streams').click();
        await page.getByRole('menuitem', { name: 'Delete project' }).click();
        await sheet().getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('heading', { name: 'Cities' }).waitFor();
        expect(await page.locator('.project').count()).toBe(1);
    });

    test.each(['light', 'dark'] as const)('a picture, %s', async scheme => {
        await page.emulateMedia({ colorScheme: scheme });
        await list();
        await more('large').click();
        await picture(`page-concepts-${scheme}`);
        await page.keyboard.press('Escape');
        await page.setViewportSize({ width: 300, height: 640 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(300);
        await picture(`page-concepts-narrow-${scheme}`);
        await page.setViewportSize({ width: 1100, height: 640 });
    });
});

test('a page for reading shows the definition and changes nothing', async () => {
    const viewer = await opened();
    await viewer.locator('.concepts .link', { hasText: /^large$/u }).click();
    await viewer.getByRole('tab', { name: 'Definition' }).click();
    await viewer.locator('.definition pre', { hasText: 'large(N, P)' }).waitFor();
    expect(await viewer.locator('.cm-content').count()).toBe(0);
    expect(await button('Save', viewer).count()).toBe(0);
    await viewer.locator('.project').first().click();
    await viewer.locator('.concepts .link').first().waitFor();
    for (const name of ['New concept', 'New project', 'What to do with large']) expect(await button(name, viewer).count()).toBe(0);
    await viewer.locator('.concepts .link').first().focus();
    await viewer.keyboard.press('Delete');
    expect(await viewer.getByRole('dialog').count()).toBe(0);
    await viewer.close();
});

describe('pictures', () => {
    test.each([
        ['light', { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' }],
        ['dark', { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' }],
        ['contrast', { colorScheme: 'dark', contrast: 'more', forcedColors: 'none' }],
        ['contrast-light', { colorScheme: 'light', contrast: 'more', forcedColors: 'none' }],
        ['forced', { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'active' }],
    ] as const)('%s', async (name, media) => {
        await page.emulateMedia(media);
        await edit('large');
        await toEnd();
        await type('few(X) <- large(X, P), Q > 3.\n');
        await problem("'Q' is used here but never bound").waitFor();
        await page.keyboard.type('n(X) <- tow');
        await page.locator('.cm-tooltip-autocomplete').waitFor();
        await picture(`page-edit-${name}`);
        await page.keyboard.press('Escape');
        await page.setViewportSize({ width: 300, height: 640 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(300);
        expect(await button('Save').isVisible()).toBe(true);
        await picture(`page-edit-narrow-${name}`);
        await page.setViewportSize({ width: 1100, height: 640 });
        await button('Discard changes').click();
    });
});

test('the policy of the page has refused nothing', () => {
    expect(said.filter(line => !line.startsWith('Failed to load resource'))).toEqual([]);
});
