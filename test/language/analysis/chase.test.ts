import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import type { AnalysedProgram, ChaseFacts } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { fc } from '../../support/fast-check.ts';
import { chaseByDefinition } from './chase-by-definition.ts';

function analysed(text: string): AnalysedProgram {
    const read = readProgram(text, 'test.rulelang');
    expect(read.problems).toEqual([]);
    return analyse(read.value);
}

function affectedIn({ affected }: ChaseFacts): string[] {
    return [...affected].flatMap(([key, columns]) => [...columns].map(column => `${key}:${column}`)).sort();
}

/** What holds of the last rule of a program in which `h[2]` is affected. */
function lastRule(rule: string): AnalysedProgram['chase']['rules'][number] | undefined {
    return analysed(`s(1). @output("k"). h(X, N) <- s(X). ${rule}`).chase.rules.at(-1);
}

describe('wardedness', () => {
    test('an atom that shares only harmless variables guards the dangerous one', () => {
        const found = lastRule('k(N) <- h(X, N), s(X).');
        expect(found).toMatchObject({ warded: true, ward: 0, harmfulJoins: [] });
        expect(found?.dangerous).toEqual(new Set(['N']));
        expect(found?.harmful).toEqual(new Set(['N']));
    });

    test('a dangerous variable that two atoms share is not guarded', () => {
        const found = lastRule('k(N) <- h(X, N), h(Y, N).');
        expect(found).toMatchObject({ warded: false, harmfulJoins: ['N'] });
        expect(found?.ward).toBeUndefined();
    });

    test('a harmful join whose nulls stay in the body is warded', () => {
        expect(lastRule('t(X, Y) <- h(X, N), h(Y, N).')).toMatchObject({ warded: true, harmfulJoins: ['N'], dangerous: new Set() });
    });

    test('dangerous variables of two atoms are not guarded', () => {
        expect(lastRule('k(N, M) <- h(X, N), h(X, M).')).toMatchObject({ warded: false, dangerous: new Set(['N', 'M']) });
    });

    test('a ward may stand anywhere among the literals', () => {
        expect(lastRule('k(N) <- not s(X), s(X), h(X, N).')).toMatchObject({ warded: true, ward: 2 });
    });

    test('an atom at which a constant must stand makes a variable harmless', () => {
        expect(lastRule('k(N) <- h(_, N), s(N), h(Y, N).')).toMatchObject({ warded: true, harmful: new Set() });
    });

    test('dom(*) makes every variable harmless', () => {
        const { chase } = analysed('s(1). @output("k"). h(X, N) <- s(X). k(N) <- h(X, N), h(Y, N), dom(*).');
        expect(chase.rules[1]).toMatchObject({ warded: true, harmful: new Set(), harmfulJoins: [] });
        expect(affectedIn(chase)).toEqual(['h/2:1']);
    });

    test('a copy inherits what holds of the variable that it copies', () => {
        expect(lastRule('k(M) <- h(X, N), M = N.')).toMatchObject({ dangerous: new Set(['N']), harmful: new Set(['N', 'M']), ward: 0 });
        expect(lastRule('k(M) <- h(X, N), h(Y, N), L = N, M = L.')).toMatchObject({ warded: false, dangerous: new Set(['N']) });
    });

    test('a variable that is computed is harmless', () => {
        const { chase } = analysed('s(1). @output("k"). h(X, N) <- s(X). k(M) <- h(X, N), M = N + 1.');
        expect(chase.rules[1]).toMatchObject({ dangerous: new Set(), warded: true });
        expect(affectedIn(chase)).toEqual(['h/2:1']);
    });

    test('equality heads tell whether they can meet a null', () => {
        const { rules } = analysed('s(1). @output("h"). h(X, N) <- s(X). N = M <- h(X, N), h(X, M). X = Y <- s(X), s(Y).').chase;
        expect(rules.map(rule => rule.equatesNulls)).toEqual([false, true, false]);
        expect(rules[1]).toMatchObject({ warded: true, dangerous: new Set() });
    });
});

describe('affected positions', () => {
    test('are those of existential variables, of anonymous ones and of Skolem terms, and where they go', () => {
        const { chase } = analysed(`
            s(1). @output("d").
            a(X, N) <- s(X).
            b(X, _) <- s(X).
            c(X, Y) <- s(X), Z = #f(X), Y = Z.
            d(N, X) <- a(X, N).
        `);
        expect(affectedIn(chase)).toEqual(['a/2:1', 'b/2:1', 'c/2:1', 'd/2:0']);
        expect(chase.createsNulls).toBe(true);
    });

    test('nulls of facts and a Skolem term that is compared affect nothing', () => {
        const facts = analysed('s(null). s(1). @output("t"). t(X) <- s(X).').chase;
        expect(facts).toMatchObject({ createsNulls: false, weaklyAcyclic: true, warded: true });
        const compared = analysed('s(1, 2). @output("t"). t(X) <- s(X, Y), Y = #f(X).').chase;
        expect(compared.createsNulls).toBe(true);
        expect(affectedIn(compared)).toEqual([]);
    });

    test('fewer terms in the body than columns are the leading ones', () => {
        const { chase } = analysed('s(1). @output("k"). h(N, X) <- s(X). k(N) <- h(N).');
        expect(affectedIn(chase)).toEqual(['h/2:0', 'k/1:0']);
    });
});

