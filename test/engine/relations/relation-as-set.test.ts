import { expect, test } from 'vitest';
import { PartwiseRelation } from '#engine/relations/partwise-relation.ts';
import { Relation } from '#engine/relations/relation.ts';
import { unlimitedMemory } from '#engine/values/memory.ts';
import { fc } from '../../support/fast-check.ts';

/** Some hundred rows, of which later ones may be the same as earlier ones: every `step`th of a circle of `size` rows. */
interface Batch {
    readonly from: number;
    readonly step: number;
    readonly size: number;
    readonly count: number;
}

const BATCH: fc.Arbitrary<Batch> = fc.record({
    from: fc.nat({ max: 2000 }),
    step: fc.constantFrom(1, 1, 7, 40),
    size: fc.constantFrom(60, 700, 5000),
    count: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 400 })),
});

const WAYS = ['add', 'add by key', 'insert', 'insert runs', 'append', 'offer', 'insert groups'] as const;
const CHANGES = ['find', 'move the window', 'truncate', 'keep', 'compact', 'use the table', 'drop indexes'] as const;

const STEP = fc.oneof(
    { weight: 3, arbitrary: fc.record({ how: fc.constantFrom(...WAYS), batch: BATCH }) },
    { weight: 1, arbitrary: fc.record({ how: fc.constantFrom(...CHANGES), batch: BATCH }) },
);

/** How numbers become rows: with an ever larger first value, or in groups; close together, or far apart. */
const SHAPE = fc.record({ rises: fc.boolean(), factor: fc.constantFrom(1, 70_001) });

type Shape = { readonly rises: boolean; readonly factor: number };

function rowsOf({ from, step, size, count }: Batch, arity: number, { rises, factor }: Shape): number[][] {
    return Array.from({ length: count }, (_, i) => {
        const number = (from + i * step) % size;
        const digits = rises ? [number, number % 3, number % 5, 1, 2] : [number % 7, number % 3, number, number % 5, 1];
        const row = arity === 1 ? [number] : arity === 2 && !rises ? [number % 7, number] : digits.slice(0, arity);
        return row.map(value => value * factor);
    });
}

/** A relation, and beside it the rows that it must have, in their order. */
class Checked {
    readonly memory = unlimitedMemory();
    readonly relation: Relation;
    rows: number[][] = [];
    #numbers = new Map<string, number>();

    constructor(arity: number) {
        this.relation = new Relation(arity, this.memory);
    }

    numberOf(row: readonly number[]): number {
        return this.#numbers.get(row.join()) ?? -1;
    }

    /** The number that the row has in the model, to which it is added where it is new. */
    note(row: readonly number[]): number {
        const known = this.numberOf(row);
        if (known >= 0) return known;
        this.#numbers.set(row.join(), this.rows.length);
        return this.rows.push([...row]) - 1;
    }

    replace(rows: readonly number[][]): void {
        this.#numbers = new Map(rows.map((row, i) => [row.join(), i]));
        this.rows = [...rows];
    }

    check(): void {
        expect(this.found()).toEqual(this.rows);
    }

    found(): number[][] {
        const { columns, count } = this.relation;
        return Array.from({ length: count }, (_, row) => columns.map(column => column[row] ?? Number.NaN));
    }
}

function columnsOf(rows: readonly number[][], arity: number): Int32Array[] {
    return Array.from({ length: arity }, (_, column) => Int32Array.from(rows, row => row[column] ?? 0));
}

function insert(relation: Relation, [a = 0, b = 0, c = 0, d = 0]: readonly number[]): void {
    if (relation.arity === 1) relation.insert1(a);
    else if (relation.arity === 2) relation.insert2(a, b);
    else if (relation.arity === 3) relation.insert3(a, b, c);
    else if (relation.arity === 4) relation.add4(a, b, c, d);
}

/** Rows one after another that differ in this column only are one run. */
function insertRuns(relation: Relation, rows: readonly number[][], varied: number): void {
    const values = Int32Array.from(rows, row => row[varied] ?? 0);
    if (relation.arity === 1) {
        relation.insertAll(values, values.length);
        return;
    }
    const keys = rows.map(row => row.filter((_, column) => column !== varied));
    for (let start = 0, end = 0; start < rows.length; start = end) {
        const [a = 0, b = 0] = keys[start] ?? [];
        while (end < rows.length && keys[end]?.join() === keys[start]?.join()) end++;
        relation.insertRun(a, b, values, start, end);
    }
}

