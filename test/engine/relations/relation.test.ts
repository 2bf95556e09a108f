import { describe, expect, test } from 'vitest';
import { DirectClusters } from '#engine/relations/direct-clusters.ts';
import { HashedClusters } from '#engine/relations/hashed-clusters.ts';
import { Relation } from '#engine/relations/relation.ts';
import { UniqueRows } from '#engine/relations/unique-rows.ts';
import { Memory, unlimitedMemory } from '#engine/values/memory.ts';
import { fc } from '../../support/fast-check.ts';

const NUMBER = fc.integer({ min: -3, max: 6 });

function rowsOf(arity: number): fc.Arbitrary<number[][]> {
    return fc.array(fc.array(NUMBER, { minLength: arity, maxLength: arity }), { maxLength: 400 });
}

/** Rows whose values are few, or far apart, or rise. */
const CLUSTERED_ROWS = fc
    .tuple(rowsOf(3), fc.constantFrom(1, 1_000_003), fc.boolean())
    .map(([rows, factor, isSorted]) =>
        (isSorted ? [...rows].sort(([a = 0], [b = 0]) => a - b) : rows).map(row => row.map(value => value * factor)),
    );

function positions(start: number, end: number): number[] {
    return Array.from({ length: end - start }, (_, i) => start + i);
}

function addRow(relation: Relation, row: readonly number[]): number {
    const [a = 0, b = 0, c = 0, d = 0] = row;
    switch (row.length) {
        case 1:
            return relation.add1(a);
        case 2:
            return relation.add2(a, b);
        case 3:
            return relation.add3(a, b, c);
        case 4:
            return relation.add4(a, b, c, d);
        default:
            return relation.add(row);
    }
}

function rowAt(relation: Relation, row: number): number[] {
    return relation.columns.map(column => column[row] ?? Number.NaN);
}

describe.each([0, 1, 2, 3, 4, 5])('a relation of arity %i', arity => {
    test('is the set of the rows that were added, in order', () => {
        fc.assert(
            fc.property(rowsOf(arity), rows => {
                const relation = new Relation(arity, unlimitedMemory());
                const model = new Map<string, number>();
                for (const row of rows) {
                    const key = row.join();
                    const expected = model.get(key) ?? model.size;
                    model.set(key, expected);
                    expect(addRow(relation, row)).toBe(expected);
                    expect(relation.add(row)).toBe(expected);
                }
                expect(relation.count).toBe(model.size);
                for (const row of rows) expect(relation.find(row)).toBe(model.get(row.join()));
                if (arity > 0) expect(relation.find(Array(arity).fill(99))).toBe(-1);
                expect([...model.keys()]).toEqual(Array.from({ length: relation.count }, (_, row) => rowAt(relation, row).join()));
            }),
            { numRuns: 40 },
        );
    });

    test('that begins with ascending rows knows them again', () => {
        fc.assert(
            fc.property(rowsOf(arity), rowsOf(arity), fc.boolean(), (first, then, byAdd) => {
                const relation = new Relation(arity, unlimitedMemory());
                const ascending = [...first].sort(([left = 0], [right = 0]) => left - right);
                const rows = [...ascending, ...then];
                const model = new Map<string, number>();
                for (const [i, row] of rows.entries()) {
                    const expected = model.get(row.join()) ?? model.size;
                    model.set(row.join(), expected);
                    expect(byAdd || i < ascending.length ? relation.add(row) : addRow(relation, row)).toBe(expected);
                }
                for (const row of rows) expect(relation.find(row)).toBe(model.get(row.join()));
                expect([...model.keys()]).toEqual(Array.from({ length: relation.count }, (_, row) => rowAt(relation, row).join()));
            }),
            { numRuns: 40 },
        );
    });

    test('has the rows that were offered as if they had been added', () => {
        const sources = fc.array(fc.tuple(rowsOf(arity), fc.boolean()), { maxLength: 4 });
        fc.assert(
            fc.property(rowsOf(arity), sources, fc.integer({ min: 1, max: 50 }), (facts, batches, size) => {
                const [offered, added] = [new Relation(arity, unlimitedMemory()), new Relation(arity, unlimitedMemory())];
                for (const row of facts) {
                    addRow(offered, row);
                    addRow(added, row);
                }
                for (const [source, [rows, isSorted]] of batches.entries()) {
                    if (isSorted) rows.sort((left, right) => (left[0] ?? 0) - (right[0] ?? 0));
                    for (const [i, row] of rows.entries()) {
                        const at = added.count;
                        if (addRow(added, row) === at) added.notes.setLines(at, at + 1, i + 1, source);
                    }
                    for (let i = 0; i < rows.length; i += size) {
                        const part = rows.slice(i, i + size);
                        const columns = offered.columns.map((_, column) => Int32Array.from(part, row => row[column] ?? 0));
                        offered.offer(columns, part.length, i + 1, source);
                    }
                    offered.settle();
                    expect(offered.count).toBe(added.count);
                }
                addRow(offered, [100, 100, 100, 100, 100].slice(0, arity));
                addRow(added, [100, 100, 100, 100, 100].slice(0, arity));
                expect(offered.count).toBe(added.count);
                for (let row = 0; row < added.count; row++) {
                    expect(rowAt(offered, row)).toEqual(rowAt(added, row));
                    expect(offered.find(rowAt(added, row))).toBe(row);
                    expect(offered.notes.lines?.[row] ?? 0).toBe(added.notes.lines?.[row] ?? 0);
                    expect(offered.notes.sources?.[row] ?? 0).toBe(added.notes.sources?.[row] ?? 0);
                }
            }),
            { numRuns: 40 },
        );
    });

    test('finds the rows with some values, also after more were added', () => {
        fc.assert(
            fc.property(rowsOf(arity), rowsOf(arity), fc.uniqueArray(fc.nat({ max: Math.max(0, arity - 1) })), (before, after, chosen) => {
                const columns = arity === 0 ? [] : chosen.sort();
                const relation = new Relation(arity, unlimitedMemory());
                const matches = (wanted: readonly number[]): number[] => {
                    const found: number[] = [];
                    relation.match(
                        columns,
                        columns.map(column => wanted[column] ?? 0),
                        row => found.push(row),
                    );
                    return found.sort((left, right) => left - right);
                };
                const expected = (wanted: readonly number[]): number[] =>
                    Array.from({ length: relation.count }, (_, row) => row).filter(row =>
                        columns.every(column => relation.columns[column]?.[row] === wanted[column]),
                    );
                for (const rows of [before, after]) {
                    for (const row of rows) addRow(relation, row);
                    for (const row of before) expect(matches(row)).toEqual(expected(row));
                }
            }),
            { numRuns: 15 },
        );
    });
});