describe('weak acyclicity', () => {
    test.each([
        ['parent(Y, X) <- person(X). person(Y) <- parent(Y, _).', false],
        ['parent(Y, X) <- person(X). person(X) <- parent(_, X).', true],
        ['parent(Y, X) <- person(X). person(Y) <- parent(Y, _), dom(*).', true],
        ['parent(Y, X) <- person(X), Y = #mother(X). person(Y) <- parent(Y, _).', false],
        ['parent(Y, X) <- person(X), Y = #mother(1). person(Y) <- parent(Y, _).', true],
        ['parent(Y, 1) <- person(_). person(Y) <- parent(Y, _).', true],
        ['parent(Y, X) <- person(X). person(Z) <- parent(Y, _), Z = Y.', false],
        ['parent(Y, X) <- person(X). person(Z) <- parent(Y, _), Z = concat(Y, "!").', false],
        ['parent(Y, X) <- person(X). person(Z) <- parent(Y, X), Z = Y == X.', true],
    ])('%s', (rules, expected) => {
        expect(analysed(`person(1). @output("parent"). ${rules}`).chase.weaklyAcyclic).toBe(expected);
    });

    test('joins over nulls that recursion creates are told from others', () => {
        const recursive = 'person(1). @output("t"). parent(Y, X) <- person(X). person(Y) <- parent(Y, _).';
        const join = 't(X) <- parent(Y, X), parent(Y, Z), X != Z.';
        expect(analysed(`${recursive} ${join}`).chase).toMatchObject({ warded: false, harmfulJoinOverRecursiveNulls: true });
        expect(analysed(recursive).chase.harmfulJoinOverRecursiveNulls).toBe(false);
        const elsewhere = 's(1). o(N, X) <- s(X). t(X) <- o(N, X), o(N, Y).';
        expect(analysed(`${recursive} ${elsewhere}`).chase.harmfulJoinOverRecursiveNulls).toBe(false);
    });
});

const variable = fc.constantFrom('X', 'Y', 'Z');
const atom = fc.tuple(
    fc.constantFrom('p', 'q', 'r', 's'),
    fc.oneof({ weight: 5, arbitrary: variable }, fc.constantFrom('_', '1')),
    variable,
);
const assignment = fc.constantFrom('', '', '', ', V = X', ', V = #f(X)', ', V = #g(Y, Z)', ', U = X, V = #f(U)', ', V = X + 1', ', dom(*)');
const rule = fc
    .record({
        heads: fc.array(
            fc.tuple(fc.constantFrom('p', 'q', 'r'), fc.constantFrom('X', 'Y', 'V', 'E'), fc.constantFrom('X', 'Z', 'V', 'E', '_')),
            {
                minLength: 1,
                maxLength: 2,
            },
        ),
        body: fc.array(atom, { minLength: 1, maxLength: 3 }),
        negated: fc.option(atom, { freq: 4 }),
        assignment,
    })
    .map(({ heads, body, negated, assignment: assigned }) => {
        const written = (atoms: readonly (readonly string[])[]): string => atoms.map(([p, a, b]) => `${p}(${a}, ${b})`).join(', ');
        const denied = negated === null ? '' : `, not s(${negated[1]}, ${negated[2]})`;
        return `${written(heads)} <- ${written(body)}${denied}${assigned}.`;
    });

test('equals the definitions on random programs', () => {
    fc.assert(
        fc.property(fc.array(rule, { minLength: 1, maxLength: 5 }), rules => {
            const program = analysed(`s(1, 2). ${rules.join('\n')}`);
            const { chase } = program;
            const wanted = chaseByDefinition(program);
            expect(affectedIn(chase)).toEqual([...wanted.affected].sort());
            expect(chase.weaklyAcyclic).toBe(wanted.weaklyAcyclic);
            expect(chase.rules.map(found => found.warded)).toEqual(wanted.warded);
            expect(chase.rules.map(found => found.ward)).toEqual(wanted.wards.map(([first]) => first));
            expect(chase.rules.map(found => [...found.dangerous].sort())).toEqual(wanted.dangerous.map(names => [...names].sort()));
            expect(chase.rules.map(found => [...found.harmfulJoins].sort())).toEqual(wanted.harmfulJoins.map(names => [...names].sort()));
        }),
        { numRuns: 120 },
    );
});
