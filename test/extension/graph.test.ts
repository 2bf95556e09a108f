import { describe, expect, test } from 'vitest';
import { type Box, layoutGraph } from '#extension/surfaces/layered-layout.ts';
import { GRAPH } from '#extension/webviews/graph/messages.ts';
import { afterStep, partAround, WHOLE } from '#extension/webviews/graph/part.ts';
import { fc } from '../support/fast-check.ts';

const node = fc.record({
    stratum: fc.integer({ min: 1, max: 4 }),
    width: fc.integer({ min: 20, max: 200 }),
    height: fc.integer({ min: 28, max: 200 }),
});
const graph = fc
    .array(node, { minLength: 1, maxLength: 30 })
    .map(nodes => nodes.sort((a, b) => a.stratum - b.stratum))
    .chain(nodes => {
        const end = fc.integer({ min: 0, max: nodes.length - 1 });
        // What leads back closes a cycle, so it stays in its stratum.
        const edge = fc.record({ from: end, to: end }).filter(({ from, to }) => from < to || nodes[from]?.stratum === nodes[to]?.stratum);
        return fc.record({ nodes: fc.constant(nodes), edges: fc.array(edge, { maxLength: 40 }) });
    });

function apart(a: Box, b: Box): boolean {
    return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

describe('layout', () => {
    test('boxes stand apart, in the band of their stratum and inside the drawing; the same graph is drawn the same', () => {
        fc.assert(
            fc.property(graph, ({ nodes, edges }) => {
                const layout = layoutGraph(nodes, edges);
                expect(layoutGraph(nodes, edges)).toEqual(layout);
                for (const [i, box] of layout.nodes.entries()) {
                    for (const other of layout.nodes.slice(i + 1)) expect(apart(box, other)).toBe(true);
                    const band = layout.bands.find(({ stratum }) => stratum === nodes[i]?.stratum);
                    expect(box.y).toBeGreaterThan(band?.y ?? Number.NaN);
                    expect(box.y + box.height).toBeLessThan((band?.y ?? Number.NaN) + (band?.height ?? Number.NaN));
                    expect(box.x).toBeGreaterThanOrEqual(0);
                    expect(box.x + box.width).toBeLessThanOrEqual(layout.width);
                }
                expect(layout.edges.every(path => /^M[-\d. CMV]+$/u.test(path))).toBe(true);
            }),
        );
    });

    test('an edge that leads forward leads down', () => {
        fc.assert(
            fc.property(graph, ({ nodes, edges }) => {
                const boxes = layoutGraph(nodes, edges).nodes;
                for (const { from, to } of edges) if (from < to) expect(boxes[from]?.y).toBeLessThan(boxes[to]?.y ?? 0);
            }),
        );
    });

    test('hundreds of nodes on as many rows, and edges that pass most of them, have a place', () => {
        const nodes = Array.from({ length: 400 }, () => ({ stratum: 1, width: 60 }));
        const chain = Array.from({ length: 399 }, (_, i) => ({ from: i, to: i + 1 }));
        const long = Array.from({ length: 1100 }, (_, i) => ({ from: i % 30, to: 399 - (i % 37) }));
        const { nodes: boxes, edges } = layoutGraph(nodes, [...chain, ...long]);
        expect(new Set(boxes.map(({ y }) => y)).size).toBe(400);
        expect(edges).toHaveLength(1499);
    });

    test('bands do not meet', () => {
        const { bands } = layoutGraph(
            [1, 2, 3].map(stratum => ({ stratum, width: 50 })),
            [{ from: 0, to: 2 }],
        );
        expect(bands.map(({ stratum }) => stratum)).toEqual([1, 2, 3]);
        for (const [i, { y }] of bands.entries())
            if (i > 0) expect(y).toBeGreaterThan((bands[i - 1]?.y ?? 0) + (bands[i - 1]?.height ?? 0));
    });
});

describe('messages', () => {
    const shown = {
        kind: 'show',
        version: 1,
        program: 'p.rulelang',
        uri: 'file:///p.rulelang',
        graph: {
            nodes: [
                { name: '__proto__', arity: 2, stratum: 1, recursive: true, input: false, output: true, facts: 0, rules: 2, hidden: 3 },
            ],
            edges: [{ from: 0, to: 0, kind: 'positive', recursive: true, forbidden: false }],
            focus: 0,
            left: 2,
            total: 6,
        },
        depth: 1,
        columns: false,
        back: true,
    };

    test('are understood', () => {
        expect(GRAPH.fromHost(shown)).toBe(true);
        expect(GRAPH.fromHost({ kind: 'fail', message: 'no' })).toBe(true);
        const said = [
            ...['reveal', 'expand', 'focus'].map(kind => ({ kind, version: 1, node: 0 })),
            ...[{ kind: 'depth', depth: 3 }, { kind: 'columns', shown: true }, { kind: 'whole' }, { kind: 'back' }],
        ];
        expect(said.filter(message => !GRAPH.fromView(message))).toEqual([]);
    });

    test.each([
        [null],
        [{ kind: 'reveal', version: 1, node: -1 }],
        [{ kind: 'reveal', version: 1, node: 0, uri: 'file:///etc/passwd' }],
        [{ kind: 'reveal', node: 0 }],
        [{ kind: 'run' }],
        [{ kind: 'depth', depth: 1.5 }],
        [{ kind: 'whole', uri: 'file:///etc/passwd' }],
        [{ kind: 'ready', command: 'workbench.action.terminal.new' }],
    ])('%j is dropped', message => {
        expect(GRAPH.fromView(message)).toBe(false);
        expect(GRAPH.fromHost(message)).toBe(false);
    });
});

test('steps lead from a part to another, and leave what they do not concern', () => {
    const around = partAround({ name: 'p', arity: 1 });
    expect(around).toEqual({ focus: { name: 'p', arity: 1 }, depth: 1, expanded: [] });
    const deeper = afterStep(around, { kind: 'depth', depth: 3 });
    const expanded = afterStep(deeper, { kind: 'expand', predicate: { name: 'q', arity: 2 } });
    expect(expanded).toEqual({ focus: { name: 'p', arity: 1 }, depth: 3, expanded: [{ name: 'q', arity: 2 }] });
    expect(afterStep(expanded, { kind: 'focus', predicate: { name: 'q', arity: 2 } })).toEqual(partAround({ name: 'q', arity: 2 }));
    expect(afterStep(expanded, { kind: 'whole' })).toEqual(WHOLE);
});
