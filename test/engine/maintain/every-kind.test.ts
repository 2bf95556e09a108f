import { expect, test } from 'vitest';
import { EDITED_KINDS, editedCorpus } from '../../fuzz/edited-kinds.ts';
import { searched } from '../../fuzz/search.ts';

test.each(EDITED_KINDS.map(search => ({ search })))('rows follow edits: $search.name', async ({ search }) => {
    await searched(search, 41_011, 1);
});

test('rows of programs of the corpus follow edits', async () => {
    const counts = await searched(editedCorpus, 41_011, 4);
    const sum = (key: 'followed' | 'evaluated'): number => counts.reduce((total, one) => total + one[key], 0);
    expect(sum('followed')).toBeGreaterThan(sum('evaluated'));
});
