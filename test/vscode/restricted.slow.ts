import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVsCode, unpackedExtension, type VsCode } from './harness.ts';
import type { RestrictedCheckName } from './modules/restricted-checks.ts';

let code: VsCode;
beforeAll(async () => {
    code = await startVsCode(unpackedExtension(), { trusted: false });
}, 900_000);
afterAll(() => code?.close());

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
