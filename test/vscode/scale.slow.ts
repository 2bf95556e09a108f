import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { JsonText } from '#server/protocol/json-text.ts';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { clientOf, keepShot, servicesIn } from './platform-window.ts';
import { journalOf, keepSources, largeProgram, largeProject, SCALE, writeRuns } from './scale.ts';
import { lookAtView } from './steps.ts';

const ENDLESS = 'programs/endless.rulelang';
const home = mkdtempSync(join(tmpdir(), 'rulelang-scale-'));
const data = join(home, 'data');
let extension: string;
let code: VsCode;
let page: Page;
let client: PlatformClient;
let project: string;

beforeAll(async () => {
    // Its processes are told from those of other windows by the folder.
    extension = join(home, 'extension');
    cpSync(unpackedExtension(), extension, { recursive: true });
    await keepSources(data, SCALE.databases, SCALE.tables);
    code = await startVsCode(extension, { trusted: true, settings: servicesIn(data) });
    ({ page } = code);
    await page.locator('.activitybar .action-item', { has: page.locator('[aria-label="Rulelang"]') }).click();
    await startServices();
    const exported = new JsonText(largeProject('Large', SCALE.concepts));
    project = (await client.importProject({ body: { export_data: exported, scope: 'user' } })).new_project_id;
    await code.host('command', 'rulelang.refreshConcepts');
}, 900_000);
afterAll(async () => {
    await code?.close();
    rmSync(home, { recursive: true, force: true });
});
afterEach(({ task }) => keepShot(page, task));

async function startServices(): Promise<void> {
    expect(await code.host('command', 'rulelang.startServices')).toBe('done');
    client = clientOf(data);
}

const pane = (name: RegExp): Locator => page.locator('.pane', { has: page.locator('.pane-header', { hasText: name }) });
const item = (name: RegExp, text: string): Locator =>
    pane(name)
        .locator('[role=treeitem]', { has: page.getByText(text, { exact: true }) })
        .first();
const message = (name: RegExp, text: string): Locator => pane(name).locator('.message', { hasText: text });

const lookAt = (view: string, name: RegExp): Promise<void> => lookAtView(code, view, name);

describe('a large workspace', () => {
    test('has two thousand concepts, one of which is found by its name', async () => {
        await lookAt('rulelang.concepts', /^Concepts/u);
        await item(/^Concepts/u, 'exposure_0000').waitFor();
        expect(await code.host('command', 'rulelang.filterConcepts', 'EXPOSURE_1234 logic')).toBe('done');
        await message(/^Concepts/u, "1 of 2,000 concepts have 'exposure_1234 logic'.").waitFor();
        await item(/^Concepts/u, 'exposure_1234').waitFor();
        expect(
            await pane(/^Concepts/u)
                .locator('[role=treeitem]')
                .count(),
        ).toBe(2);
        await code.host('command', 'rulelang.clearConceptFilter');
        await item(/^Concepts/u, 'exposure_0000').waitFor();
    });

    test('has a hundred thousand tables, one of which is found by its name and that of its database', async () => {
        await lookAt('rulelang.data', /^Data/u);
        await item(/^Data/u, 'store_000').waitFor();
        expect(await item(/^Data/u, 'store_000').textContent()).toContain('db.example.com:5432 · 200');
        expect(await code.host('command', 'rulelang.filterSources', 'store_123 Table_123')).toBe('done');
        await message(/^Data/u, "Sources with 'store_123 table_123': 1.").waitFor();
        await item(/^Data/u, 'table_123').waitFor();
        expect(await pane(/^Data/u).locator('[role=treeitem]').count()).toBe(2);
        await code.host('command', 'rulelang.clearSourceFilter');
        await item(/^Data/u, 'store_000').locator('.monaco-tl-twistie').click();
        await item(/^Data/u, 'table_000').waitFor();
    });

    test('has ten thousand runs, one of which is found by its parameter', async () => {
        writeRuns(journalOf(code), code.workspace, SCALE.runs);
        await code.reload();
        await lookAt('rulelang.runs', /^Runs/u);
        await pane(/^Runs/u).getByText('Today').waitFor();
        expect(await code.host('command', 'rulelang.filterRuns', 'majority=9876')).toBe('done');
        await message(/^Runs/u, "1 of 10,000 runs have 'majority=9876'.").waitFor();
        await expect.poll(() => pane(/^Runs/u).locator('[role=treeitem][aria-level="2"]').count()).toBe(1);
        await code.host('command', 'rulelang.clearRunFilter');
    });

    test('has a program of four thousand predicates, with lenses wherever it is looked at', async () => {
        writeFileSync(join(code.workspace, 'large.rulelang'), largeProgram(SCALE.predicates));
        const lenses = page.locator('.codelens-decoration');
        for (const line of [1, 3000, 40]) {
            await code.host('open', 'large.rulelang', line);
            const rule = page.locator('.view-line', { hasText: line === 1 ? 'p0(X, Y)' : `p${line - 4}(X, Y)` });
            await rule.first().waitFor();
            await lenses.filter({ hasText: 'Run', visible: true }).nth(10).waitFor();
        }
        expect(await lenses.count()).toBeLessThan(400);
        await code.host('closeAll');
    });

    test('asks the services no more often than it needs to', async () => {
        await startServices();
        const { base_url: address } = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8'));
        const token = readFileSync(join(data, 'auth/token'), 'utf8').trim();
        const trees = await code.host('trees', address, token, journalOf(code));
        const asked = Object.entries(trees).map(([what, { requests, items }]) => [what, requests, items]);
        expect(asked.filter(([what]) => !String(what).startsWith('runs opened'))).toEqual([
            // Projects, and what the one holds.
            ['concepts opened', 4, 1 + SCALE.concepts],
            ['concepts opened again', 0, 1 + SCALE.concepts],
            ['concepts filtered', 0, 2],
            // Each of two scopes; the few that are left are listed at once.
            ['sources opened', 2, SCALE.databases],
            ['sources opened again', 0, SCALE.databases],
            ['sources filtered', 4, 2],
            ['runs filtered', 0, 2],
        ]);
    });
});

