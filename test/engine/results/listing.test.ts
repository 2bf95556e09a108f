import { expect, test } from 'vitest';
import { listPredicate, withRows } from '#engine/results/listing.ts';
import { run } from '../evaluate/run-program.ts';

test('rows can be listed as they were derived, or sorted', async () => {
    const { outcome } = await run('p(3). p(1). p(2). q(X, Y) <- p(X), Y = X * 2. @output("q").');
    if (!outcome.ok) throw new Error('not evaluated');
    const { database } = outcome;
    const [key] = database.program.outputs;
    if (key === undefined) throw new Error('no output');
    const values = (unordered: boolean): unknown[] => {
        const { count, at } = listPredicate(database, key, { unordered });
        return Array.from({ length: count }, (_, row) => [0, 1].map(column => database.dictionary.numberOf(at(row, column))));
    };
    const derived = [
        [3, 6],
        [1, 2],
        [2, 4],
    ];
    expect(values(true)).toEqual(derived);
    expect(values(false)).toEqual([derived[1], derived[2], derived[0]]);
    const listing = listPredicate(database, key, { unordered: true });
    expect([...listing.rows]).toEqual([0, 1, 2]);
    expect(database.dictionary.numberOf(withRows(listing, listing.rows.slice(2)).at(0, 1))).toBe(4);
});
