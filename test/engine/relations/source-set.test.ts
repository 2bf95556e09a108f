import { describe, expect, test } from 'vitest';
import { SourceSet } from '#engine/relations/source-set.ts';
import { unlimitedMemory } from '#engine/values/memory.ts';

/** Numbers that look drawn, the same in each run. */
function drawn(count: number, from: number, range: number): Int32Array {
    return Int32Array.from({ length: count }, (_, i) => from + ((Math.imul(i + 7, 0x9e3779b1) >>> 8) % range));
}

describe('a set of the ids beside one first id', () => {
    const ranges: readonly [string, number, number][] = [
        ['close together', -500, 900],
        ['in two places far from each other', 0x3000000, 40_000],
        ['all over', -0x40000000, 0x7fffff00],
    ];
    for (const [name, from, range] of ranges) {
        test(`adds each once until it is cleared, with ids ${name}`, () => {
            const memory = unlimitedMemory();
            const set = new SourceSet(memory);
            const into = new Int32Array(4000);
            for (const count of [3, 700, 2, 2000, 90]) {
                const apart = name.startsWith('in two') ? 0x2f00000 : 0;
                const values = drawn(count, from, range).map((value, i) => value - (i % 2) * apart);
                const half = count >> 1;
                let filled = set.addAll(0, 0, values, 0, half, into, 0);
                for (const value of values) if (set.add(0, 0, value)) into[filled++] = value;
                expect(set.addAll(0, 0, values, 0, count, into, filled)).toBe(0);
                expect([...into.subarray(0, filled)]).toEqual([...new Set(values)]);
                set.clear(into, 0, filled);
            }
            set.dispose();
        });
    }
});
