import { expect, it } from 'vitest';
import { chase } from '../fuzz/chase.ts';
import { searched } from '../fuzz/search.ts';

it('what is asked about unknown values is answered when all that can be is known, as a plain chase says', async () => {
    const found = await searched(chase, 20_777, 4);
    expect(found.filter(end => end === 'ends').length).toBeGreaterThan(1);
});