function addOne(relation: Relation, row: readonly number[]): number {
    const [a = 0, b = 0, c = 0, d = 0] = row;
    if (row.length === 1) return relation.add1(a);
    if (row.length === 2) return relation.add2(a, b);
    if (row.length === 3) return relation.add3(a, b, c);
    return row.length === 4 ? relation.add4(a, b, c, d) : relation.add(row);
}

function addAll(checked: Checked, rows: readonly number[][], how: (typeof WAYS)[number]): void {
    const { relation } = checked;
    const { arity } = relation;
    switch (how) {
        case 'add':
            for (const row of rows) expect(addOne(relation, row)).toBe(checked.note(row));
            return;
        case 'add by key':
            for (const row of rows) expect(relation.add(row)).toBe(checked.note(row));
            return;
        case 'insert':
            if (arity > 4) return;
            for (const row of rows) {
                insert(relation, row);
                checked.note(row);
            }
            return;
        case 'insert runs':
            if (arity > 3) return;
            insertRuns(relation, rows, arity - 1);
            for (const row of rows) checked.note(row);
            return;
        case 'append': {
            const fresh = rows.filter(row => checked.note(row) === checked.rows.length - 1 && checked.rows.length > relation.count);
            const distinct = [...new Map(fresh.map(row => [row.join(), row])).values()].filter(
                row => checked.numberOf(row) >= relation.count,
            );
            relation.append(columnsOf(distinct, arity), distinct.length);
            return;
        }
        case 'offer':
            for (let i = 0; i < rows.length; i += 100) {
                const part = rows.slice(i, i + 100);
                relation.offer(columnsOf(part, arity), part.length, 0, 0);
            }
            relation.settle();
            for (const row of rows) checked.note(row);
            return;
        case 'insert groups':
            if (arity === 2 || arity === 3) insertGroups(checked, rows);
            return;
    }
}

/** Adds to the group of the first row, from a relation with all these rows, the group of each. */
function insertGroups(checked: Checked, rows: readonly number[][]): void {
    const { relation, memory } = checked;
    const from = new Relation(relation.arity, memory);
    for (const row of rows) insert(from, row);
    const [a = 0, b = 0] = rows[0] ?? [];
    for (const row of rows.slice(0, 5)) {
        const [key0 = 0, key1 = 0] = row;
        const before = relation.count;
        const tried = relation.insertGroup(a, b, from, key0, key1);
        if (tried === undefined) {
            expect(relation.count).toBe(before);
            continue;
        }
        const group = new Set(rows.filter(other => other.slice(0, -1).join() === row.slice(0, -1).join()).map(other => other.at(-1) ?? 0));
        expect(tried).toBe(group.size);
        const key = (rows[0] ?? []).slice(0, -1);
        const fresh = [...group].map(value => [...key, value]).filter(one => checked.numberOf(one) < 0);
        const added = checked.found().slice(before);
        expect(new Set(added.map(one => one.join()))).toEqual(new Set(fresh.map(one => one.join())));
        for (const one of added) checked.note(one);
    }
    from.dispose();
}

function change(checked: Checked, rows: readonly number[][], { from, step, count }: Batch, how: (typeof CHANGES)[number]): void {
    const { relation } = checked;
    const last = relation.arity - 1;
    switch (how) {
        case 'find':
            for (const row of rows.slice(0, 20)) {
                expect(relation.find(row)).toBe(checked.numberOf(row));
                const matched: number[] = [];
                relation.match([last], [row[last] ?? 0], number => matched.push(number));
                const expected = checked.rows.flatMap((one, number) => (one[last] === row[last] ? [number] : []));
                expect(matched.sort((left, right) => left - right)).toEqual(expected);
            }
            return;
        case 'move the window': {
            const before = checked.rows.slice(relation.to).map(row => row.join());
            relation.extendIndexes(relation.to);
            relation.groupNewRows(relation.to);
            const after = checked.found();
            expect(
                after
                    .slice(relation.to)
                    .map(row => row.join())
                    .sort(),
            ).toEqual(before.sort());
            checked.replace(after);
            relation.from = relation.to;
            relation.to = relation.count;
            return;
        }
        case 'truncate':
            relation.truncate(Math.min(count, relation.count));
            checked.replace(checked.rows.slice(0, count));
            return;
        case 'keep': {
            const kept = checked.rows.map((_, number) => number).filter(number => (number + from) % (step + 1) > 0);
            relation.keep(kept);
            checked.replace(kept.map(number => checked.rows[number] ?? []));
            return;
        }
        case 'compact':
            for (let row = from % 10; row < relation.count; row += step + 1) relation.discard(row);
            checked.replace(checked.rows.filter((_, number) => !relation.isGone(number)));
            relation.compact();
            return;
        case 'use the table':
            relation.useTable();
            return;
        case 'drop indexes':
            relation.dropIndexes();
            return;
    }
}

