import { expect, test } from 'vitest';
import { randomQuestions } from '../../fuzz/random-questions.ts';
import { searched } from '../../fuzz/search.ts';

test('random programs answer questions as the reference evaluator does', async () => {
    const found = await searched(randomQuestions, 20_777, 7);
    expect(found.filter(kind => kind === 'restricted').length).toBeGreaterThan(2);
});
