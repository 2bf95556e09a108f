import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { type ModelServer, type Scripted, startModelServer } from '../model/model-server.ts';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { clientOf, inThemes, keepShot, servicesIn } from './platform-window.ts';
import { answer, pick } from './steps.ts';

const home = mkdtempSync(join(tmpdir(), 'rulelang-agent-'));
const data = join(home, 'data');
let code: VsCode;
let page: Page;
let model: ModelServer;
let client: PlatformClient;
let project: string;

beforeAll(async () => {
    model = await startModelServer();
    code = await startVsCode(unpackedExtension(), {
        trusted: true,
        settings: servicesIn(data),
    });
    ({ page } = code);
    expect(await code.host('command', 'rulelang.startServices')).toBe('done');
    client = clientOf(data);
    project = (await client.saveProject({ body: { project: { name: 'Ownership' } } })).project_id;
    const path = { project_id: project };
    await client.saveConcept({ path, body: { definition: OWNS, description: 'Who owns how much of what' } });
    await client.saveConcept({ path, body: { definition: CONTROLS } });
}, 900_000);
afterAll(async () => {
    await code?.close();
    await model?.stop();
    rmSync(home, { recursive: true, force: true });
});
afterEach(({ task }) => keepShot(page, task));

const OWNS = `owns("ann", "acme", 60).
owns("acme", "bolt", 55).
owns("ann", "dent", 20).
@output("owns").
@model("owns", "['owner:string', 'company:string', 'percent:int']").
`;
const CONTROLS = 'controls(X, Y) <- owns(X, Y, W), W > 50.\n@output("controls").\n';
const INDIRECT = `controls(X, Y) <- owns(X, Y, W), W > 50.
controls(X, Z) <- controls(X, Y), controls(Y, Z).
@output("controls").
`;

/** `PICTURES=docs/images npx vitest run --config vitest.all.config.ts test/vscode/agent` takes that of the pages anew. */
async function takePictures(name: string): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder === undefined) return;
    await inThemes(code, { folder, name, height: 843 });
}

/** The frame that has something, among those of all views; until it is there, a step is taken again. */
async function frameWith(of: Page, selector: string, step: () => Promise<unknown> = async () => undefined, interval = 100): Promise<Frame> {
    let found: Frame | undefined;
    await expect
        .poll(
            async () => {
                await step();
                for (const frame of of.frames()) if ((await frame.$(selector).catch(() => null)) !== null) found = frame;
                return found !== undefined;
            },
            { interval },
        )
        .toBe(true);
    return found as Frame;
}
const agent = (): Promise<Frame> => frameWith(page, '.agent');
const says = (...text: readonly string[]): Scripted => ({ text });
const calls = (...all: readonly (readonly [name: string, input: object])[]): Scripted => ({
    calls: all.map(([name, input]) => ({ name, arguments: JSON.stringify(input) })),
});
const field = (view: Frame): Locator => view.locator('.composer-field');
async function asked(view: Frame, words: string, ...answers: readonly Scripted[]): Promise<void> {
    model.script(...answers);
    await field(view).fill(words);
    await field(view).press('Enter');
}
const definitionOf = async (name: string): Promise<string | undefined> =>
    (await client.listConcepts({ path: { project_id: project } })).find(({ concept_name }) => concept_name === name)?.definition;
const told = (view: Frame, text: string): Locator => view.locator('.told', { hasText: text }).last();
const idle = (view: Frame): Promise<void> => view.locator('.composer-send').waitFor();

test('without a model one sentence says how to get one, and the documentation answers', async () => {
    await code.host('command', 'rulelang.refreshConcepts');
    await code.host('command', 'rulelang.askAgent');
    const view = await agent();
    await view.getByText('No model is configured').waitFor();
    await view.getByText('LLM_API_KEY').first().waitFor();
    await field(view).fill('recursion');
    await field(view).press('Enter');
    await view.locator('.doc-section').first().waitFor();
    expect(model.requests).toEqual([]);
    await view.locator('[aria-label="New conversation"]').click();
    await view.getByRole('button', { name: 'Run a concept' }).click();
    await view.getByRole('menuitem', { name: 'controls' }).click();
    await view.locator('.result-grid [role=gridcell]', { hasText: 'acme' }).first().waitFor();
});

