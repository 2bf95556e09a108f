import { expect, test } from 'vitest';
import { GroupedSet } from '#engine/relations/grouped-set.ts';
import { RowGroups } from '#engine/relations/row-groups.ts';
import { unlimitedMemory } from '#engine/values/memory.ts';
import { fc } from '../../support/fast-check.ts';

const KEY = fc.integer({ min: -5, max: 5 });

test('rows of one group are brought together and keep their order, round after round', () => {
    fc.assert(
        fc.property(
            fc.array(fc.array(fc.tuple(KEY, KEY, fc.nat(9)), { minLength: 2, maxLength: 200 }), { minLength: 1, maxLength: 3 }),
            fc.boolean(),
            (rounds, isPair) => {
                const memory = unlimitedMemory();
                const set = new GroupedSet(memory);
                const groups = new RowGroups(memory);
                const groupOf = (row: readonly number[]): string => (isPair ? `${row[0]}` : `${row[0]} ${row[1]}`);
                for (const rows of rounds) {
                    const indexes = isPair ? [0, 2] : [0, 1, 2];
                    const columns = indexes.map(i => Int32Array.from(rows, row => row[i] ?? 0));
                    for (const [a, b, c] of rows) set.add(a, isPair ? 0 : b, c);
                    groups.bringTogether(set, columns, 1, rows.length);
                    const others = rows.slice(1);
                    const names = [...new Set(others.map(groupOf))];
                    const expected = [...rows.slice(0, 1), ...names.flatMap(name => others.filter(row => groupOf(row) === name))];
                    expect(columns.map(column => [...column])).toEqual(indexes.map(i => expected.map(row => row[i])));
                }
                expect(set.bytes + groups.bytes).toBe(memory.held);
            },
        ),
    );
});
