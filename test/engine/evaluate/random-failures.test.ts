import { expect, test } from 'vitest';
import { randomFailures } from '../../fuzz/random-failures.ts';
import { searched } from '../../fuzz/search.ts';

test('programs in which arithmetic often fails end as in the reference evaluator', async () => {
    const ends = await searched(randomFailures, 20_777, 12);
    const failed = ends.filter(end => end === 'failed').length;
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(11);
});
