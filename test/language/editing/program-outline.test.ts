import { expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { type ProgramOutline, programOutline } from '#language/editing/program-outline.ts';

const PROGRAM = `@output("far").
@bind("road", "csv", "", "roads.csv").
town("k"). town("m").
reach(X, Y) <- road(X, Y).
reach(X, Z) <- reach(X, Y), road(Y, Z).
far(X, Y) <- town(X), town(Y), not reach(X, Y).
degree(X, N) <- road(X, Y), N = count(Y).
most(M) <- degree(X, N), M = max(N).
other(X, Y) <- far(X, Y), not far(Y, X).
`;

function outline(text: string, limit?: number): ProgramOutline {
    return programOutline(openDocument(text, 'p.rulelang').analysed, limit);
}

test('predicates in the order of evaluation, with what they are and what they need', () => {
    const { predicates, total } = outline(PROGRAM);
    const shown = predicates.map(({ key, stratum, recursive, negation, aggregation, input, output, needs }) => {
        const marks = Object.entries({ recursive, negation, aggregation, input, output }).flatMap(([mark, has]) => (has ? [mark] : []));
        const needed = needs.map(({ key: other, kind, recursive: back }) => `${kind} ${other}${back ? ' again' : ''}`);
        return `${stratum} ${key}: ${marks.join(' ')} <- ${needed.join(', ')}`;
    });
    expect(total).toBe(7);
    expect(shown).toEqual([
        '1 town/1:  <- ',
        '1 road/2: input <- ',
        '1 reach/2: recursive <- positive road/2, positive reach/2 again',
        '2 far/2: negation output <- positive town/1, negated reach/2',
        '2 degree/2: aggregation <- aggregated road/2',
        '3 most/1: aggregation <- aggregated degree/2',
        '3 other/2: negation <- positive far/2, negated far/2',
    ]);
});

test('what is needed comes before what needs it, whatever the order of the clauses', () => {
    const reversed = PROGRAM.trim().split('\n').reverse().join('\n');
    const { predicates } = outline(reversed);
    const places = new Map(predicates.map(({ key }, i) => [key, i]));
    expect(places.size).toBe(7);
    for (const { key, needs } of predicates)
        for (const need of needs) if (!need.recursive) expect(places.get(need.key)).toBeLessThan(places.get(key) ?? -1);
});

test('with a limit, what outputs need is listed, and nothing needs what is not', () => {
    const { predicates, total } = outline(PROGRAM, 3);
    expect(predicates.map(({ key }) => key)).toEqual(['town/1', 'reach/2', 'far/2']);
    expect(total).toBe(7);
    const listed = new Set(predicates.map(({ key }) => key));
    expect(predicates.flatMap(({ needs }) => needs).every(({ key }) => listed.has(key))).toBe(true);
});

test('a long chain is listed whole, from what is given on', () => {
    const rules = Array.from({ length: 500 }, (_, i) => `p${i + 1}(X) <- p${i}(X).`).reverse();
    const { predicates } = outline(`${rules.join('\n')}\np0(1).\n`);
    expect(predicates.map(({ name }) => name)).toEqual(Array.from({ length: 501 }, (_, i) => `p${i}`));
});