test('a model is configured step by step, and tried', async () => {
    const configured = code.host('command', 'rulelang.configureModel');
    await pick(page, 'Configure a model', 'A server that speaks as OpenAI does');
    await answer(page, ['The address of the server', model.baseUrl], ['The name of the model', 'm-1'], ['The key, where the server', '']);
    expect(await configured).toBe('done');
    model.script(says('ready'));
    const toasts = page.locator('.notifications-toasts');
    await toasts.getByRole('button', { name: 'Test' }).click();
    await toasts.getByText('m-1 of chat-completions answered after').waitFor();
    const chosen = code.host('command', 'rulelang.choosePlatform');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: '1 of 1,000 requests used in this month, 999 left' }).waitFor();
    await page.keyboard.press('Escape');
    await chosen;
    await code.host('command', 'notifications.clearAll');
});

test('an answer streams, with the rows of what was run', async () => {
    await code.host('command', 'rulelang.newConversation');
    await code.host('command', 'rulelang.refreshConcepts');
    const view = await agent();
    await view.getByText('Ask about Ownership').waitFor();
    await asked(
        view,
        'Who controls what? @owns',
        calls(['run_concept', { concept_name: 'controls' }]),
        says('Two companies are **controlled**:\n\n- `acme` by ann\n', '- bolt by acme\n\nSee `controls`.'),
    );
    await view.locator('.result-grid [role=gridcell]', { hasText: 'bolt' }).first().waitFor();
    await view.locator('.told strong', { hasText: 'controlled' }).waitFor();
    await idle(view);
    expect(await view.locator('.told li').allTextContents()).toEqual(['acme by ann', 'bolt by acme']);
    await view.locator('.told .link.value', { hasText: 'controls' }).click();
    await page.locator('.tab.active', { hasText: 'controls.rulelang' }).waitFor();
    expect(JSON.stringify(model.requests[1]?.body)).toContain('Who controls what? @owns');
    // What was sent can be read.
    await view.locator('.sent > summary', { hasText: 'Sent to m-1' }).click();
    await view.locator('.sent pre', { hasText: 'Who controls what' }).waitFor();
});

test('a proposal waits, is compared and changed in an editor, and what was made of it is saved', async () => {
    const view = await agent();
    const call = [
        'create_concept',
        { concept_name: 'controls', rulelang_code: INDIRECT, description: 'Control through others, too' },
    ] as const;
    await asked(view, 'Add control through others', calls(call), says('Done.'));
    await view.locator('.proposal.waiting .diff-line.added', { hasText: 'controls(X, Z)' }).waitFor();
    expect(await definitionOf('controls')).toBe(CONTROLS);
    await takePictures('agent');
    await view.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.tab.active', { hasText: 'what the agent proposes' }).waitFor();
    await expect.poll(() => code.host('text')).toBe(INDIRECT);
    await code.host('append', '% through others\n');
    await page.locator('.editor-actions [aria-label^="Accept What Is Proposed"]').click();
    await view.locator('.proposal.accepted').waitFor();
    await told(view, 'Done.').waitFor();
    await idle(view);
    expect(await definitionOf('controls')).toBe(`${INDIRECT}% through others\n`);
    expect(await page.locator('.tab', { hasText: 'what the agent proposes' }).count()).toBe(0);
    await view.locator('.turn-foot').getByRole('button', { name: 'Undo' }).click();
    await view.getByText('Undone').waitFor();
    expect(await definitionOf('controls')).toBe(CONTROLS);
});

test('what is rejected is not done, and what is accepted in the view is', async () => {
    const view = await agent();
    const call = ['create_concept', { concept_name: 'controls', rulelang_code: INDIRECT }] as const;
    await asked(view, 'Once more', calls(call), says('As you like.'));
    await view.locator('.proposal.waiting').getByRole('button', { name: 'Reject' }).click();
    await told(view, 'As you like.').waitFor();
    await idle(view);
    expect(await definitionOf('controls')).toBe(CONTROLS);
    await asked(view, 'And again', calls(call), says('Saved.'));
    await view.locator('.proposal.waiting').getByRole('button', { name: 'Accept' }).click();
    await told(view, 'Saved.').waitFor();
    await idle(view);
    expect(await definitionOf('controls')).toBe(INDIRECT);
});

test('an answer that would never end is stopped by Escape', async () => {
    const view = await agent();
    await asked(view, 'Tell me more', { text: ['It begins'], fault: 'silence' });
    await told(view, 'It begins').waitFor();
    await field(view).press('Escape');
    await view.locator('.turn-foot', { hasText: 'Stopped' }).last().waitFor();
    await idle(view);
    await asked(view, 'Go on', says('It goes on.'));
    await told(view, 'It goes on.').waitFor();
});