test('pairs that are offered are told apart when the relation is settled', () => {
    const batches = fc.array(fc.tuple(rowsOf(2), fc.nat({ max: 3 }), fc.integer({ min: 0, max: 1 })), { maxLength: 5 });
    fc.assert(
        fc.property(batches, fc.constantFrom(1, 1_000_003), (chosen, factor) => {
            const memory = unlimitedMemory();
            const [relation, model] = [new Relation(2, memory), new Relation(2, unlimitedMemory())];
            let line = 1;
            for (const [all, how, source] of chosen) {
                const rows = all.map(row => row.map(value => value * factor));
                const columns = [0, 1].map(column => Int32Array.from(rows, row => row[column] ?? 0));
                for (const [i, [a = 0, b = 0]] of rows.entries()) {
                    const at = model.count;
                    if (model.add2(a, b) === at) model.notes.setLines(at, at + 1, line + i, source);
                }
                relation.offer(columns, rows.length, line, source);
                if (how > 0) relation.settle();
                if (how > 1) {
                    for (const [a = 0, b = 0] of rows) expect(relation.find([a, b])).toBe(model.find([a, b]));
                    const index = relation.clustered([0]);
                    const start = index.locate1(rows[0]?.[0] ?? 5);
                    const end = index.end;
                    expect(end - start).toBe(
                        Array.from(model.columns[0]?.subarray(0, model.count) ?? []).filter(a => a === (rows[0]?.[0] ?? 5)).length,
                    );
                }
                if (how > 2) expect(relation.add2(77, factor)).toBe(model.add2(77, factor));
                line += rows.length;
            }
            relation.settle();
            expect(relation.count).toBe(model.count);
            for (let row = 0; row < model.count; row++) {
                expect(rowAt(relation, row)).toEqual(rowAt(model, row));
                expect(relation.notes.lines?.[row] ?? 0).toBe(model.notes.lines?.[row] ?? 0);
                expect(relation.notes.sources?.[row] ?? 0).toBe(model.notes.sources?.[row] ?? 0);
            }
            expect(relation.bytes).toBe(memory.held);
        }),
        { numRuns: 40 },
    );
});