function isWay(how: string): how is (typeof WAYS)[number] {
    return WAYS.some(way => way === how);
}

test.each([1, 2, 3, 4, 5])('a relation of arity %i is the set of its rows, however they come and go', arity => {
    fc.assert(
        fc.property(fc.array(STEP, { maxLength: 12 }), SHAPE, (steps, shape) => {
            const checked = new Checked(arity);
            for (const { how, batch } of steps) {
                const rows = rowsOf(batch, arity, shape);
                if (isWay(how)) addAll(checked, rows, how);
                else change(checked, rows, batch, how);
                checked.check();
                expect(checked.relation.bytes).toBe(checked.memory.held);
            }
            checked.relation.dispose();
            expect(checked.memory.held).toBe(0);
        }),
        { numRuns: 25 },
    );
});

const PARTS = fc.array(fc.record({ how: fc.constantFrom('insert', 'insert runs', 'add by key'), batch: BATCH }), { maxLength: 6 });

test.each([
    [1, undefined],
    [2, undefined],
    [2, 0],
    [2, 1],
    [3, undefined],
    [5, undefined],
] as const)(
    'a relation of arity %i, each part of which has one value in column %s, is the set of its rows, part by part',
    (arity, source) => {
        fc.assert(
            fc.property(PARTS, SHAPE, fc.boolean(), (parts, shape, forgets) => {
                const checked = new Checked(arity);
                const { relation, memory } = checked;
                const partwise = new PartwiseRelation(relation, forgets, source);
                const ofPart = (row: readonly number[], part: number): number[] =>
                    row.map((value, column) =>
                        column === (source ?? 0) ? part * 1_000_000 + (source === undefined ? value % 1000 : 0) : value,
                    );
                const all: number[][] = [];
                for (const [part, { how, batch }] of parts.entries()) {
                    partwise.startPart();
                    if (forgets) checked.replace([]);
                    const rows = rowsOf(batch, arity, shape).map(row => ofPart(row, part));
                    if (how === 'insert runs' && source !== undefined) {
                        insertRuns(relation, rows, 1 - source);
                        for (const row of rows) checked.note(row);
                    } else {
                        addAll(checked, rows, source === undefined && (how === 'add by key' || arity < 4) ? how : 'insert');
                    }
                    checked.check();
                    all.push(...checked.rows.slice(relation.from));
                }
                partwise.endParts();
                expect(relation.count + relation.forgotten).toBe(all.length);
                if (forgets) checked.replace([]);
                checked.check();
                addAll(checked, all, 'add');
                checked.check();
                expect(relation.bytes).toBe(memory.held);
            }),
            { numRuns: 15 },
        );
    },
);

test('rows that ascended before the relation was emptied say nothing of later ones', () => {
    const relation = new Relation(1, unlimitedMemory());
    for (let i = 0; i < 20; i++) relation.add([i]);
    relation.truncate(0);
    relation.append([Int32Array.from({ length: 20 }, (_, i) => 100 - i)], 20);
    expect(relation.add([100])).toBe(0);
});

test('a row that comes after all others is in the set that has been made meanwhile', () => {
    const relation = new Relation(1, unlimitedMemory());
    for (let i = 0; i < 300; i++) relation.add([i]);
    relation.insert1(7);
    relation.add([1000]);
    relation.insert1(1000);
    expect(relation.count).toBe(301);
});
