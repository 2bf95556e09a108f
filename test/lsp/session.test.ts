import { test } from 'vitest';
import { randomSession } from './session.ts';

test('a session of random edits and requests', async () => {
    const seed = Date.now() % 1_000_000;
    console.log(`seed ${seed}`);
    await randomSession(seed, 400);
});