test('a set of single ids keeps the order in which they came, whatever they are added by', () => {
    const steps = fc.array(fc.record({ how: fc.nat({ max: 3 }), from: fc.nat({ max: 3000 }), factor: fc.constantFrom(1, 1, 70_001) }), {
        maxLength: 12,
    });
    fc.assert(
        fc.property(steps, chosen => {
            const memory = unlimitedMemory();
            const relation = new Relation(1, memory);
            const model = new Set<number>();
            for (const { how, from, factor } of chosen) {
                const values = Int32Array.from({ length: 200 }, (_, i) => ((from + i * 7) % 4000) * factor);
                if (how === 0) for (const value of values) relation.insert1(value);
                else if (how === 1) relation.insertAll(values, values.length);
                else if (how === 2) expect(relation.findKey([values[0] ?? 0])).toBe([...model].indexOf(values[0] ?? 0));
                else for (const value of values) relation.add1(value);
                if (how !== 2) for (const value of values) model.add(value);
            }
            expect(Array.from(relation.columns[0]?.subarray(0, relation.count) ?? [])).toEqual([...model]);
            expect(relation.bytes).toBe(memory.held);
        }),
        { numRuns: 25 },
    );
});

test.each([1, 2])('the members of a relation of arity %i are those of its rows', arity => {
    fc.assert(
        fc.property(rowsOf(arity), rowsOf(arity), fc.constantFrom(1, 60, 70_001), (rows, others, factor) => {
            const memory = unlimitedMemory();
            const relation = new Relation(arity, memory);
            for (const row of rows) addRow(relation, row);
            for (const [column, values] of relation.columns.entries()) relation.columns[column] = values.map(value => value * factor);
            const members = relation.members();
            if (factor === 1) expect(members).toBeDefined();
            const asked = [...rows, ...others].map(row => row.map(value => value * factor));
            const columns = [0, 1].map(column => Int32Array.from(asked, row => row[column] ?? 0));
            const found = new Int32Array(asked.length);
            members?.findAll(columns[0] as Int32Array, arity === 1 ? undefined : columns[1], asked.length, found);
            const known = new Set(rows.map(row => row.map(value => value * factor).join()));
            if (members !== undefined) expect(Array.from(found)).toEqual(asked.map(row => (known.has(row.join()) ? 0 : -1)));
            expect(relation.bytes).toBe(memory.held);
            relation.dropIndexes();
            expect(relation.bytes).toBe(memory.held);
        }),
        { numRuns: 40 },
    );
});

test('rows that are known to be new are found like others', () => {
    const relation = new Relation(2, unlimitedMemory());
    const columns = [Int32Array.from({ length: 500 }, (_, i) => i), Int32Array.from({ length: 500 }, (_, i) => i * i)];
    relation.append(columns, 300);
    relation.append([columns[1] as Int32Array, columns[0] as Int32Array], 0);
    expect(relation.count).toBe(300);
    expect(relation.find([17, 289])).toBe(17);
    relation.insert2(17, 289);
    relation.insert2(17, 290);
    expect(relation.count).toBe(301);
    expect(relation.add2(299, 299 * 299)).toBe(299);
});

test('a clustered index has the rows of each key side by side', () => {
    fc.assert(
        fc.property(CLUSTERED_ROWS, fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1 }), (rows, columns) => {
            const memory = unlimitedMemory();
            const relation = new Relation(3, memory);
            for (const row of rows) addRow(relation, row);
            const index = relation.clustered(columns);
            expect(relation.clustered([...columns])).toBe(index);
            for (const wanted of [...rows, [98, 98, 98]]) {
                const key = columns.map(column => wanted[column] ?? 0);
                const start = index.locate(key);
                const found = positions(start, index.end).map(position => index.rows?.[position] ?? position);
                const expected: number[] = [];
                for (let row = 0; row < relation.count; row++) {
                    if (columns.every((column, i) => relation.columns[column]?.[row] === key[i])) expected.push(row);
                }
                if (columns.length > 1) expect(found).toEqual(expected);
                if (columns.length > 1) continue;
                const start1 = index.locate1(key[0] ?? 0);
                expect(positions(start1, index.end).map(position => index.rows?.[position] ?? position)).toEqual(expected);
                const [starts, ends] = [new Int32Array(1), new Int32Array(1)];
                index.locateAll(Int32Array.of(-1, key[0] ?? 0), 1, 2, starts, ends);
                expect(positions(starts[0] ?? 0, ends[0] ?? 0)).toEqual(positions(start1, index.end));
                expect(Array.from(index.column(2).subarray(start1, index.end))).toEqual(expected.map(row => relation.columns[2]?.[row]));
            }
            expect(relation.bytes).toBe(memory.held);
            relation.dropIndexes();
            expect(relation.bytes).toBe(memory.held);
        }),
        { numRuns: 40 },
    );
});

