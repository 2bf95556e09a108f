import { expect, test } from 'vitest';
import { editedPrograms, editedRows } from '../../fuzz/held-programs.ts';
import { searched } from '../../fuzz/search.ts';

test('results follow random edits of programs and facts', async () => {
    const counts = await searched(editedPrograms, 31_007, 1);
    const sum = (key: 'followed' | 'evaluated'): number => counts.reduce((total, one) => total + one[key], 0);
    expect(sum('followed')).toBeGreaterThan(sum('evaluated'));
});

test('results follow rows that come and go, given or derived', () => searched(editedRows, 31_007, 2));
