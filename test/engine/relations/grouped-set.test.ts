import { describe, expect, test } from 'vitest';
import { GroupedSet } from '#engine/relations/grouped-set.ts';
import { Memory, unlimitedMemory } from '#engine/values/memory.ts';
import { fc } from '../../support/fast-check.ts';

/** Values of one group: close together, far apart, or both, around 0 and at the ends of the range. */
const VALUES = fc
    .array(fc.tuple(fc.constantFrom(-0x80000000, -0x40000000, -70, 0, 0x7ffe0000), fc.constantFrom(3, 40, 700, 50_000), fc.nat(120)), {
        minLength: 1,
        maxLength: 6,
    })
    .chain(parts =>
        fc.infiniteStream(fc.nat(0xffff)).map(stream => {
            const values: number[] = [];
            for (const [base, range, count] of parts) {
                for (let i = 0; i < count; i++) values.push(base + (Number(stream.next().value) % range));
            }
            return values;
        }),
    );

describe('a grouped set', () => {
    test('holds each value of a group once', () => {
        fc.assert(
            fc.property(fc.array(VALUES, { minLength: 1, maxLength: 4 }), fc.boolean(), (groups, inTurns) => {
                const set = new GroupedSet(unlimitedMemory());
                const seen = groups.map(() => new Set<number>());
                const wrong: number[] = [];
                const most = Math.max(...groups.map(values => values.length));
                for (let i = 0; i < most; i++) {
                    for (const [group, values] of groups.entries()) {
                        const value = values[i];
                        if (value === undefined) continue;
                        const isNew = set.add(inTurns ? -group : 7, inTurns ? 0 : group, value);
                        const known = seen[group] ?? new Set();
                        if (isNew === known.has(value)) wrong.push(value);
                        known.add(value);
                    }
                }
                expect(wrong).toEqual([]);
                for (const [group, values] of groups.entries()) {
                    const into = new Int32Array(values.length);
                    const [key0, key1] = inTurns ? ([-group, 0] as const) : ([7, group] as const);
                    expect(set.addAll(key0, key1, Int32Array.from(values), 0, values.length, into, 0)).toBe(0);
                }
            }),
            { numRuns: 40 },
        );
    });

    test('says which of several values are new', () => {
        fc.assert(
            fc.property(fc.array(VALUES, { minLength: 1, maxLength: 6 }), runs => {
                const set = new GroupedSet(unlimitedMemory());
                const seen = new Set<number>();
                for (const values of runs) {
                    const into = new Int32Array(values.length + 1);
                    const count = set.addAll(1, 2, Int32Array.from([9, ...values, 9]), 1, values.length + 1, into, 1);
                    expect([...into.subarray(1, count + 1)]).toEqual([...new Set(values)].filter(value => !seen.has(value)));
                    for (const value of values) seen.add(value);
                }
            }),
            { numRuns: 40 },
        );
    });

    test('takes the values of a group of another set, or of its own', () => {
        fc.assert(
            fc.property(VALUES, VALUES, fc.boolean(), (source, own, isSame) => {
                fc.pre(source.length > 0);
                const set = new GroupedSet(unlimitedMemory());
                const other = isSame ? set : new GroupedSet(unlimitedMemory());
                for (const value of source) other.add(1, 0, value);
                for (const value of own) set.add(2, 0, value);
                const group = other.findGroup(1, 0);
                expect([other.countOf(group), other.findGroup(1, 1)]).toEqual([new Set(source).size, -1]);
                const into = new Int32Array(source.length + 1);
                const count = set.addGroup(2, 0, other, group, into, 1);
                const owned = new Set(own);
                const expected = [...new Set(source)].filter(value => !owned.has(value));
                expect([...into.subarray(1, count + 1)].sort()).toEqual(expected.sort());
                expect(set.countOf(set.findGroup(2, 0))).toBe(new Set([...source, ...own]).size);
                expect(set.addGroup(2, 0, other, group, into, 0)).toBe(0);
                expect(other.addGroup(1, 0, other, group, into, 0)).toBe(0);
                expect([...source, ...own].filter(value => set.add(2, 0, value))).toEqual([]);
                expect(source.filter(value => other.add(1, 0, value))).toEqual([]);
            }),
            { numRuns: 40 },
        );
    });

    test('counts its bytes', () => {
        const memory = new Memory(
            1e9,
            () => 0,
            () => {
                throw new Error('full');
            },
        );
        const set = new GroupedSet(memory);
        for (let i = 0; i < 200_000; i++) set.add(i % 5000, 0, (i * 7919) % 100_003);
        expect(memory.peak).toBeGreaterThanOrEqual(set.bytes);
        set.dispose();
        memory.check();
        const { peak } = memory;
        memory.reserve(peak);
        memory.check();
        expect(memory.peak).toBe(peak);
    });
});
