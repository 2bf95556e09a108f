import { describe, expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import {
    type AskedSubgraph,
    type DependencySubgraph,
    dependencySubgraph,
    type SubgraphLimits,
} from '#language/editing/dependency-subgraph.ts';
import { fc } from '../../support/fast-check.ts';

const PROGRAM = `@output("far").
@bind("road", "csv", "", "roads.csv").
@model("town", "['name:string', 'people:int', 'area:double']").
town("k", 3, 1.5).
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
far(X, Y) <- town(X, _, _), town(Y, _, _), not reach(X, Y).
degree(X, N) <- road(X, Y), N = count(Y).
most(M) <- degree(X, N), M = max(N).
`;
const ROOM: SubgraphLimits = { predicates: 100, around: 100, dependencies: 1000, columns: 2 };

function part(asked: Partial<AskedSubgraph> & { readonly text?: string }, limits: Partial<SubgraphLimits> = {}): DependencySubgraph {
    const { text = PROGRAM, ...rest } = asked;
    return dependencySubgraph(
        openDocument(text, 'p.rulelang').analysed,
        { depth: 1, expanded: [], columns: false, ...rest },
        { ...ROOM, ...limits },
    );
}

function nodes({ predicates }: DependencySubgraph): string[] {
    return predicates.map(({ key, hidden }) => (hidden === 0 ? key : `${key}+${hidden}`));
}

test('a small program is there whole', () => {
    const { left, total, focus } = part({});
    expect(nodes(part({}))).toEqual(['town/3', 'road/2', 'reach/2', 'far/2', 'degree/2', 'most/1']);
    expect({ left, total, focus }).toEqual({ left: 0, total: 6, focus: undefined });
});

describe('around a predicate', () => {
    test('stands what it needs and what needs it, with what is there besides', () => {
        expect(nodes(part({ focus: { name: 'reach', arity: 2 } }))).toEqual(['road/2+1', 'reach/2', 'far/2+1']);
        expect(nodes(part({ focus: { name: 'most' } }))).toEqual(['degree/2+1', 'most/1']);
    });

    test('stands more with a greater depth, up to all that it is joined with', () => {
        const focus = { name: 'most' };
        expect(nodes(part({ focus, depth: 0 }))).toEqual(['most/1+1']);
        expect(nodes(part({ focus, depth: 2 }))).toEqual(['road/2+1', 'degree/2', 'most/1']);
        expect(nodes(part({ focus, depth: 3 }))).toEqual(['road/2', 'reach/2+1', 'degree/2', 'most/1']);
        expect(nodes(part({ focus, depth: 1000 }))).toHaveLength(6);
    });

    test('stand the neighbours of what is expanded, of which those that are not shown count for nothing', () => {
        const focus = { name: 'most' };
        const expanded = [{ name: 'degree', arity: 2 }, { name: 'road' }, { name: 'town', arity: 3 }, { name: 'absent' }];
        expect(nodes(part({ focus, expanded: expanded.slice(0, 1) }))).toEqual(['road/2+1', 'degree/2', 'most/1']);
        expect(nodes(part({ focus, expanded }))).toEqual(['road/2', 'reach/2+1', 'degree/2', 'most/1']);
    });

    test('edges are those among what is shown, with what they are', () => {
        const { edges, focus } = part({ focus: { name: 'reach' } });
        expect(focus).toBe('reach/2');
        expect(edges.map(({ predicate, needs, kind, recursive }) => [predicate, needs, kind, recursive])).toEqual([
            ['reach/2', 'road/2', 'positive', false],
            ['reach/2', 'reach/2', 'positive', true],
            ['far/2', 'reach/2', 'negated', false],
        ]);
    });

    test('stands nothing where there is no such predicate', () => {
        const { predicates, focus, total } = part({ focus: { name: 'reach', arity: 7 } });
        expect({ predicates, focus, total }).toEqual({ predicates: [], focus: undefined, total: 6 });
    });
});

test('columns are told where they are asked for, the first of them', () => {
    const { predicates } = part({ focus: { name: 'far' }, columns: true });
    const columns = predicates.map(({ key, columns: own = [] }) => `${key} ${own.map(({ name, type }) => `${name}:${type}`).join(' ')}`);
    expect(columns).toContain('town/3 name:string people:int');
    expect(part({}).predicates.every(node => node.columns === undefined)).toBe(true);
});

describe('of what is too much', () => {
    const hub = `@output("hub").\n${Array.from({ length: 50 }, (_, i) => `a${i}(1). hub(X) <- a${i}(X).`).join('\n')}\nabove(X) <- hub(X).`;

    test('a large program begins at its first output, and with none at what is evaluated last', () => {
        expect(part({ text: hub }, { predicates: 10 })).toMatchObject({ focus: 'hub/1', total: 52, left: 42 });
        expect(part({ text: hub.replace(/^@.*\n/u, '') }, { predicates: 10 })).toMatchObject({ focus: 'above/1', left: 0 });
    });

    test('as much is shown as there is room for, and the rest is counted', () => {
        const { predicates, left } = part({ text: hub, focus: { name: 'hub' } }, { around: 20, predicates: 30 });
        expect(predicates).toHaveLength(20);
        expect(left).toBe(32);
        expect(predicates.find(({ name }) => name === 'hub')?.hidden).toBe(32);
    });

    test('there is room for what is expanded', () => {
        const asked = { text: hub, focus: { name: 'above' }, expanded: [{ name: 'hub' }] };
        expect(part(asked, { around: 2, predicates: 30 }).predicates).toHaveLength(30);
        expect(part(asked, { around: 2, predicates: 30 }).left).toBe(22);
    });

    test('dependencies are counted too', () => {
        const everyOther = Array.from({ length: 20 }, (_, i) =>
            Array.from({ length: i }, (_, j) => `p${i}(X) <- p${j}(X).`).join(' '),
        ).join('\n');
        const { predicates, edges, left } = part({ text: `p0(1).\n${everyOther}`, focus: { name: 'p3' } }, { dependencies: 30 });
        expect(edges.length).toBeLessThanOrEqual(30);
        expect(predicates.length + left).toBe(20);
        expect(left).toBeGreaterThan(0);
    });

    test('whatever is asked for, limits hold, the focus is shown, and what is hidden or left adds up', () => {
        const name = fc.integer({ min: 0, max: 14 }).map(i => `p${i}`);
        const rule = fc.tuple(name, name).map(([head, needed]) => `${head}(X) <- ${needed}(X).`);
        const asked = fc.record({ name, depth: fc.nat({ max: 6 }), expanded: fc.array(name, { maxLength: 4 }) });
        fc.assert(
            fc.property(fc.array(rule, { minLength: 1, maxLength: 40 }), asked, (rules, { name: focus, depth, expanded }) => {
                const text = rules.join('\n');
                const limits = { predicates: 8, around: 5, dependencies: 12 };
                const drawn = part({ text, focus: { name: focus }, depth, expanded: expanded.map(other => ({ name: other })) }, limits);
                const all = part({ text });
                expect(drawn.total).toBe(all.predicates.length);
                if (!all.predicates.some(node => node.name === focus)) expect(drawn.predicates).toEqual([]);
                else expect(drawn.predicates.some(({ key }) => key === drawn.focus && key === `${focus}/1`)).toBe(true);
                expect(drawn.predicates.length).toBeLessThanOrEqual(8);
                if (drawn.predicates.length > 1) expect(drawn.edges.length).toBeLessThanOrEqual(12);
                const shown = new Set(drawn.predicates.map(({ key }) => key));
                for (const { key, hidden } of drawn.predicates) {
                    const joined = all.edges.filter(({ predicate, needs }) => predicate === key || needs === key);
                    const others = new Set(joined.flatMap(({ predicate, needs }) => [predicate, needs]).filter(other => !shown.has(other)));
                    expect(hidden).toBe(others.size);
                }
            }),
            { numRuns: 40 },
        );
    });
});
