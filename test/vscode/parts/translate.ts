import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chooseFromMenu } from '../context-menu.ts';
import { inThemes } from '../platform-window.ts';
import { code, page, tidied } from '../shared-window.ts';
import { answer } from '../steps.ts';

const SHOP = `@bind("orders", "csv useHeaders=true", "", "orders.csv").
@model("orders", "['id:int', 'customer:string', 'total:int']").
@bind("customers", "csv useHeaders=true", "", "customers.csv").
@model("customers", "['name:string', 'city:string']").
`;
const TOP = `SELECT c.city, SUM(o.total) AS total
FROM orders o
JOIN customers c ON c.name = o.customer
WHERE o.total >= 5
GROUP BY c.city
`;
const RULES = `% NULLs count as one value here, called Unknown.
top(City, Total2) <-
    orders(_, Name, Total),
    customers(Name, CCity),
    is_not_null(Name),
    Total >= 5,
    Unknown = collections:get([], 1),
    City = nullManagement:coalesce(CCity, Unknown),
    Total2 = sum(Total).
@output("top").
`;
const ANIMALS = `@prefix : <http://example.org/animals#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Dog a owl:Class ; rdfs:subClassOf :Animal .
:Parent rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :has ; owl:minCardinality 2 ] .
:rex a :Dog .
`;

/** `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/vscode/runs` takes that of the page anew. */
async function takePictures(): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder === undefined) return;
    await code.host('command', 'workbench.action.closeSidebar');
    await page.setViewportSize({ width: 1440, height: 460 });
    await inThemes(code, { folder, name: 'translate', height: 425 });
    await page.setViewportSize({ width: 1440, height: 900 });
}

const toast = (text: string | RegExp): Locator => page.locator('.notification-toast', { hasText: text });
const tab = (text: string): Locator => page.locator('.tab.active', { hasText: text });
const titled = (name: string): Locator => page.locator('.editor-actions').getByRole('button', { name, exact: true });
const program = (): Promise<string | undefined> => code.host('text');
const WHERE = 'Where are the rules to go?';
/** Translates the file that is looked at, into a program that is open. */
async function translated(file: string, target: string): Promise<void> {
    await code.host('open', target);
    await code.host('open', file);
    const done = code.host('command', 'rulelang.translate');
    await page
        .locator('.quick-input-widget')
        .getByRole('option', { name: target.replace('.rulelang', '') })
        .first()
        .waitFor();
    await answer(page, [WHERE]);
    expect(await done).toBe('done');
}

