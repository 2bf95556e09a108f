import { expect, test } from 'vitest';
import { searched } from '../../fuzz/search.ts';
import { trueAnswers } from '../../fuzz/true-answers.ts';

test('every statement of why-not is true of the database', async () => {
    const answers = await searched(trueAnswers, 1_000_001, 35);
    const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
    const asked = sum(answers.map(answer => answer.asked));
    expect(sum(answers.map(({ told }) => told))).toBeGreaterThan(5 * asked);
    // What is named as a cause was done away with, and the fact was there.
    const gives = answers.flatMap(({ carried }) => [...carried].flatMap(([name, count]) => (name.endsWith(' gives') ? [count] : [])));
    expect(sum(gives)).toBeGreaterThan(asked / 2);
});
