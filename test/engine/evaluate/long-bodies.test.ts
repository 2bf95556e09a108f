import { expect, test } from 'vitest';
import { longBodies } from '../../fuzz/long-bodies.ts';
import { searched } from '../../fuzz/search.ts';

test('rules with more recursive atoms than are planned one by one mean what the reference evaluator says', async () => {
    const [derived] = await searched(longBodies, 1, 1);
    expect(derived).toBeGreaterThan(20);
});
