import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { CheckName } from './modules/checks.ts';
import { cell, code, errors, foreign, header, look, page, results, run, seen, shareWindow, status, tab } from './shared-window.ts';

shareWindow();

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The rows of an output as the command line prints them. */
function printed(path: string, output: string): string[][] {
    const text = execFileSync(process.execPath, ['dist/cli.js', 'run', path, '--output', output, '--format', 'json'], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { resultSet } = JSON.parse(text) as { readonly resultSet: Readonly<Record<string, readonly (readonly unknown[])[]>> };
    return (resultSet[output] ?? []).map(row => row.map(String));
}

describe('the extension host', () => {
    const names: readonly CheckName[] = [
        'is started by a program, and by nothing else',
        'has the commands of its manifest',
        'offers its tools to the language models of the editor',
        'shows problems where they are',
        'offers the name that was meant',
        'refactors what is selected',
        'completes predicates',
        'says what a predicate is',
        'goes to definitions',
        'renames a predicate everywhere',
        'formats a program',
        'has a lens above predicates',
        'explains a problem on a page beside the program',
        'shows what a run reported until the program is edited',
        'lists problems of programs that are not open',
        'shows how a program would be run, and follows it',
        'outlines a program',
        'colours names by what they are',
        'opens a sample program that runs',
        'refuses arguments that name no program',
        'restarts the language server',
    ];
    test.each(names)('%s', name => code.check(name));
});

// Before a program has been run.
await import('./parts/outline.ts');

test('the rest of a rule stands behind the cursor, and Tab takes it', async () => {
    await code.host('open', 'programs/violated.rulelang');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nedge(1, 2).\nreach(X, Y) <- edge(X, Y).\nreach(X, Z) <-');
    const ghost = page.locator('.ghost-text-decoration, .ghost-text').first();
    await expect
        .poll(async () => {
            await code.host('command', 'editor.action.inlineSuggest.trigger');
            return ghost.count();
        })
        .toBe(1);
    if (process.env.VSCODE_SHOTS) await page.screenshot({ path: join(process.env.VSCODE_SHOTS, 'rest-of-rule.png') });
    await page.keyboard.press('Tab');
    await expect.poll(() => code.host('text')).toContain('reach(X, Z) <- reach(X, Y), edge(Y, Z).');
    await code.host('command', 'workbench.action.files.revert');
});

test('programs are searched and rewritten by structure', { retry: 1 }, async () => {
    const shot = async (name: string): Promise<void> => {
        if (process.env.VSCODE_SHOTS) await page.screenshot({ path: join(process.env.VSCODE_SHOTS, `${name}.png`) });
    };
    await code.host('closeAll');
    await code.host('open', 'control/control.rulelang');
    const searched = code.host('command', 'rulelang.searchByStructure');
    const input = page.locator('.quick-input-widget input').first();
    await input.fill('controls($X, $Y), head(');
    await page.locator('.quick-input-message', { hasText: 'Unclosed' }).waitFor();
    await input.fill('head($X), controls($X, $Y)');
    await page.keyboard.press('Enter');
    expect(await searched).toBe('done');
    await page.locator('.peekview-widget [role=treeitem]', { hasText: 'head(X), controls(X, Y)' }).first().waitFor();
    await shot('search-by-structure');
    await page.keyboard.press('Escape');
    const replaced = code.host('command', 'rulelang.searchByStructure', 'head($X), controls($X, $Y) ==> controls($X, $Y), head($X)');
    const apply = page.getByRole('button', { name: /^Apply/u }).first();
    await apply.waitFor();
    await page.locator('.bulk-edit-panel .monaco-list-row input[type=checkbox]').first().check();
    await shot('replace-by-structure');
    await apply.click();
    expect(await replaced).toBe('done');
    await expect.poll(() => code.host('text')).toContain('controls(X, Y), head(X), company(Y, C, _)');
    await code.host('command', 'workbench.action.files.revert');
});

describe('dependency graph', { retry: 1 }, () => {
    const shown = (name: string): Locator => results.getByRole('button', { name });

    test('draws what each predicate needs, and a click leads to its definition', async () => {
        await code.host('closeAll');
        await code.host('open', 'control/control.rulelang');
        expect(await code.host('command', 'rulelang.showDependencyGraph')).toBe('done');
        await shown('controls/2: recursive').waitFor();
        expect(await results.locator('.node').count()).toBe(12);
        expect(await results.locator('.band-label').allTextContents()).toEqual(['Stratum 1', 'Stratum 2']);
        expect(await results.locator('.canvas .edge.negated').count()).toBe(2);
        expect(await results.locator('.canvas .edge.recursive').count()).toBe(3);
        await shown('joint/5: output').click();
        await expect.poll(async () => (await code.host('cursor'))?.text).toMatch(/^joint\(/u);
    });

    test('shows hostile names as text, and recursion without meaning', async () => {
        await code.host('closeAll');
        await code.host('open', 'programs/circular.rulelang');
        expect(await code.host('command', 'rulelang.showDependencyGraph')).toBe('done');
        await shown('won/1: output, recursive').waitFor();
        expect(await results.locator('.node text', { hasText: '<img src=x onerror=alert(1)>⟨U+202E⟩' }).count()).toBe(1);
        expect(await results.locator('img').count()).toBe(0);
        expect(await results.locator('.canvas .edge.forbidden.negated').count()).toBe(1);
    });

    test('is walked by keys, and follows the text', async () => {
        await code.host('closeAll');
        await code.host('open', 'control/control.rulelang');
        expect(await code.host('command', 'rulelang.showDependencyGraph')).toBe('done');

        await shown('owns/3: input').focus();
        await page.keyboard.press('ArrowDown');
        expect(await shown('holding/3').evaluate(found => found.matches(':focus'))).toBe(true);
        await page.keyboard.press('Enter');
        await expect.poll(async () => (await code.host('cursor'))?.text).toMatch(/^holding\(/u);
        await code.host('append', '\nadded_one(X) <- controlled(X).\n');
        await shown('added_one/1').waitFor();
        expect(await results.locator('.node[tabindex="0"]').count()).toBe(1);
    });
});

describe('results', { retry: 1 }, () => {
    test('are the rows that the command line prints', async () => {
        await run('control/control.rulelang', 'joint');
        await seen(cell(1, 1), 'Adele Fontaine');
        const expected = printed('samples/control/control.rulelang', 'joint');
        const rows = await results
            .locator('.row')
            .evaluateAll(found => found.map(row => [...row.querySelectorAll('[role=gridcell]')].map(part => part.textContent)));
        const shown = rows.map(cells => cells.slice(0, 2));
        expect(shown.length).toBeGreaterThan(15);
        expect(shown).toEqual(expected.slice(0, shown.length).map(row => row.slice(0, 2)));
        await seen(tab('joint').locator('.count'), '30');
        await seen(status(), /30 rows·2,827 facts in .*control\.rulelang/u);
    });

    test('follow the pattern of grids', async () => {
        const grid = results.getByRole('grid');
        expect(await grid.getAttribute('aria-rowcount')).toBe('31');
        expect(await grid.getAttribute('aria-colcount')).toBe('6');
        expect(await results.locator('.grid [tabindex="0"]').count()).toBe(1);
        expect(await results.getByRole('columnheader', { name: /company/u }).getAttribute('aria-sort')).toBe('none');
        expect(await tab('joint').getAttribute('aria-selected')).toBe('true');
        const unnamed = await results
            .locator('button')
            .evaluateAll(found => found.filter(b => !b.textContent && !b.getAttribute('aria-label')).length);
        expect(unnamed).toBe(0);
    });

    test('are sorted by a click, by a second one downwards, and with shift by more columns', async () => {
        await header('company').click();
        await seen(cell(1, 2), 'Alder Foods GmbH');
        expect(await header('company').getAttribute('aria-sort')).toBe('ascending');
        await header('company').click();
        await seen(cell(1, 2), 'Zeller Timber SA');
        await header('country').click();
        await header('company').click({ modifiers: ['Shift'] });
        await seen(cell(1, 3), 'DE');
        await seen(cell(1, 2), 'Alder Foods GmbH');
        await seen(header('company').locator('.sort-order'), '2');
    });

    test('are searched and filtered', async () => {
        await results.getByLabel('Search all columns').fill('hugo');
        const found = printed('samples/control/control.rulelang', 'joint').filter(row => row.join(' ').toLowerCase().includes('hugo'));
        await seen(status(), new RegExp(`^${found.length} of 30 rows`, 'u'));
        await page.keyboard.press('Escape');
        await seen(status(), /^30 rows/u);
        await page.keyboard.press('f');
        await results.getByLabel('Filter country').fill('!=DE');
        await seen(status(), /^2\d of 30 rows/u);
        await results.getByLabel('Filter country').fill('XX');
        await seen(results.locator('.empty-rows'), /No rows match/u);
        await results.getByRole('button', { name: 'Clear filters' }).click();
        await seen(status(), /^30 rows/u);
        await results.getByRole('button', { name: /^Filters/u }).click();
    });

    test('are walked by keys, selected and copied', async () => {
        await look('control/control.rulelang', 'group');
        await seen(cell(1, 1), 'Tessaly Trust');
        await cell(1, 1).click();
        await page.keyboard.press('ArrowDown');
        expect(await cell(2, 1).evaluate(found => found.matches(':focus'))).toBe(true);
        await page.keyboard.press('Shift+ArrowRight');
        await page.keyboard.press('Shift+ArrowDown');
        expect(await results.locator('.cell[aria-selected="true"]').count()).toBe(4);
        expect(await code.host('command', 'rulelang.copyCellsWithHeader')).toBe('done');
        await expect.poll(() => code.host('clipboard')).toBe('head\tcompanies\nHugo Lindqvist\t20\nAdele Fontaine\t8');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Control+Home');
        await page.keyboard.press('ArrowUp');
        expect(await header('head').evaluate(found => found.matches(':focus'))).toBe(true);
        await page.keyboard.press('Enter');
        await seen(cell(1, 1), 'Adele Fontaine');
    });

    test('have a sheet of keys', async () => {
        await page.keyboard.press('?');
        await seen(results.getByRole('dialog'), /Explain the row/u);
        await page.keyboard.press('Escape');
        expect(await results.getByRole('dialog').count()).toBe(0);
    });

    test('are exported as they are shown', async () => {
        await look('control/control.rulelang', 'group');
        await seen(cell(1, 1), /Tessaly Trust|Adele Fontaine/u);
        await results.getByRole('button', { name: 'Export' }).click();
        await results.getByRole('menuitem', { name: 'CSV' }).click();
        await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
        const file = join(code.workspace, 'control/group.csv');
        await expect.poll(() => existsSync(file)).toBe(true);
        expect(readFileSync(file, 'utf8').split(/\r?\n/u).slice(0, 2).join('|')).toMatch(
            /^head,companies,countries\|(?:Tessaly Trust,21,6|Adele Fontaine,8,6)$/u,
        );
    });

    test('say that the text has changed since', async () => {
        await code.host('open', 'control/control.rulelang');
        await code.host('append', '% one line more\n');
        await seen(results.locator('.stale'), 'The text has changed since');
        await results.getByRole('button', { name: 'Run again' }).click();
        await expect.poll(() => results.locator('.stale').count()).toBe(0);
    });

    test('stand as close as the setting says', async () => {
        const height = (): Promise<number> => cell(1, 1).evaluate(found => found.getBoundingClientRect().height);
        expect(await height()).toBe(22);
        await code.host('configure', 'rulelang.grid.density', 'comfortable');
        await expect.poll(height).toBe(28);
        await code.host('configure', 'rulelang.grid.density');
    });

    test('fit a window that is zoomed to 200 %', async () => {
        await page.setViewportSize({ width: 720, height: 450 });
        await code.host('command', 'workbench.action.closeSidebar');
        const overflow = await results.locator('body').evaluate(body => body.scrollWidth - body.clientWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        await page.setViewportSize({ width: 1440, height: 900 });
        await code.host('command', 'workbench.view.explorer');
    });
});

describe('explanations', { retry: 1 }, () => {
    test('are trees that lead to the rule', async () => {
        await run('control/control.rulelang', 'joint');
        await seen(cell(1, 1), 'Adele Fontaine');
        await cell(1, 1).click();
        await page.keyboard.press('e');
        const tree = results.getByRole('tree');
        await seen(tree.getByRole('treeitem').first(), /joint\("Adele Fontaine"/u);
        await expect.poll(() => tree.getByRole('treeitem').count()).toBeGreaterThan(3);
        await seen(results.locator('.words'), /Adele Fontaine/u);
        await results
            .getByRole('button', { name: /control\.rulelang:\d+/u })
            .first()
            .click();
        await expect.poll(async () => (await code.host('cursor'))?.text).toBe('joint(X, Y, Country, S, N) <-');
    });

    test('are walked by keys, down to the line of a file', async () => {
        const tree = results.getByRole('tree');
        await tree.getByRole('treeitem').first().focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowRight');
        const item = tree.getByRole('treeitem').nth(1);
        await expect.poll(() => item.getAttribute('aria-expanded')).toBe('true');
        expect(await item.getAttribute('aria-level')).toBe('2');
        await page.keyboard.press('ArrowRight');
        expect(
            await tree
                .getByRole('treeitem')
                .nth(2)
                .evaluate(found => found.matches(':focus')),
        ).toBe(true);
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        await expect.poll(() => item.getAttribute('aria-expanded')).toBe('false');
        const source = results.getByRole('button', { name: /companies\.csv:\d+/u }).first();
        const label = (await source.textContent()) ?? '';
        await source.click();
        await expect.poll(async () => (await code.host('cursor'))?.file.endsWith('companies.csv')).toBe(true);
        expect((await code.host('cursor'))?.line).toBe(Number(label.split(':').at(-1)));
    });

    test('show all derivations when asked', async () => {
        await results.getByLabel('All derivations').check();
        await seen(results.getByRole('treeitem').first(), /joint/u);
        await results.getByRole('button', { name: 'Close the explanation' }).click();
        expect(await results.locator('.explanation').isVisible()).toBe(false);
    });

    test('of a predicate begin with the choice of a fact', async () => {
        await code.host('open', 'control/control.rulelang');
        const uri = `file://${code.workspace}/control/control.rulelang`;
        const done = code.host('command', 'rulelang.explainPredicate', uri, 'controls');
        const list = page.locator('.quick-input-list .monaco-list-row');
        await expect.poll(() => list.count()).toBeGreaterThan(5);
        await page.keyboard.type('zeller cement');
        await expect.poll(() => list.first().textContent()).toMatch(/Zeller Cement/u);
        await page.keyboard.press('Enter');
        expect(await done).toBe('done');
        await seen(results.getByRole('treeitem').first(), /controls\(.*Zeller Cement/u);
    });
});

describe('values', { retry: 1 }, () => {
    test('show values of every kind, and none as markup', async () => {
        await run('programs/shapes.rulelang', 'kept');
        await seen(cell(3, 2), '<b onmouseover="alert(1)">not markup</b>');
        expect(await results.locator('.row b').count()).toBe(0);
        expect(await cell(4, 2).locator('.missing').getAttribute('aria-label')).toBe('missing');
        expect(await cell(1, 1).evaluate(found => found.ownerDocument.defaultView?.getComputedStyle(found).textAlign)).toBe('right');
        await cell(1, 1).click();
        await page.keyboard.press('End');
        expect(await cell(3, 7).textContent()).toBe('null');
        expect(await cell(1, 7).locator('.empty').textContent()).toBe('empty');
        await page.keyboard.press('Home');
        expect(await cell(1, 3).locator('[role="img"]').getAttribute('aria-label')).toBe('true');
        expect(await cell(2, 2).textContent()).toBe('second↵line');
    });

    test('show the whole text of a cell', async () => {
        await cell(2, 2).click();
        await page.keyboard.press('Enter');
        expect(await results.locator('.side-text').textContent()).toBe('second\nline');
        await page.keyboard.press('Escape');
        expect(await cell(2, 2).evaluate(found => found.matches(':focus'))).toBe(true);
    });

    test('say when an output has no rows', async () => {
        await tab('nobody').click();
        await seen(results.locator('.empty-rows'), /No rowsNothing satisfies a rule of 'nobody'/u);
    });

    test('come as they are scrolled to', async () => {
        await tab('number').click();
        await seen(cell(1, 1), '0');
        await results.locator('.grid').evaluate(found => found.scrollTo(0, found.scrollHeight));
        await seen(cell(100_000, 1), '99999');
        await cell(100_000, 1).click();
        await page.keyboard.press('Control+Home');
        await seen(cell(1, 1), '0');
        expect(await results.locator('.row').count()).toBeLessThan(100);
    });
});

describe('runs that do not finish', { retry: 1 }, () => {
    test('say what is wrong and where', async () => {
        await run('programs/problems.rulelang');
        await seen(results.locator('.state'), /The run stopped at \d+ errors/u);
        expect(await results.locator('.notice.error').count()).toBeGreaterThan(1);
        await results.getByRole('button', { name: 'line 6' }).click();
        await expect.poll(async () => (await code.host('cursor'))?.line).toBe(6);
    });

    test('give way to the next run of their program', async () => {
        await code.host('closeAll');
        await code.host('open', 'programs/endless.rulelang');
        const first = code.host('command', 'rulelang.runProgram');
        await seen(results.locator('.state.running'), /Evaluating/u);
        const second = code.host('command', 'rulelang.runProgram');
        expect(await first).toBe('done');
        await seen(results.locator('.state.running'), /Evaluating/u);
        expect(await code.host('command', 'rulelang.stop')).toBe('done');
        expect(await second).toBe('done');
        await seen(results.locator('.state'), /Run stopped/u);
    });

    test('are stopped', async () => {
        await code.host('closeAll');
        await code.host('open', 'programs/endless.rulelang');
        const done = code.host('command', 'rulelang.runProgram');
        await seen(results.locator('.state.running'), /Evaluating/u);
        await results.getByRole('button', { name: 'Stop' }).click();
        await seen(results.locator('.state'), /Run stopped/u);
        expect(await done).toBe('done');
    });
});

await import('./parts/missing-facts.ts');

test('nothing was refused by the content policy, and nothing was asked of another host', () => {
    expect(errors).toEqual([]);
    expect(foreign).toEqual([]);
});
