import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../model/model-server.ts';
import { block, comment, RULES } from './commented-rule.ts';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import { withProposedMcp } from './proposed-mcp.ts';

let code: VsCode;
let extension: string;
let model: ModelServer;
beforeAll(async () => {
    model = await startModelServer();
    extension = withProposedMcp(unpackedExtension());
    code = await startVsCode(extension, { trusted: true, model: model.baseUrl });
}, 900_000);
afterAll(async () => {
    await code?.close();
    await model?.stop();
    if (extension !== undefined) rmSync(extension, { recursive: true, force: true });
});

const button = (name: string) => code.page.getByRole('button', { name, exact: true });
const program = () => code.host('text');

test('the agents of the editor are offered the server of the Model Context Protocol', { retry: 1 }, async () => {
    await code.host('open', 'control/control.rulelang');
    await code.page.keyboard.press('F1');
    await code.page.keyboard.type('MCP: List Servers');
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'MCP: List Servers' }).first().click();
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Rulelang' }).last().waitFor();
    await code.page.keyboard.press('Escape');
});

test('the user is asked once, then rules are written, corrected, shown, and inserted when the user says so', async () => {
    await comment(code);
    model.script(block('large(X).'), block(RULES));
    const written = code.host('command', 'rulelang.writeRule');
    await code.page.getByText('No rows are sent.').first().waitFor();
    expect(model.requests).toEqual([]);
    await button('Send').click();
    await code.page.getByText('Rules that a model wrote').first().waitFor();
    await code.page.getByText('Rows on the data at hand: large: 2').first().waitFor();
    expect(await written).toBe('done');
    await button('Accept').click();
    await expect.poll(program).toMatch(/least\nlarge\(X\) <- controls\(X, Y\), controls\(X, Z\), Y != Z\.\n@output\("large"\)\.\n$/u);
    expect(model.requests).toHaveLength(2);
    const sent = JSON.stringify(model.requests.map(({ body }) => body));
    expect(sent).toContain('controls(owner: string, company: string)');
    expect(sent).toContain('who controls two companies at least');
    expect(sent).not.toContain('Garrick');
});

test('what was sent last can be read', async () => {
    expect(await code.host('command', 'rulelang.showModelRequest')).toBe('done');
    expect(await program()).toMatch(/^Scripted \(test, test\.scripted\).*RL\d+: .*large\(X\)/su);
});

test('rules with errors are never shown', async () => {
    await comment(code);
    const before = await program();
    model.script(block('p(X).'), block('p(X).'), block('p(X).'));
    expect(await code.host('command', 'rulelang.writeRule')).toBe('failed');
    expect(await program()).toBe(before);
});

test('a comment without a rule has the action', async () => {
    await comment(code);
    expect(await code.host('actions')).toContain('Write a rule for this comment');
});
