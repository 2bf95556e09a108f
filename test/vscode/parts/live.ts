import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inThemes } from '../platform-window.ts';
import { code, page, results, seen, tidied } from '../shared-window.ts';

const FLIGHTS = `@output("reachable").
@output("isolated").
@bind("flight", "csv useHeaders=true", "", "flights.csv").
@bind("reachable", "csv", "", "reachable.csv").

reachable(From, To) <- flight(From, To).
reachable(From, To) <- reachable(From, By), flight(By, To).
isolated(City) <- city(City), not flight(City, _).

city("Lima"). city("Oslo"). city("Rome").
`;

/** The editor adds nothing to what is typed. */
const AS_TYPED = { 'editor.autoClosingBrackets': 'never', 'editor.autoClosingQuotes': 'never', 'editor.quickSuggestions': 'off' } as const;

const marked = (mark: 'added' | 'removed'): Locator => results.locator(`.row[data-mark="${mark}"]`);
const live = (): Locator => results.locator('.status .live');

/** Types at the end of the program. */
async function typed(text: string): Promise<void> {
    await code.host('open', 'flights.rulelang');
    await page.locator('.monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(text);
    await expect.poll(() => code.host('text')).toContain(text);
}

/** Deletes the last line. The view of the rows may have the focus before. */
async function lastLineGone(): Promise<void> {
    await code.host('open', 'flights.rulelang');
    await page.locator('.monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+End');
    const before = await code.host('text');
    await code.host('command', 'editor.action.deleteLines');
    await expect.poll(() => code.host('text')).toBe(before?.slice(0, before.lastIndexOf('\n')));
}

/** `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/vscode/runs` takes that of the pages anew. */
async function takePictures(): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder === undefined) return;
    // The rows are few: a panel takes the room below them.
    await code.host('command', 'workbench.action.togglePanel');
    const panel = await page.locator('.part.panel').boundingBox();
    await inThemes(code, { folder, name: 'live', height: (panel?.y ?? 600) - 35 });
    await code.host('command', 'workbench.action.togglePanel');
}

async function takeWhatIfPictures(): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder !== undefined) await inThemes(code, { folder, name: 'what-if', height: 880 });
}

