import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { chooseFromMenu } from './context-menu.ts';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { clientOf, inThemes, keepShot, servicesIn } from './platform-window.ts';
import { type Answer, answer, leadsTo, lookAtView, pick } from './steps.ts';

const ANIMALS = `@prefix : <http://example.org/animals#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Dog a owl:Class ; rdfs:subClassOf :Animal .
:rex a :Dog .
`;

const home = mkdtempSync(join(tmpdir(), 'rulelang-concepts-'));
const data = join(home, 'data');
let code: VsCode;
let page: Page;
let client: PlatformClient;

beforeAll(async () => {
    code = await startVsCode(unpackedExtension(), {
        trusted: true,
        settings: servicesIn(data),
    });
    ({ page } = code);
}, 900_000);
afterAll(async () => {
    await code?.close();
    rmSync(home, { recursive: true, force: true });
});
afterEach(({ task }) => keepShot(page, task));

/** `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/vscode/concepts` takes that of the pages anew. */
async function takePictures(): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder === undefined) return;
    await inThemes(code, { folder, name: 'concepts', height: 600 });
}

/** `LOOK=folder` takes pictures of what is shown. */
async function look(name: string): Promise<void> {
    const folder = process.env.LOOK;
    if (folder) await inThemes(code, { folder, name, height: 800 });
}

const button = (text: string): Locator => page.locator('.welcome-view .monaco-button', { hasText: text });
const item = (text: string): Locator => page.locator('.pane-body [role=treeitem]', { has: page.getByText(text, { exact: true }) }).first();
/** Opens a concept, of which the extension host hears a moment after the window. */
async function opened(name: string, text: string): Promise<void> {
    await item(name).dblclick();
    await page.locator('.tab.active', { hasText: `${name}.` }).waitFor();
    await expect.poll(() => code.host('text')).toContain(text);
}
const chosen = (name: string, entry: string): Promise<void> => chooseFromMenu(page, item(name), entry);
/** Begins a command that asks for something, and answers it. */
async function answered(command: string, ...answers: readonly Answer[]): Promise<void> {
    const done = code.host('command', `rulelang.${command}`);
    await answer(page, ...answers);
    expect(await done).toBe('done');
}
const newConcept = (kind: string, name: string): Promise<void> =>
    answered('newConcept', ['what is it made of?', kind], [/^New concept$/u, name]);
const definitionOf = async (name: string): Promise<string | undefined> => {
    const [project] = await client.listProjects({});
    const concepts = await client.listConcepts({ path: { project_id: project?.id ?? '' } });
    return concepts.find(({ concept_name }) => concept_name === name)?.definition;
};
const type = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
};

test('the view says how to begin, and its one button does', async () => {
    await page.locator('.activitybar .action-item', { has: page.locator('[aria-label="Rulelang"]') }).click();
    await button('Start Local Services').click();
    await button('New Project').waitFor();
    client = clientOf(data);
    await button('New Project').click();
    await answer(page, ['What the project is called', 'Ownership']);
    await item('Ownership').waitFor();
});

test('a concept of rules is made, written and saved, and knows the columns of the others', async () => {
    await newConcept('Rules', 'owns');
    await item('owns').waitFor();
    await page.locator('.tab.active', { hasText: 'owns.rulelang' }).waitFor();
    await page.locator('.editor-instance .monaco-editor .view-lines').first().click();
    await type(
        'owns("ann", "acme", 60).\nowns("acme", "bolt", 55).\n@output("owns").\n@model("owns", "[\'owner:string\', \'company:string\', \'percent:int\']").\n',
    );
    await page.keyboard.press('Control+S');
    await expect.poll(() => definitionOf('owns')).toContain('acme');

    await newConcept('Rules', 'controls');
    await page.locator('.tab.active', { hasText: 'controls.rulelang' }).waitFor();
    await page.locator('.editor-instance .monaco-editor .view-lines').first().click();
    await type('controls(X, Y) <- owns(X, Y, W, V), W > V.\n@output("controls").\n');
    // `owns` has three columns, which the language server knows of the project.
    await expect.poll(() => code.host('problems')).toContainEqual(expect.stringMatching(/owns.* 3 /u));
    await type('controls(X, Y) <- owns(X, Y, W), W > 50.\n@output("controls").\n');
    await expect.poll(() => code.host('problems')).toEqual([]);
    await page.keyboard.press('Control+S');
    await expect.poll(() => definitionOf('controls')).toContain('W > 50');
});