test.each([
    ['unique', Array.from({ length: 500 }, (_, i) => [(i * 7) % 500, 1, 2]), UniqueRows],
    ['close together', Array.from({ length: 500 }, (_, i) => [(i * 7) % 50, i, 2]), DirectClusters],
    ['far apart', Array.from({ length: 500 }, (_, i) => [i * 1_000_003, 1, 2]), HashedClusters],
])('values that are %s have an index of their kind', (_, rows, kind) => {
    const relation = new Relation(3, unlimitedMemory());
    for (const row of rows) addRow(relation, row);
    expect(relation.clustered([0])).toBeInstanceOf(kind);
});

describe('a relation', () => {
    test('holds many rows', () => {
        const relation = new Relation(2, unlimitedMemory());
        for (let i = 0; i < 100_000; i++) relation.add2(i % 317, (i * 7919) % 1009);
        const model = new Set(Array.from({ length: 100_000 }, (_, i) => (i % 317) * 10_000 + ((i * 7919) % 1009)));
        expect(relation.count).toBe(model.size);
        expect(relation.findKey2(1, 100_000)).toBe(-1);
        expect(relation.find([316, (316 * 7919) % 1009])).toBeGreaterThanOrEqual(0);
    });

    test('looks for repeated rows among many', () => {
        const memory = unlimitedMemory();
        const relation = new Relation(3, memory);
        const columns = [new Int32Array(1000), new Int32Array(1000), new Int32Array(1000)];
        const known = new Set<number>();
        for (let i = 0; i < 300_000; i++) {
            const value = Math.imul(i % 5 === 0 ? i >> 1 : i, 0x9e3779b1);
            for (const [column, values] of columns.entries()) values[i % 1000] = (value >> (column * 11)) & 0x7ff;
            known.add(value);
            if (i % 1000 === 999) relation.offer(columns, 1000, i - 998, 0);
        }
        relation.settle();
        expect(relation.count).toBe(known.size);
        const held = memory.held;
        relation.dispose();
        expect(memory.held).toBe(0);
        expect(held).toBeLessThan(300_000 * 24);
        let last = 0;
        for (let row = 0; row < known.size; row++) {
            const line = relation.notes.lines?.[row] ?? 0;
            if (line <= last) expect.unreachable();
            last = line;
        }
    });

    test('of groups is unique in its key columns only', () => {
        const relation = new Relation(3, unlimitedMemory(), [0, 2]);
        expect(relation.add2(1, 5)).toBe(0);
        expect(relation.add2(1, 6)).toBe(1);
        expect(relation.add2(1, 5)).toBe(0);
        relation.columns[1]?.fill(42, 0, 1);
        expect(relation.find([1, 42, 5])).toBe(0);
        expect(relation.find([1, 41, 5])).toBe(-1);
        expect(relation.findKey([1, 6])).toBe(1);
    });

    test('takes the last column of the rows with a key from another relation', () => {
        const memory = unlimitedMemory();
        const from = new Relation(3, memory);
        const into = new Relation(2, memory);
        for (let i = 0; i < 300; i++) from.insert3(i % 3, 7, i);
        for (let i = 0; i < 50; i++) into.insert2(5, i);
        expect(into.insertGroup(5, 0, from, 1, 7)).toBe(100);
        expect(into.insertGroup(5, 0, from, 1, 8)).toBe(0);
        expect(into.insertGroup(5, 0, from, 1, 7)).toBe(100);
        expect(into.count).toBe(50 + 100 - 17);
        for (let row = 0; row < into.count; row++) expect(into.find(rowAt(into, row))).toBe(row);
        expect(into.find([5, 298])).toBeGreaterThanOrEqual(50);
        expect(from.bytes + into.bytes).toBe(memory.held);
        const empty = new Relation(2, memory);
        expect(into.insertGroup(5, 0, empty, 1, 0)).toBe(0);
        expect(empty.insertGroup(1, 0, from, 1, 8)).toBe(0);
        empty.append([Int32Array.of(1, 1), Int32Array.of(2, 3)], 2);
        expect(into.insertGroup(5, 0, empty, 1, 0)).toBe(2);
        from.useTable();
        expect(into.insertGroup(5, 0, from, 2, 7)).toBeUndefined();
    });

    test('forgets rows beyond a count and finds the others', () => {
        const relation = new Relation(2, unlimitedMemory());
        for (let i = 0; i < 500; i++) relation.add2(i, -i);
        relation.match([0], [3], () => undefined);
        relation.truncate(10);
        expect(relation.count).toBe(10);
        expect(relation.find([9, -9])).toBe(9);
        expect(relation.find([10, -10])).toBe(-1);
        const found: number[] = [];
        relation.match([0], [400], row => found.push(row));
        expect(found).toEqual([]);
        expect(relation.add2(10, -10)).toBe(10);
    });

    test.each([
        ['some columns', [1]],
        ['all columns', [2, 0, 1]],
    ])('pauses while it makes an index of %s, and goes on after an end', (_, columns) => {
        const relation = new Relation(3, unlimitedMemory());
        const count = 300_000;
        relation.append(
            [
                Int32Array.from({ length: count }, (_, i) => i),
                Int32Array.from({ length: count }, (_, i) => i % 1000),
                new Int32Array(count),
            ],
            count,
        );
        const wanted = columns.map(column => [150_007, 7, 0][column] ?? 0);
        const matched = (pause: () => void): number[] => {
            const found: number[] = [];
            relation.match(columns, wanted, row => found.push(row) < 300, pause);
            return found;
        };
        let pauses = 0;
        const second = (): void => {
            if (++pauses === 2) throw new Error('late');
        };
        expect(() => matched(second)).toThrow('late');
        const found = matched(second);
        expect(pauses).toBeGreaterThanOrEqual(4);
        expect(found).toHaveLength(columns.length === 1 ? 300 : 1);
        expect(found).toContain(150_007);
    });

    test('keeps chosen rows with what stands beside them', () => {
        const relation = new Relation(1, unlimitedMemory());
        for (let i = 0; i < 200; i++) {
            const row = relation.add1(i);
            relation.notes.setLines(row, row + 1, i + 1, 0);
        }
        relation.keep([150, 3, 77]);
        expect(rowAt(relation, 0)).toEqual([150]);
        expect(Array.from(relation.notes.lines?.subarray(0, 3) ?? [])).toEqual([151, 4, 78]);
        expect(relation.find([77])).toBe(2);
        expect(relation.find([4])).toBe(-1);
    });

    test('keeps heights of rows that were added later', () => {
        const relation = new Relation(1, unlimitedMemory());
        relation.add1(1);
        relation.notes.setHeights(0, relation.count, 0);
        for (let i = 2; i < 300; i++) relation.add1(i);
        relation.notes.setHeights(1, relation.count, 7);
        expect(relation.notes.heights?.[0]).toBe(0);
        expect(relation.notes.heights?.[298]).toBe(7);
    });
});

