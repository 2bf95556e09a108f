import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../model/model-server.ts';
import { block, comment, RULES } from './commented-rule.ts';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import type { RestrictedCheckName } from './modules/restricted-checks.ts';
import { keepShot } from './platform-window.ts';

let code: VsCode;
let model: ModelServer;
beforeAll(async () => {
    model = await startModelServer();
    const environment = { LLM_BASE_URL: model.baseUrl, LLM_API_KEY: 'key', LLM_VERSION: 'm1' };
    code = await startVsCode(unpackedExtension(), { trusted: false, environment });
}, 900_000);
afterAll(async () => {
    await code?.close();
    await model?.stop();
});
afterEach(({ task }) => keepShot(code.page, task));

const names: readonly RestrictedCheckName[] = [
    'every command that runs is refused, however it is called',
    'language models have no tools',
    'programs are still checked',
    'limits that a workspace gives do not count',
];
test.each(names)('%s', name => code.check(name));

test('there is no view with results', async () => {
    expect(await code.page.locator('iframe.webview').count()).toBe(0);
});

const button = (name: string) => code.page.getByRole('button', { name, exact: true });

test('once the folder is trusted, without a model of the editor the one that is configured on the machine writes', async () => {
    expect(model.requests).toEqual([]);
    await code.host('command', 'workbench.trust.manage');
    await button('Trust').click();
    await code.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ state: 'detached' });
    await comment(code);
    model.script(block(RULES));
    const written = code.host('command', 'rulelang.writeRule');
    await button('Send').click();
    expect(await written).toBe('done');
    await button('Accept').click();
    await expect.poll(() => code.host('text')).toContain('large(X) <-');
    expect(model.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer key']);
    expect(await code.host('command', 'rulelang.showModelRequest')).toBe('done');
    expect(await code.host('text')).toMatch(/^m1 \(chat-completions, http:/u);
});
