import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textsOfDrawing } from '../../support/svg-files.ts';
import { chooseFromMenu } from '../context-menu.ts';
import { inThemes } from '../platform-window.ts';
import { largeProgram, SCALE } from '../scale.ts';
import { code, page, tidied } from '../shared-window.ts';
import { focused, themed } from '../steps.ts';

const PROGRAM = 'control/control.rulelang';
const LARGE = 'large.rulelang';
const MANY = SCALE.predicates;

const pane = (): Locator => page.locator('.pane', { has: page.locator('.pane-header', { hasText: /^Program/u }) });
const stratum = (text: RegExp): Locator => pane().locator('[role=treeitem][aria-level="1"]', { hasText: text });
const row = (text: RegExp): Locator => pane().locator('[role=treeitem][aria-level="2"]', { hasText: text });
const need = (text: RegExp): Locator => pane().locator('[role=treeitem][aria-level="3"]', { hasText: text });

async function takePictures(name: string): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder !== undefined) await inThemes(code, { folder, name, height: 600 });
}

describe('the view of a program', () => {
    beforeAll(async () => {
        await tidied();
        writeFileSync(join(code.workspace, LARGE), largeProgram(MANY));
        await page.locator('.activitybar .action-item', { has: page.locator('[aria-label="Rulelang"]') }).click();
        await code.host('command', 'rulelang.program.focus');
        // The views below it leave it too little room.
        for (const other of ['Concepts', 'Data', 'Runs']) {
            const open = page.locator('.pane-header[aria-expanded="true"]', { hasText: other });
            if ((await open.count()) > 0) await open.click();
        }
    });

    test('says what it is for while no program is open', async () => {
        await pane().getByText('in the order in which they are evaluated').waitFor();
        await pane().locator('.monaco-button', { hasText: 'New Sample Program' }).waitFor();
    });

    test('lists predicates by stratum, and after a run their rows', async () => {
        await code.host('open', PROGRAM);
        await stratum(/^Stratum 1/u).waitFor();
        await stratum(/^Stratum 2/u).waitFor();
        await row(/^owns\/3.*input/u).waitFor();
        await row(/^controls\/2.*recursive/u).waitFor();
        await row(/^joint\/5.*output.*negation/u).waitFor();
        expect(
            await pane()
                .locator('[role=treeitem]', { hasText: / rows?(?: |$)/u })
                .count(),
        ).toBe(0);
        expect(await code.host('command', 'rulelang.runProgram')).toBe('done');
        await row(/^controls\/2.*\d+ rows/u).waitFor();
        expect(await row(/^controls\/2/u).getAttribute('aria-label')).toMatch(/^controls\/2, recursive, \d+ rows$/u);
        await takePictures('program');
    });

    test('shows what a predicate needs, with not where it must not hold', async () => {
        const twistie = row(/^joint\/5/u).locator('.monaco-tl-twistie');
        await twistie.click();
        await need(/^not majority_holder\/2/u).waitFor();
        await need(/^head\/1/u).waitFor();
        await twistie.click();
        await need(/^head\/1/u).waitFor({ state: 'detached' });
    });

    test('leads to definitions by click and by Enter, and follows the text', async () => {
        await row(/^holding\/3/u).click();
        await expect.poll(async () => (await code.host('cursor'))?.text).toMatch(/^holding\(/u);
        await code.host('command', 'rulelang.program.focus');
        await focused(pane());
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await expect.poll(async () => (await code.host('cursor'))?.text).toMatch(/^votes\(/u);
    });

    test('beside it stands what is known of the predicate at the cursor', async () => {
        const cursor = page.locator('.pane', { has: page.locator('.pane-header', { hasText: /^At the Cursor/u }) });
        const line = (text: RegExp): Locator => cursor.locator('[role=treeitem]', { hasText: text });
        await code.host('command', 'rulelang.cursor.focus');
        // The view above it leaves it too little room.
        await pane().locator('.pane-header').click();
        await line(/^votes\(owner: string, through: string, company: string, percent: int\)/u).waitFor();
        await line(/^\d+ rows.*of the last run/u).waitFor();
        expect(await code.host('command', 'rulelang.runProfiled')).toBe('done');
        await line(/^Matches of each atom/u).waitFor();
        await line(/^holding\(X, Y, Q\).*\d+ rows/u).waitFor();
        await takePictures('cursor');
        await cursor.locator('.pane-header').click();
        await code.host('command', 'rulelang.program.focus');
        await code.host('append', '\nadded_one(X) <- controlled(X).\n');
        await row(/^added_one\/1/u).waitFor();
        await row(/^controls\/2.*before the change/u).waitFor();
    });

    test('runs a predicate from its menu', async () => {
        await chooseFromMenu(page, row(/^added_one\/1/u), 'Run Predicate');
        await row(/^added_one\/1.*\d+ rows?/u).waitFor();
    });

    test('lists four thousand predicates, and finds some of them', async () => {
        await code.host('closeAll');
        await code.host('open', LARGE);
        await stratum(/^Stratum 1/u).waitFor();
        await stratum(/^Stratum 2/u).click();
        await row(/^p\d+\/2 … p\d+\/2/u)
            .first()
            .click();
        await need(/^p\d+\/2/u)
            .nth(5)
            .waitFor();
        const done = code.host('command', 'rulelang.filterProgram');
        await page.locator('.quick-input-widget input.input').waitFor();
        await page.keyboard.type('p3999');
        await row(/^p3999\/2.*output/u).waitFor();
        await pane()
            .locator('.message', { hasText: `1 of ${(MANY + 2).toLocaleString('en-US')} predicates` })
            .waitFor();
        await page.keyboard.press('Enter');
        expect(await done).toBe('done');
        await row(/^p3999\/2/u).click();
        await expect.poll(async () => (await code.host('cursor'))?.text).toMatch(/^p3999\(/u);
        await code.host('command', 'rulelang.clearProgramFilter');
        const all = stratum(/^Stratum 2\s*3,\d+/u);
        await all.waitFor();
        if ((await all.getAttribute('aria-expanded')) === 'false') await all.click();
        await row(/^p\d+\/2 … p\d+\/2/u)
            .nth(5)
            .waitFor();
    });

    test('empties when the last program is closed', async () => {
        await code.host('closeAll');
        await pane().locator('.monaco-button', { hasText: 'New Sample Program' }).waitFor();
    });
});

describe('the graph around a predicate', () => {
    afterAll(tidied);

    const graph = (): FrameLocator => page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    const node = (name: string): Locator => graph().getByRole('button', { name });
    const summary = (text: RegExp): Locator => graph().locator('.summary', { hasText: text });

    test('opens from the view with the neighbours of the predicate, and goes on from each of them', async () => {
        await code.host('open', PROGRAM);
        await chooseFromMenu(page, row(/^head\/1/u), 'Show in Graph');
        await summary(/5 of 12 predicates, around head\/1/u).waitFor();
        expect(await graph().locator('.node .name').allTextContents()).toEqual(expect.arrayContaining(['controls/2', 'head/1', 'group/3']));
        await takePictures('graph-around');
        await node('controls/2').click();
        await node('share/3').waitFor();
        await node('controls/2').focus();
        await page.keyboard.press('Escape');
        await summary(/5 of 12 predicates/u).waitFor();
        await graph().getByLabel('Steps').selectOption('2');
        await summary(/\d of 12 predicates, around head\/1/u).waitFor();
        await node('share/3').waitFor();
    });

    test('is walked and expanded by keys, and leads to definitions', async () => {
        await node('head/1').focus();
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('f');
        await summary(/around control/u).waitFor();
        await page.keyboard.press('F12');
        await expect.poll(async () => (await code.host('cursor'))?.text).toMatch(/^control/u);
        await node('controls/2').focus();
        await page.keyboard.press('Escape');
        await summary(/around head\/1/u).waitFor();
    });

    test('has the columns of predicates where they are asked for', async () => {
        expect(await graph().locator('.node .column').count()).toBe(0);
        await graph().getByRole('button', { name: 'Show the columns of predicates' }).click();
        await graph().locator('.node .column', { hasText: 'owner string' }).first().waitFor();
        await takePictures('graph-columns');
        await graph().getByRole('button', { name: 'Show all predicates of the program' }).click();
        await summary(/· 12 predicates ·/u).waitFor();
        await graph().getByRole('button', { name: 'Show the columns of predicates' }).click();
        await graph().locator('.node .column').first().waitFor({ state: 'detached' });
    });

    test('of a program of four thousand predicates begins at its output', async () => {
        await code.host('closeAll');
        await code.host('open', LARGE);
        expect(await code.host('command', 'rulelang.showDependencyGraph')).toBe('done');
        await summary(/of 4,002 predicates, around p3999\/2/u).waitFor();
        await node('p3959/2').click();
        await node('p3919/2').waitFor();
        expect(await graph().getByRole('button', { name: 'Show all predicates of the program' }).count()).toBe(0);
        await graph().getByLabel('Steps').selectOption('All');
        await summary(/200 of 4,002 predicates, around p3999\/2.*more are too many to draw/u).waitFor();
    });

    test('is saved as a file that stands alone, and is read on white whatever the theme is', async () => {
        await code.host('closeAll');
        await themed(code, 'Default Dark Modern');
        await code.host('open', PROGRAM);
        expect(await code.host('command', 'rulelang.showDependencyGraph')).toBe('done');
        await graph().locator('.node').first().waitFor();
        await graph().getByRole('button', { name: 'Save as a picture' }).click();
        await graph().getByRole('menuitem', { name: 'Save as SVG' }).click();
        const file = join(code.workspace, 'control', 'control-graph.svg');
        const box = page.locator('.quick-input-widget input.input');
        await expect.poll(() => box.inputValue()).toContain('control-graph.svg');
        await box.press('Enter');
        await page.locator('.statusbar-item', { hasText: 'The picture is in control-graph.svg' }).waitFor();
        const text = readFileSync(file, 'utf8');
        const shots = process.env.VSCODE_SHOTS;
        if (shots !== undefined) copyFileSync(file, join(shots, 'control-graph.svg'));
        const drawn = await graph().locator('.node').count();
        expect(drawn).toBeGreaterThan(3);
        const texts = textsOfDrawing(text);
        expect(texts.length).toBeGreaterThan(drawn);
        expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/^control\.rulelang · /u), 'negation', 'aggregation']));
        await code.host('configure', 'workbench.colorTheme');
    });

    test('is saved by a command while it is looked at', async () => {
        const saved = async () => {
            await page.locator('.tab', { hasText: 'Dependency graph' }).click();
            return await code.host('command', 'rulelang.saveGraph');
        };
        await expect.poll(saved).toBe('done');
        await page.locator('.quick-input-widget', { hasText: 'Save the picture' }).waitFor();
        await page.keyboard.press('Escape');
    });
});