test('what others have saved meanwhile is not written over', async () => {
    const [project] = await client.listProjects({});
    await type('controls(X, Y) <- owns(X, Y, W), W > 40.\n@output("controls").\n');
    const other = 'controls(X, Y) <- owns(X, Y, W), W > 30.\n@output("controls").\n';
    await client.saveConcept({ path: { project_id: project?.id ?? '' }, body: { definition: other, existing_name: 'controls' } });
    await page.keyboard.press('Control+S');
    const notice = page.locator('.notification-toast', { hasText: 'newer' });
    await notice.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.tab.active', { hasText: /controls.rulelang.*↔/u }).waitFor();
    expect(await definitionOf('controls')).toBe(other);
    await code.host('closeAll');
});

test('a rename says whom it reaches, and reaches them', async () => {
    await opened('owns', 'owns(');
    const done = code.host('command', 'rulelang.renameConcept');
    await answer(page, [/^It is renamed in those that read it, too: controls/u, 'holds']);
    expect(await done).toBe('done');
    expect(await definitionOf('controls')).toContain('holds(X, Y, W)');
    await item('holds').waitFor();
    // What is open follows it, and is saved under its new name.
    await page.locator('.tab.active', { hasText: 'holds.rulelang' }).waitFor();
    await expect.poll(() => code.host('text')).toContain('holds("ann"');
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('holds("bolt", "core", 7).\n');
    await page.keyboard.press('Control+S');
    await expect.poll(() => definitionOf('holds')).toContain('core');
    await page.locator('.tab', { hasText: 'owns.rulelang' }).waitFor({ state: 'detached' });
    await code.host('closeAll');
});

test('a concept runs with all that it reads, and its rows, runs and explanations are shown beside it', async () => {
    await opened('controls', 'holds(');
    expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
    const view = code.results();
    await view.locator('[aria-rowindex="2"] [aria-colindex="2"]', { hasText: /ann|acme/u }).waitFor();
    await view.locator('[aria-rowindex="2"] [aria-colindex="2"]').click();
    await page.keyboard.press('e');
    await view.locator('.explanation').getByText('controls("').first().waitFor();
    await view.getByRole('tab', { name: 'Runs' }).click();
    await view.locator('.run-state.succeeded').first().waitFor();
    await item('controls').getByText('2 rows').waitFor();
    await view.getByRole('tab', { name: 'Rows' }).click();
    await takePictures();
    await code.host('closeAll');
});

