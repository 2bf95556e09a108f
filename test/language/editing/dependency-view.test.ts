import { expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { dependencyView } from '#language/editing/dependency-view.ts';
import { fc } from '../../support/fast-check.ts';

const PROGRAM = `@output("far").
@bind("road", "csv", "", "roads.csv").
town("k"). town("m").
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
far(X, Y) <- town(X), town(Y), not reach(X, Y).
degree(X, N) <- road(X, Y), N = count(Y).
most(M) <- degree(X, N), M = max(N).
`;

function view(text: string, limit?: number): ReturnType<typeof dependencyView> {
    return dependencyView(openDocument(text, 'p.rulelang').analysed, limit);
}

test('predicates by stratum, with what they are', () => {
    const shown = view(PROGRAM).predicates.map(({ key, stratum, recursive, input, output, facts, rules, place }) => {
        const marks = [...(recursive ? ['recursive'] : []), ...(input ? ['input'] : []), ...(output ? ['output'] : [])];
        return `${stratum} ${key} ${facts}+${rules} ${marks.join(' ')} ${place && PROGRAM.slice(place.start, place.end)}`;
    });
    expect(shown.sort()).toEqual([
        '1 reach/2 0+2 recursive reach',
        '1 road/2 0+0 input @bind("road", "csv", "", "roads.csv")',
        '1 town/1 2+0  town',
        '2 degree/2 0+1  degree',
        '2 far/2 0+1 output far',
        '3 most/1 0+1  most',
    ]);
});

test('what needs what', () => {
    const shown = view(PROGRAM).edges.map(
        ({ predicate, needs, kind, recursive }) => `${predicate} ${kind} ${needs}${recursive ? ' recursive' : ''}`,
    );
    expect(shown.sort()).toEqual([
        'degree/2 aggregated road/2',
        'far/2 negated reach/2',
        'far/2 positive town/1',
        'most/1 aggregated degree/2',
        'reach/2 positive reach/2 recursive',
        'reach/2 positive road/2',
    ]);
});

test('recursion without meaning', () => {
    const { edges } = view('a(1). p(X) <- a(X), not q(X). q(X) <- a(X), not p(X). @output("p").');
    expect(edges.filter(({ forbidden }) => forbidden).map(({ predicate, needs }) => `${predicate} ${needs}`)).toEqual([
        'p/1 q/1',
        'q/1 p/1',
    ]);
});

test('with a limit, what outputs need comes first', () => {
    const { predicates, edges, total } = view(PROGRAM, 3);
    expect(predicates.map(({ key }) => key).sort()).toEqual(['far/2', 'reach/2', 'town/1']);
    expect(total).toBe(6);
    const shown = new Set(predicates.map(({ key }) => key));
    expect(edges.every(({ predicate, needs }) => shown.has(predicate) && shown.has(needs))).toBe(true);
});

test('whatever the order of the clauses, every stratum stands above what it needs complete', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const rule = fc
        .tuple(name, name, name, fc.boolean())
        .map(([head, first, second, not]) => `${head}(X) <- ${first}(X), ${not ? 'not ' : ''}${second}(X).`);
    fc.assert(
        fc.property(fc.array(rule, { maxLength: 12 }), rules => {
            const { predicates, edges } = view(rules.join('\n'));
            const strata = new Map(predicates.map(({ key, stratum }) => [key, stratum]));
            for (const { predicate, needs, kind, recursive } of edges) {
                const [above, below] = [strata.get(predicate) ?? 0, strata.get(needs) ?? 0];
                if (recursive) expect(above).toBe(below);
                else expect(above).toBeGreaterThanOrEqual(below + Number(kind === 'negated'));
            }
            const again = view([...rules].reverse().join('\n'));
            expect(new Map(again.predicates.map(({ key, stratum }) => [key, stratum]))).toEqual(strata);
        }),
    );
});