test('what a model writes reaches no network and runs nothing', async () => {
    const requested: string[] = [];
    page.on('request', request => requested.push(request.url()));
    const view = await agent();
    const hostile = '<img src="http://127.0.0.1:9/leak" onerror="window.hacked=1">';
    await asked(
        view,
        'Show it',
        says(
            `${hostile}\n\n![p](http://127.0.0.1:9/pixel.png)\n\n[here](javascript:window.hacked=1) [out](https://example.com/?q=secret)\n\n`,
            '<script>window.hacked=1</script>\n\nEnd.',
        ),
    );
    await told(view, 'End.').waitFor();
    await idle(view);
    expect(await view.locator('.told').last().innerText()).toContain(hostile);
    expect(await view.locator('.told img, .told a, .told script').count()).toBe(0);
    await view.locator('.target', { hasText: '(https://example.com/?q=secret)' }).waitFor();
    expect(await view.evaluate('window.hacked')).toBeUndefined();
    expect(requested.filter(url => url.includes(':9/') || url.includes('example.com'))).toEqual([]);
});

test('rows of a run and problems of a program are given to it, seen and removed before anything is sent', async () => {
    model.requests.length = 0;
    await code.host('command', 'rulelang.newConversation');
    await code.host('open', 'control/control.rulelang');
    await code.host('command', 'rulelang.runProgram');
    const results = await frameWith(page, '.grid [role=gridcell]');
    await results.locator('[aria-rowindex="2"] [aria-colindex="2"]').click();
    expect(await code.host('command', 'rulelang.askAboutRows')).toBe('done');
    const view = await agent();
    const chip = view.locator('.attachment', { hasText: 'Rows of' });
    await chip.locator('summary').click();
    await chip.locator('pre', { hasText: '|' }).waitFor();
    await chip.getByRole('button', { name: 'Remove' }).click();
    await chip.waitFor({ state: 'detached' });
    await results.locator('[aria-rowindex="2"] [aria-colindex="2"]').press('e');
    await results.locator('.explanation [role=treeitem]').nth(1).waitFor();
    // A question that is written already stays.
    await view.locator('textarea').fill('');
    await results.getByRole('button', { name: 'Ask the agent about it' }).click();
    const explained = view.locator('.attachment', { hasText: 'Explanation: group(' });
    await explained.locator('summary').click();
    await explained.locator('pre', { hasText: 'controls(' }).waitFor();
    await expect.poll(() => view.locator('textarea').inputValue()).toBe('Why is this so?');
    await explained.getByRole('button', { name: 'Remove' }).click();
    const file = { databaseType: 'csv', host: join(code.workspace, 'parts/data'), databaseName: 'bought.csv', username: '', password: '' };
    await client.connectSource({ body: { database: file } });
    expect(await code.host('command', 'rulelang.askAboutSource')).toBe('done');
    const source = view.locator('.attachment', { hasText: 'bought' });
    await source.locator('summary').click();
    await source.locator('pre', { hasText: '@bind("bought"' }).waitFor();
    await source.getByRole('button', { name: 'Remove' }).click();
    expect(model.requests).toEqual([]);
    await code.host('closeAll');
    await code.host('open', 'programs/problems.rulelang');
    await expect.poll(() => code.host('problems')).not.toEqual([]);
    await code.host('command', 'editor.action.marker.next');
    await expect.poll(() => code.host('actions')).toContain('Ask the agent to fix this');
});

test('what was said is there in a window that is opened anew, for its owner alone', async () => {
    await code.reload();
    // A window that is still being put together hides what is shown in it.
    const view = await frameWith(page, '.agent', () => code.host('command', 'rulelang.askAgent'), 5000);
    // The services of a window end with it.
    await view.getByText('No services are connected').waitFor();
    expect(await code.host('command', 'rulelang.startServices')).toBe('done');
    await view.locator('.question', { hasText: 'Who controls what?' }).waitFor();
    expect(await view.locator('.turn').count()).toBeGreaterThan(4);
    await asked(view, 'Do you remember?', says('No.'));
    await told(view, 'No.').waitFor();
    await view.locator('.turn-note', { hasText: 'no longer know' }).waitFor();
    const folders = readdirSync(join(code.storage, 'agent')).map(name => join(code.storage, 'agent', name));
    const files = folders.flatMap(folder => readdirSync(folder).map(name => join(folder, name)));
    expect(files.length).toBeGreaterThan(0);
    expect(files.map(file => statSync(file).mode & 0o777)).toEqual(files.map(() => 0o600));
    expect(folders.map(folder => statSync(folder).mode & 0o777)).toEqual(folders.map(() => 0o700));
});