test('a copy, and one that is deleted and brought back', async () => {
    await opened('controls', 'holds(');
    await answered('duplicateConcept', ['Duplicate controls', 'controls_too']);
    expect(await definitionOf('controls_too')).toMatch(/^controls_too\(X, Y\) <- holds/u);
    await page.locator('.tab.active', { hasText: 'controls_too.rulelang' }).waitFor();
    expect(await code.host('command', 'rulelang.deleteConcept')).toBe('done');
    expect(await definitionOf('controls_too')).toBeUndefined();
    await page.locator('.notification-toast', { hasText: 'deleted' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => definitionOf('controls_too')).toBeDefined();
    await code.host('closeAll');
    await item('controls_too').waitFor();
});

test('keys rename and delete what has the focus, not what is open or selected', async () => {
    const focused = (name: string): Locator =>
        page.locator('.pane-body [role=treeitem].focused', { has: page.getByText(name, { exact: true }) });
    await opened('controls', 'holds(');
    await code.host('command', 'rulelang.concepts.focus');
    await focused('controls').waitFor();
    // A double click has opened what is known of it.
    await page.keyboard.press('ArrowLeft');
    await item('Columns').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await focused('controls_too').waitFor();
    await page.keyboard.press('F2');
    await answer(page, ['Rename controls_too', 'more']);
    await item('more').waitFor();
    await code.host('command', 'rulelang.concepts.focus');
    await page.keyboard.press('End');
    await focused('more').waitFor();
    await page.keyboard.press('Delete');
    await page.locator('.notification-toast', { hasText: "'more' was deleted." }).waitFor();
    expect(await definitionOf('more')).toBeUndefined();
    expect(await definitionOf('controls')).toBeDefined();
    // What is below it moves when it goes.
    await item('more').waitFor({ state: 'detached' });
});

test('rows that do not come back are not deleted unasked', async () => {
    // Tests are shown no dialogs, but what one would have said.
    const question = page.locator('.notification-toast', { hasText: "Delete 'controls' and what is stored of it (2 rows)?" });
    await leadsTo(question, async () => {
        // The document that the click opens may take the focus late.
        await item('controls').click({ timeout: 10_000 });
        await code.host('command', 'rulelang.concepts.focus');
        await page.keyboard.press('Delete');
    });
    expect(await definitionOf('controls')).toBeDefined();
    await code.host('closeAll');
});

test('what is no program yet is kept as a draft without a toast, and is the concept once it is one', async () => {
    await code.host('configure', 'files.autoSaveDelay', 100);
    await code.host('configure', 'files.autoSave', 'afterDelay');
    await opened('controls', 'holds(');
    const before = await definitionOf('controls');
    await page.locator('.editor-instance .monaco-editor .view-lines').first().click();
    await type('controls(X, Y) <- ho');
    const isDraft = expect.stringMatching(/^This is a draft, which the concept does not have yet: Program is not valid/u);
    await expect.poll(() => code.host('problems')).toContainEqual(isDraft);
    await page.locator('.tab.active:not(.dirty)', { hasText: 'controls.rulelang' }).waitFor();
    expect(await page.locator('.notification-toast', { hasText: 'Failed to save' }).count()).toBe(0);
    expect(await definitionOf('controls')).toBe(before);
    await look('draft');
    await code.host('closeAll');
    await opened('controls', 'controls(X, Y) <- ho');
    await expect.poll(() => code.host('problems')).toContainEqual(isDraft);
    await page.locator('.editor-instance .monaco-editor .view-lines').first().click();
    await type('controls(X, Y) <- holds(X, Y, W), W > 20.\n@output("controls").\n');
    await expect.poll(() => definitionOf('controls')).toContain('W > 20');
    await expect.poll(() => code.host('problems')).toEqual([]);
    await code.host('configure', 'files.autoSave', 'off');
    await code.host('configure', 'files.autoSaveDelay');
    await code.host('closeAll');
});

test('stored rows are exported in all forms of rows of a run', async () => {
    await opened('controls', 'holds(');
    expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
    const view = code.results();
    await view.getByRole('button', { name: 'Export', exact: true }).click();
    const forms = [
        'CSV',
        'Excel workbook',
        'Facts of the rule language',
        'JSON',
        'JSON, one object per line',
        'Markdown table',
        'Parquet',
        'SQL inserts',
    ];
    await expect.poll(() => view.getByRole('menuitem').allTextContents()).toEqual(forms);
    await look('export');
    await view.getByRole('menuitem', { name: 'CSV' }).click();
    const file = join(code.workspace, 'controls.csv');
    // The dialog puts the folder into its box once it has listed it.
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await answer(page, ['Export controls', file]);
    await page.locator('.statusbar-item', { hasText: 'rows written to controls.csv' }).waitFor();
    expect(readFileSync(file, 'utf8')).toMatch(/^X,Y\n/u);
    await code.host('closeAll');
});

test('a query and a script are concepts, too, and the script is a document beside it', async () => {
    await newConcept('SQL', 'greetings');
    await page.locator('.tab.active', { hasText: 'greetings.sql' }).waitFor();
    await page.locator('.editor-instance .monaco-editor .view-lines').first().click();
    // It is told while it is written.
    await type('SELECT ownr FROM holds');
    await expect.poll(() => code.host('problems')).toContainEqual(expect.stringMatching(/'ownr'.*'owner'/u));
    await type('SELECT owner FROM hold');
    await page.keyboard.press('Control+S');
    await expect.poll(() => code.host('problems')).toContainEqual(expect.stringMatching(/'hold'/u));
    await expect.poll(() => definitionOf('greetings')).toBe('SELECT owner FROM hold');
    await type('SELECT FROM WHERE');
    await page.keyboard.press('Control+S');
    await expect
        .poll(() => code.host('problems'))
        .toContainEqual(expect.stringMatching(/^This is a draft, which the concept does not have/u));
    expect(await definitionOf('greetings')).toBe('SELECT owner FROM hold');
    await code.host('closeAll');
    await newConcept('Python', 'computed');
    await page.locator('.tab.active', { hasText: 'computed.rulelang' }).waitFor();
    const click = { timeout: 10_000 };
    await leadsTo(item('Scripts'), () => item('computed').locator('.monaco-tl-twistie').click(click));
    await leadsTo(item('computed.py'), () => item('Scripts').click(click));
    await leadsTo(page.locator('.tab.active', { hasText: 'computed.py' }), () => item('computed.py').click(click));
    await expect.poll(() => code.host('text')).toContain('def main():');
    await code.host('closeAll');
});

test('rules of a file become a concept', async () => {
    const file = join(code.workspace, 'extra.rulelang');
    writeFileSync(file, 'extra(1).\n@output("extra").\n');
    await code.host('open', 'extra.rulelang');
    await answered('saveAsConcept', ['Save as concept of', 'extra']);
    expect(await definitionOf('extra')).toContain('extra(1)');
    await code.host('closeAll');
});

test('a file is connected, its bind inserted, a program inferred from it, and it is forgotten', async () => {
    writeFileSync(join(code.workspace, 'parts.csv'), 'part,price\nbolt,3\nnut,1\n');
    writeFileSync(join(code.workspace, 'parts.rulelang'), '');
    const connecting = code.host('command', 'rulelang.connectSource');
    await pick(page, 'of which kind', 'CSV');
    // The dialog puts the folder into its box once it has listed it.
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'parts.csv' }).waitFor();
    await answer(page, ['Connect CSV', join(code.workspace, 'parts.csv')]);
    expect(await connecting).toBe('done');
    await page.locator('.pane-header', { hasText: 'Data' }).waitFor();
    await item('parts').getByText('2 rows').waitFor();
    await code.host('open', 'parts.rulelang');
    await item('parts').hover();
    await item('parts').getByRole('button', { name: 'Insert Bind' }).click();
    await expect
        .poll(() => code.host('text'))
        .toMatch(
            /^@bind\("parts", "csv useHeaders='true'", ".", "parts.csv"\)\.\n@model\("parts", "\['part:string', 'price:int'\]"\)\.\n$/u,
        );
    await chosen('parts', 'Infer Program');
    await expect.poll(() => code.host('text')).toMatch(/@model\("parts"/u);
    const question = page.locator('.notification-toast', { hasText: 'Forget the source' });
    // A menu is gone where the tree is drawn anew.
    const isAsked = async (): Promise<boolean> => {
        await chosen('parts', 'Forget Source');
        const asked = question.waitFor({ timeout: 20_000 });
        return asked.then(
            () => true,
            () => false,
        );
    };
    await expect.poll(isAsked).toBe(true);
    // A toast that moves while others come is not hit by every click.
    await leadsTo(page.locator('.welcome-view .monaco-button', { hasText: 'Connect Source' }), () =>
        question.first().getByRole('button', { name: 'Forget' }).click({ timeout: 10_000 }),
    );
    await code.host('closeAll');
});