describe('memory', () => {
    test('counts what relations and indexes hold', () => {
        const memory = unlimitedMemory();
        const relation = new Relation(3, memory);
        for (let i = 0; i < 20_000; i++) relation.add3(i, i % 7, 5);
        relation.match([1], [3], () => undefined);
        expect(memory.peak).toBeGreaterThanOrEqual(relation.bytes);
        relation.dispose();
        expect(memory.fits(0)).toBe(true);
    });

    test('ends the run before a buffer grows beyond the limit', () => {
        const memory = new Memory(
            1_000_000,
            () => 0,
            () => {
                throw new Error('full');
            },
        );
        const relation = new Relation(2, memory);
        expect(() => {
            for (let i = 0; ; i++) relation.add2(i, i);
        }).toThrow('full');
        expect(relation.bytes).toBeLessThanOrEqual(1_000_000);
        expect(relation.bytes).toBeGreaterThan(400_000);
    });
});

test('a row enters a hash index once, also where fewer rows are asked for than are in', () => {
    const relation = new Relation(2, unlimitedMemory());
    for (const second of [1, 2, 3]) relation.add2(7, second);
    for (const columns of [[0], [0, 1]]) {
        const index = relation.index(columns);
        for (const count of [3, 1, 3]) index.extend(count);
        const chains = [1, 2, 3].map(second => chainFrom(index.first(columns.length === 1 ? [7] : [7, second]), index.next));
        expect(chains).toEqual(
            columns.length === 1
                ? [
                      [2, 1, 0],
                      [2, 1, 0],
                      [2, 1, 0],
                  ]
                : [[0], [1], [2]],
        );
    }
});

/** The rows of a chain, at most ten. */
function chainFrom(first: number, next: Int32Array): number[] {
    const rows: number[] = [];
    for (let row = first; row >= 0 && rows.length < 10; row = next[row] ?? -1) rows.push(row);
    return rows;
}
