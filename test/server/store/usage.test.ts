import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataDirectory } from '#server/store/data-directory.ts';
import { openStore } from '#server/store/store.ts';
import { usageIn } from '#server/store/usage.ts';

test('requests are counted by month and kind up to their limit, and survive', async () => {
    const data = openDataDirectory(join(fs.mkdtempSync(join(tmpdir(), 'rulelang-usage-')), 'data'));
    let now = Date.UTC(2026, 2, 31, 23, 59, 59);
    let store = await openStore(data);
    let usage = usageIn(store, () => now);
    expect(await usage.current('llm')).toBe(0);
    expect(await Promise.all([1, 2, 3].map(() => usage.spend('llm', 2)))).toEqual([true, true, false]);
    await store.close();
    store = await openStore(data);
    usage = usageIn(store, () => now);
    expect([await usage.current('llm'), await usage.current('embedding')]).toEqual([2, 0]);
    now += 1000;
    expect(await usage.current('llm')).toBe(0);
    expect(await usage.spend('llm', 2)).toBe(true);
    for (const input of [3, 2 ** 40]) await usage.addTokens('llm', { input, output: 1 });
    expect([await usage.tokens('llm'), await usage.tokens('embedding'), await usage.current('llm')]).toEqual([
        { input: 2 ** 40 + 3, output: 2 },
        { input: 0, output: 0 },
        1,
    ]);
    await store.close();
});