test('rules that were translated become a concept', async () => {
    writeFileSync(join(code.workspace, 'animals.ttl'), ANIMALS);
    await code.host('open', 'animals.ttl');
    expect(await code.host('command', 'rulelang.translate')).toBe('done');
    await page.locator('.tab.active', { hasText: 'animals as rules' }).waitFor();
    await page.locator('.editor-actions').getByRole('button', { name: 'Accept Rules as Concept…', exact: true }).click();
    await answer(page, ['Save as concept of Ownership']);
    await expect.poll(() => definitionOf('dog')).toContain('animal(X) <- dog(X).');
    await expect.poll(() => code.host('text')).toContain('animal(X) <- dog(X).');
    await code.host('closeAll');
});

test('a concept that is open is there after a reload, once its services run again', async () => {
    await lookAtView(code, 'rulelang.concepts', /^Concepts/u);
    await code.host('command', 'rulelang.concepts.focus');
    await page.keyboard.press('Home');
    await opened('controls', 'holds(');
    await code.reload();
    const offer = page.locator('.notification-toast', { hasText: 'A concept is open, and the local services that keep it do not run.' });
    await offer.getByRole('button', { name: 'Start the local services' }).click();
    await page.locator('.tab.active', { hasText: 'controls.rulelang' }).waitFor();
    await expect.poll(() => code.host('text')).toContain('controls(X, Y) <- holds');
    client = clientOf(data);
    await type('controls(X, Y) <- holds(X, Y, W), W > 61.\n@output("controls").\n');
    await page.keyboard.press('Control+S');
    await expect.poll(() => definitionOf('controls')).toContain('61');
});
