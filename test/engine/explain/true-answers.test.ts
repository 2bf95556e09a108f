import { expect, test } from 'vitest';
import { searched } from '../../fuzz/search.ts';
import { trueAnswers } from '../../fuzz/true-answers.ts';

test('every statement of why-not is true of the database', async () => {
    const answers = await searched(trueAnswers, 1, 10);
    const sum = (key: 'asked' | 'told' | 'carried'): number => answers.reduce((total, answer) => total + answer[key], 0);
    expect(sum('told')).toBeGreaterThan(5 * sum('asked'));
    // What is named as a cause was done away with, and the fact was there.
    expect(sum('carried')).toBeGreaterThan(sum('asked') / 2);
});