describe('a translation', () => {
    beforeAll(async () => {
        await tidied();
        for (const [name, text] of Object.entries({
            'shop.rulelang': SHOP,
            'orders.csv': 'id,customer,total\n1,Ann,10\n2,Bo,20\n3,Ann,5\n4,Cy,2\n',
            'customers.csv': 'name,city\nAnn,Rome\nBo,Bonn\nCy,Rome\n',
            'top.sql': TOP,
            'first.sql': 'SELECT customer\nFROM orders\nLIMIT 1\n',
            'wrong.sql': 'SELECT customer\nFROM FROM\n',
            'animals.ttl': ANIMALS,
        }))
            writeFileSync(join(code.workspace, name), text);
    });
    afterEach(async () => {
        await code.host('closeAll');
        await code.host('command', 'notifications.clearAll');
    });

    test('a query becomes rules beside the program, which give the same rows, and are taken into it', async () => {
        await translated('top.sql', 'shop.rulelang');
        await tab('top as rules').waitFor();
        await toast('the same rows as the SQL on the data at hand: 2').waitFor();
        expect(await code.host('problems')).toEqual([]);
        await takePictures();
        await toast('the same rows').getByRole('button', { name: 'Compare Rows' }).click();
        await tab('rows of the SQL').waitFor();
        await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: /Rome\s+15/u }).waitFor();
        await code.host('command', 'workbench.action.closeActiveEditor');
        await titled('Accept Rules').click();
        await tab('shop.rulelang').waitFor();
        await expect.poll(program).toBe(`${SHOP}\n${RULES}`);
    });

    test('what the user changes is compared anew, and rows that differ are told', async () => {
        await translated('top.sql', 'shop.rulelang');
        await tab('top as rules').waitFor();
        await toast('the same rows').waitFor();
        const right = page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: '>= 5' });
        await right.click();
        await page.keyboard.press('End');
        await page.keyboard.press('Control+A');
        await page.keyboard.insertText(`${SHOP}top(C,T) :- orders(_,N,O), customers(N,C), T = sum(O).\n@output("top").\n`);
        await titled('Compare Rows with the SQL').click();
        await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: /Rome\s+17/u }).waitFor();
        await page.locator('.original-in-monaco-diff-editor .view-line', { hasText: /Rome\s+15/u }).waitFor();
        await code.host('command', 'workbench.action.closeActiveEditor');
        await titled('Reject Rules').click();
        await expect.poll(() => page.locator('.tab', { hasText: 'top as rules' }).count()).toBe(0);
        await code.host('open', 'shop.rulelang');
        expect(await program()).toBe(SHOP);
    });

    test('a part that no rules are written for is told at its place, and a text that is no query with its line', async () => {
        await translated('first.sql', 'shop.rulelang');
        await toast('One part was not translated.').getByRole('button', { name: 'Show Problems' }).click();
        // There is room for the problems of other programs beside it.
        await code.host('command', 'workbench.action.toggleMaximizedPanel');
        await page.locator('.markers-panel').getByText('No rules are written for LIMIT: the query stays as it is.').waitFor();
        await page.locator('.markers-panel').getByText('[Ln 3, Col 1]').waitFor();
        await code.host('command', 'workbench.action.toggleMaximizedPanel');
        await code.host('command', 'rulelang.rejectTranslation');
        await code.host('command', 'workbench.action.closePanel');
        await code.host('open', 'shop.rulelang');
        await code.host('open', 'wrong.sql');
        const done = code.host('command', 'rulelang.translate');
        await page.locator('.quick-input-widget').getByRole('option').first().waitFor();
        await answer(page, [WHERE]);
        expect(await done).toBe('failed');
        await toast('line 2').getByRole('button', { name: 'Show' }).click();
        await expect.poll(() => code.host('cursor')).toMatchObject({ line: 2 });
    });

    test('an ontology of the explorer becomes a program of its own, and what gave no rule is listed', async () => {
        await code.host('command', 'workbench.view.explorer');
        const ontology = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'animals.ttl' });
        await chooseFromMenu(page, ontology, 'Translate to Rules');
        await tab('animals as rules').waitFor();
        await toast('One part was not translated.').waitFor();
        await expect.poll(program).toContain('animal(X) <- dog(X).');
        await titled('Accept Rules').click();
        await tab('animals.rulelang').waitFor();
        await expect.poll(program).toContain('dog("http://example.org/animals#rex").');
    });

    test('SQL of the clipboard is pasted as rules', async () => {
        await code.host('open', 'shop.rulelang');
        await code.host('command', 'cursorBottom');
        await page.evaluate(`navigator.clipboard.writeText("SELECT city FROM customers WHERE name = 'Ann'")`);
        await page.locator('.editor-instance .monaco-editor .view-lines').first().click();
        await code.host('command', 'cursorBottom');
        await page.keyboard.press('Control+V');
        await page.locator('.post-edit-widget').click();
        await page.locator('.action-widget').getByText('Paste SQL as rules').waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await expect.poll(program).toContain('result(City) <- customers(Name, City), Name == "Ann".');
        expect(await code.host('actions')).not.toContain('Translate to rules');
        await code.host('command', 'editor.action.selectAll');
        await page.keyboard.press('Delete');
        await page.keyboard.insertText('SELECT city FROM customers');
        await code.host('command', 'editor.action.selectAll');
        await expect.poll(() => code.host('actions')).toContain('Translate to rules');
    });
});