describe('what ends in the middle of something', () => {
    /** Processes of the extension, with the milliseconds that each has computed. */
    const processes = (): Map<number, number> => {
        const found = new Map<number, number>();
        for (const pid of readdirSync('/proc').filter(name => /^\d+$/u.test(name))) {
            try {
                if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(extension)) continue;
                const [, , , , , , , , , , , user = '', system = ''] =
                    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
                found.set(Number(pid), 10 * (Number(user) + Number(system)));
            } catch {
                // It has ended meanwhile.
            }
        }
        return found;
    };
    /** Begins a run that never ends; answers its process. */
    const endless = async (): Promise<number> => {
        const before = new Set(processes().keys());
        await code.host('open', ENDLESS);
        void code.host('command', 'rulelang.runProgram').catch(() => undefined);
        const busy = (): number => [...processes()].find(([pid, time]) => !before.has(pid) && time > 2000)?.[0] ?? 0;
        await expect.poll(busy).toBeGreaterThan(0);
        return busy();
    };

    test('an endless run that is stopped is gone with its process, and remembered', async () => {
        const process = await endless();
        expect(await code.host('command', 'rulelang.stop')).toBe('done');
        await expect.poll(() => existsSync(`/proc/${process}`)).toBe(false);
        // It may be followed by what is said of the oldest ones, which go.
        await expect.poll(() => readFileSync(journalOf(code), 'utf8')).toContain('"state":"stopped"');
    });

    test('a window that is killed in the middle of a run leaves no process, and what was saved is there', async () => {
        const dashboard = await client.saveDashboard({
            path: { project_id: project },
            body: { dashboard: { name: 'Saved', definition: { tiles: [] } } },
        });
        await code.host('command', 'rulelang.refreshConcepts');
        await lookAt('rulelang.concepts', /^Concepts/u);
        await item(/^Concepts/u, 'exposure_0000').dblclick();
        await expect.poll(() => code.host('text')).toContain('exposure_0000("a", 1).');
        await code.host('append', '\nexposure_0000("saved", 3).\n');
        await code.host('command', 'workbench.action.files.save');
        const records = readFileSync(journalOf(code), 'utf8');
        const run = await endless();
        const before = [...processes().keys()];
        await code.kill();
        for (const pid of before) await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
        expect(before).toContain(run);
        expect(readFileSync(journalOf(code), 'utf8')).toBe(records);
        await startServices();
        const concepts = await client.listConcepts({ path: { project_id: project } });
        expect(concepts.find(({ concept_name }) => concept_name === 'exposure_0000')?.definition).toContain('"saved"');
        expect(concepts.length).toBe(SCALE.concepts);
        expect(await client.listDashboards({ path: { project_id: project } })).toMatchObject([{ id: dashboard.id, name: 'Saved' }]);
    });
});
