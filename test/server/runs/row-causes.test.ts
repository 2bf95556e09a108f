import { expect, test } from 'vitest';
import { rowCauses } from '#server/runs/differences/row-causes.ts';

const EDITS = 6;

/** Whether a row is as in the later run with these edits. */
type Rule = (done: ReadonlySet<number>) => boolean;

const search = async (rules: readonly Rule[], likely: (row: number) => readonly (readonly number[])[], most = 1000) => {
    let left = most;
    return await rowCauses({
        edits: EDITS,
        rows: rules.map((_, row) => ({ likely: () => likely(row) })),
        evaluate: edits => {
            left--;
            const done = new Set(edits);
            return Promise.resolve(Uint8Array.from(rules, rule => Number(rule(done))));
        },
        enough: () => left <= 0,
    });
};

const all =
    (...edits: number[]): Rule =>
    done =>
        edits.every(edit => done.has(edit));

test('few edits are found, whatever is likely', async () => {
    const rules: readonly Rule[] = [
        all(3),
        all(1, 4),
        done => done.has(0) || all(2, 5)(done),
        done => done.has(2) && !done.has(4),
        all(0, 2, 5),
    ];
    const expected = [
        { edits: [3], smallest: true },
        { edits: [1, 4], smallest: true },
        { edits: [0], smallest: true },
        { edits: [2], smallest: true },
        { edits: [0, 2, 5], smallest: false },
    ];
    const own = [[[3]], [[1, 4]], [[2, 5]], [[2]], [[0, 2, 5]]];
    expect(await search(rules, row => own[row] ?? [])).toEqual(expected);
    // Without what is likely all edits are tried, which do not make the fourth row.
    expect(await search(rules, () => [])).toEqual(expected.with(3, undefined as never));
});

test('a search that ends early says no more than it knows', async () => {
    expect(await search([all(1, 4), all(2)], () => [], 0)).toEqual([undefined, undefined]);
    const [first] = await search([all(1, 4)], () => [[0, 1, 2, 3, 4, 5]], 3);
    expect(first?.smallest).toBe(false);
});