describe('rows that follow a program', () => {
    beforeAll(async () => {
        await tidied();
        for (const [name, value] of Object.entries(AS_TYPED)) await code.host('configure', name, value);
        writeFileSync(join(code.workspace, 'flights.csv'), 'from,to\nLima,Quito\nOslo,Rome\nQuito,Oslo\n');
        writeFileSync(join(code.workspace, 'flights.rulelang'), FLIGHTS);
    });
    afterAll(async () => {
        for (const name of Object.keys(AS_TYPED)) await code.host('configure', name);
    });

    test('rows follow what is typed, and those that came and went are marked', async () => {
        await code.host('open', 'flights.rulelang');
        expect(await code.host('command', 'rulelang.toggleLive')).toBe('done');
        await seen(live(), /^Live$/u);
        await seen(results.locator('.tab', { hasText: 'reachable' }), /^reachable6$/u);
        await typed('flight("Rome", "Lima").');
        await expect.poll(() => marked('added').count()).toBe(10);
        await seen(results.locator('.tab', { hasText: 'reachable' }), /^reachable16\+10$/u);
        await seen(results.locator('.tab', { hasText: 'isolated' }), /^isolated0−1$/u);
        await seen(results.locator('.status-left'), /^16 rows/u);
        await results.locator('.tab', { hasText: 'isolated' }).click();
        await seen(marked('removed'), /Rome/u);
        const crossed = marked('removed').first().locator('.cell').first();
        const line = await crossed.evaluate(found => found.ownerDocument.defaultView?.getComputedStyle(found).textDecorationLine);
        expect(line).toBe('line-through');
        await results.locator('.tab', { hasText: 'reachable' }).click();
        await takePictures();
    });

    test('a program in error keeps the rows, greyed, and says where', async () => {
        await typed('\nflight("Oslo", ');
        await seen(live(), /^Live: error in line 12\. Rows of \d\d:\d\d:\d\d$/u);
        await results.locator('.surface.outdated').waitFor();
        await seen(results.locator('.status-left'), /^16 rows/u);
        await typed('"Quito").');
        await seen(live(), /^Live$/u);
        await expect.poll(() => results.locator('.surface.outdated').count()).toBe(0);
    });

    test('sources are read again on request alone, and nothing is written', async () => {
        writeFileSync(join(code.workspace, 'flights.csv'), 'from,to\nLima,Quito\n');
        await typed('\n% a note');
        await typed('\nflight("Quito", "Cusco").');
        await seen(results.locator('.tab', { hasText: 'reachable' }), /^reachable20\+/u);
        expect(await code.host('command', 'rulelang.readSourcesAgain')).toBe('done');
        await seen(results.locator('.tab', { hasText: 'reachable' }), /^reachable8$/u);
        await expect.poll(() => marked('added').count()).toBe(0);
        expect(() => readFileSync(join(code.workspace, 'reachable.csv'))).toThrow();
    });

    test('groups, a chart and an explanation stay, of the rows as they are', async () => {
        await results.locator('.tab', { hasText: 'reachable' }).click();
        await results.locator('.cell', { hasText: 'Cusco' }).first().click();
        await page.keyboard.press('e');
        await seen(results.locator('.explanation .fact-line'), /Cusco/u);
        await results.locator('.cell', { hasText: 'Cusco' }).first().click();
        await page.keyboard.press('c');
        await results.locator('.chart').waitFor();
        await typed('\nflight("Cusco", "Paris").');
        await seen(results.locator('.tab', { hasText: 'reachable' }), /^reachable13\+5$/u);
        expect(await results.locator('.chart').count()).toBe(1);
        await seen(results.locator('.explanation h2'), /^Explanation$/u);
        await results.getByRole('button', { name: 'Close the chart' }).click();
        await results.locator('.header').first().click({ button: 'right' });
        await results.getByRole('menuitem', { name: 'Group by it' }).click();
        await seen(results.locator('.group-bar'), /^5 groups by/u);
        await typed('\nflight("Nice", "Paris").');
        await seen(results.locator('.group-bar'), /^6 groups by/u);
        for (let undone = 0; undone < 2; undone++) await lastLineGone();
        await seen(results.locator('.group-bar'), /^4 groups by/u);
        await results.getByRole('button', { name: 'Show the rows' }).click();
    });

    describe('what if', () => {
        /** The view stands in the place of the rows. */
        const whatIf = (): FrameLocator => code.results();
        const rows = (): Locator => whatIf().locator('.changed-row');
        const texts = async (): Promise<string[]> => (await rows().locator('.fact').allTextContents()).sort();

        test('a row were not there: rows that would go are struck, and explained', async () => {
            expect(await code.host('command', 'rulelang.runPredicate', undefined, 'flight')).toBe('done');
            await seen(live(), /^Live$/u);
            await results.locator('.cell', { hasText: 'Cusco' }).first().click();
            await page.keyboard.press('w');
            await seen(whatIf().locator('.changes'), /without\s*flight\("Quito",\s*"Cusco"\)/u);
            await expect.poll(texts).toEqual(['flight("Quito","Cusco")']);
            expect(await whatIf().locator('.changed-row.goes del').count()).toBe(1);
            await seen(whatIf().locator('.what-if-status'), /^0 would come, 1 would go/u);
            await rows().first().getByRole('button', { name: 'Now' }).click();
            await seen(whatIf().locator('.explanation .fact-line'), /flight\("Quito","Cusco"\)\s*flights\.rulelang:14/u);
        });

        test('a fact or rule of the text were not there, or another', async () => {
            expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
            const without = (clause: string): Promise<unknown> => code.host('command', 'rulelang.whatIfWithout', undefined, clause);
            await code.host('open', 'flights.rulelang');
            await page.keyboard.press('Control+End');
            expect(await code.host('actions')).toContain('What if without this…');
            await without('city("Lima")');
            await seen(whatIf().locator('.outputs'), /Nothing would change/u);
            await without('flight(From, To) <- nothing(From, To)');
            await seen(whatIf().locator('.outputs [role="alert"]'), /The program has no rule/u);
            await without('flight("Lima", _)');
            await expect.poll(texts).toContain('isolated("Lima")');
            await seen(whatIf().locator('.changed-row.comes'), /comes\s*isolated\("Lima"\)/u);
            await rows().filter({ hasText: 'isolated("Lima")' }).getByRole('button', { name: 'Why' }).click();
            await seen(whatIf().locator('.explanation h2'), /^Why it would come$/u);
            await seen(whatIf().locator('.explanation .rule-line'), /isolated\(City\)/u);
            await rows().filter({ hasText: 'reachable("Lima","Quito")' }).getByRole('button', { name: 'Why' }).click();
            await seen(whatIf().locator('.explanation h2'), /^Why it would go$/u);
            await seen(whatIf().locator('.explanation .item.lack', { hasText: 'flight(' }), /flight\("Lima",_\) is not given/u);
            await takeWhatIfPictures();
        });

        test('it follows what is typed', async () => {
            await typed('\nflight("Lima", "Rome").');
            await seen(whatIf().locator('.outputs'), /reachable\("Lima","Rome"\)/u);
            await whatIf().getByRole('button', { name: 'Without this change: flight("Lima", _)' }).click();
            await seen(whatIf().locator('.outputs'), /Nothing is otherwise/u);
            expect(await code.host('command', 'rulelang.showRows', undefined, 'reachable/2')).toBe('done');
        });
    });

    test('what cannot follow says why, and a key turns it off', async () => {
        await typed('\nX = Y <- home(X), home(Y).\nhome(Z) <- city("Rome").');
        await seen(live(), /^Live waits: Rules make values equal. Rows of /u);
        await results.locator('.cell').first().click();
        await page.keyboard.press('l');
        await expect.poll(() => live().count()).toBe(0);
        await seen(results.locator('.status-right'), /The text has changed since/u);
    });
});
