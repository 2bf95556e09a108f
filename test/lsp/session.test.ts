import { test } from 'vitest';
import { randomSession } from './session.ts';

test('a session of random edits and requests', async () => {
    const seed = Number(process.env.SESSION_SEED ?? 20_777);
    console.log(`seed ${seed}`);
    await randomSession(seed, 400);
});
