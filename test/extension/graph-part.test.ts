import { describe, expect, test } from 'vitest';
import { type EdgeRow, filterOf, graphPart, type Known, keyOf } from '#extension/surfaces/chart/graph-part.ts';
import type { Cell } from '#server/protocol/runs.ts';
import { fc } from '../support/fast-check.ts';

const edge = (from: Cell, to: Cell, label?: string): EdgeRow => ({ id: JSON.stringify([from, to, label]), from, to, label });
const knownOf = (rows: readonly EdgeRow[], more = 0): Known => ({
    rows,
    leaving: { shown: rows.length, all: rows.length + more },
    arriving: { shown: 0, all: 0 },
});

describe('the part of a graph that is drawn', () => {
    test('is what the nodes have brought that were asked for, and says what they have beyond it', () => {
        const loop = edge('a', 'a');
        const known = new Map([
            ['value:a', knownOf([edge('a', 'b', '1'), edge('a', 'b', '2'), loop], 7)],
            ['value:b', knownOf([edge('b', 'a'), edge('a', 'b', '1')])],
        ]);
        const { nodes, edges, rows } = graphPart('a', known);
        expect(nodes.map(({ cell, more }) => [cell, more])).toEqual([
            ['a', 7],
            ['b', 0],
        ]);
        expect(edges.map(({ from, to, rows: own }) => [from, to, own.length])).toEqual([
            [0, 1, 2],
            [0, 0, 1],
            [1, 0, 1],
        ]);
        expect(rows).toBe(4);
    });

    test('loses what hung on a node that is collapsed', () => {
        const known = new Map([
            ['value:a', knownOf([edge('a', 'b')])],
            ['value:b', knownOf([edge('b', 'c')])],
            ['value:c', knownOf([edge('c', 'd')])],
        ]);
        expect(graphPart('a', known).nodes.map(({ cell }) => cell)).toEqual(['a', 'b', 'c', 'd']);
        known.delete('value:b');
        expect(graphPart('a', known).nodes.map(({ cell, more }) => [cell, more])).toEqual([
            ['a', 0],
            ['b', undefined],
        ]);
    });

    test('has an edge lead forward unless it closes a cycle', () => {
        const nodes = 12;
        const pairs = fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)), { maxLength: 40 });
        fc.assert(
            fc.property(pairs, drawn => {
                // What leads from a lower number to a higher one has no cycle.
                const rows = drawn.flatMap(([from, to]) => (from < to ? [edge(`${from}`, `${to}`)] : []));
                const part = graphPart('0', new Map([['value:0', knownOf(rows)]]));
                expect(part.edges.every(({ from, to }) => from < to)).toBe(true);
            }),
        );
    });

    test('tells a null from a text, and leaves out values that are missing or cut', () => {
        expect(keyOf({ null: 'z1' })).not.toBe(keyOf('z1'));
        expect(keyOf({ null: '—', missing: true })).toBeUndefined();
        expect(filterOf({ null: 'z1' }, 2)).toEqual({ column: 2, operator: 'labelled', value: 'z1' });
        expect(filterOf({ text: 'long', length: 400 }, 0)).toBeUndefined();
        const withMissing = graphPart('a', new Map([['value:a', knownOf([edge('a', { null: '—', missing: true })])]]));
        expect([withMissing.nodes.length, withMissing.edges.length, withMissing.rows]).toEqual([1, 0, 0]);
    });
});
