import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cell, code, header, page, results, seen, tab, tidied } from '../shared-window.ts';
import { keptByView } from '../steps.ts';

const PROGRAM = 'control/control.rulelang';

const folder = (): string => join(code.storage, 'rows');
const files = (): string[] => (existsSync(folder()) ? readdirSync(folder()) : []);
/** The rows of runs that have ended; beside them stands a program for all runs of the same text. */
const kept = (): string[] => files().filter(name => /^[0-9a-f]{16}-[0-9a-f]{64}\.rows$/u.test(name));

async function run(path = PROGRAM, output = 'joint'): Promise<void> {
    await code.host('open', path);
    expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
    await tab(output).click();
    await cell(1, 1).waitFor();
}
/** Runs a program; answers the file with its rows. */
async function keptOf(path: string, output: string): Promise<string> {
    const before = new Set(kept());
    await run(path, output);
    await expect.poll(() => kept().length).toBe(before.size + 1);
    return join(folder(), kept().find(name => !before.has(name)) ?? '');
}
/** Looks at the results of another program. */
async function turnTo(program: string): Promise<void> {
    await page.locator('.tabs-container .tab', { hasText: `Results: ${program}` }).click();
}

async function picture(name: string): Promise<void> {
    if (process.env.VSCODE_SHOTS) await page.screenshot({ path: join(process.env.VSCODE_SHOTS, `${name}.png`) });
}

describe('after a reload', () => {
    beforeAll(async () => {
        await tidied();
        expect(await code.host('command', 'rulelang.clearKeptRows')).toBe('done');
    });

    test('rows are back without a run, as they were sorted', async () => {
        await code.host('configure', 'rulelang.run.parameters', { majority: 50 });
        await run();
        await header('company').click();
        await seen(cell(1, 2), 'Alder Foods GmbH');
        await expect.poll(() => kept().length).toBe(1);
        const [file = ''] = kept();
        expect(statSync(folder()).mode & 0o777).toBe(0o700);
        expect(files().filter(name => name !== file)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.program$/u)]);
        expect(files().map(name => statSync(join(folder(), name)).mode & 0o777)).toEqual([0o600, 0o600]);
        await code.host('configure', 'rulelang.run.parameters');
        const rows = await results.locator('.status').textContent();
        await keptByView(page, kept => kept.includes('"sort":[{'));
        // Of what others show the rows are gone, or damaged, meanwhile.
        rmSync(await keptOf('programs/shapes.rulelang', 'kept'));
        const damaged = await keptOf('programs/tariff.rulelang', 'above');
        const bytes = readFileSync(damaged);
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        writeFileSync(damaged, bytes);
        await turnTo('control.rulelang');
        await code.reload();
        await seen(cell(1, 2), 'Alder Foods GmbH');
        expect(await tab('joint').getAttribute('aria-selected')).toBe('true');
        await seen(results.locator('.status'), /Kept from \d+ \w+/u);
        expect((await results.locator('.status').textContent())?.split(' ').slice(0, 2)).toEqual(rows?.split(' ').slice(0, 2));
        await seen(results.locator('.parameter.given'), 'majority50given');
        await picture('kept');
    });

    test('they are sorted and searched, and say that explaining them takes a run', async () => {
        await header('company').click();
        await seen(cell(1, 2), 'Zeller Timber SA');
        await results.getByLabel('Search all columns').fill('hugo');
        await expect.poll(() => results.locator('mark').count()).toBeGreaterThan(0);
        await page.keyboard.press('Escape');
        await seen(results.locator('.status'), /^\d+ rows/u);
        await cell(1, 1).click();
        await page.keyboard.press('e');
        await seen(results.locator('.explanation'), /Run the program again to have them explained/u);
        await picture('kept-explained');
    });

    test('they say that the text has changed since, and run again', async () => {
        const before = kept().length;
        await code.host('open', PROGRAM);
        await code.host('append', '% one line more\n');
        await seen(results.locator('.stale'), 'The text has changed since');
        await results.getByRole('button', { name: 'Run again' }).click();
        await expect.poll(() => results.locator('.stale').count()).toBe(0);
        // The rows of before stay until the run has ended.
        await expect.poll(() => results.locator('.parameter.given').count()).toBe(0);
        // Those of the run before stay for whoever compares.
        await expect.poll(() => kept().length).toBe(before + 1);
        await code.host('command', 'workbench.action.files.revert');
    });

    test('rows that are gone, and those of a file that is damaged, are told', async () => {
        await turnTo('shapes.rulelang');
        await seen(results.locator('.state'), /The rows of this run are gone/u);
        const before = kept().length;
        await turnTo('tariff.rulelang');
        await seen(results.locator('.state'), /The rows of this run are gone.*it is damaged/u);
        await picture('damaged');
        expect(kept().length).toBe(before - 1);
        await results.getByRole('button', { name: 'Run again' }).click();
        await cell(1, 1).waitFor();
        await expect.poll(() => kept().length).toBe(before);
    });

    test('they are removed by a command and by the setting, which also keeps none', async () => {
        expect(await code.host('command', 'rulelang.clearKeptRows')).toBe('done');
        expect(files()).toEqual([]);
        await run();
        await expect.poll(() => kept().length).toBe(1);
        await code.host('configure', 'rulelang.run.keepRows', false);
        await expect.poll(kept).toEqual([]);
        await run();
        // Those of the first of two runs would be there once the second one has ended.
        await run();
        await code.host('command', 'rulelang.runs.focus');
        const newest = page.locator('.pane [role=treeitem][aria-level="2"]', { hasText: 'control.rulelang' }).first();
        await expect.poll(() => newest.textContent()).toContain('rows not kept');
        expect(files()).toEqual([]);
    });
});
