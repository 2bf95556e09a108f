import { describe, expect, test } from 'vitest';
import { PASSES } from '#engine/plan/program-passes.ts';
import type { Connectors } from '#engine/sources/source.ts';
import { printedPlan } from '../plan/printed-plan.ts';
import { run, type TestRun } from './run-program.ts';

/** Which rows each bind has, and the tuples that its query was asked for. */
type Row = readonly (number | string)[];

function answering(tables: Readonly<Record<string, readonly Row[]>>, asked: string[] = []): Connectors {
    return {
        source: bind => ({
            name: bind.inner,
            load: (target, values) => {
                const { dictionary } = target;
                const ids = (tables[bind.predicate] ?? []).map(row =>
                    row.map(cell =>
                        cell === 'null'
                            ? dictionary.freshNull('x')
                            : typeof cell === 'number'
                              ? dictionary.number(cell)
                              : dictionary.string(cell),
                    ),
                );
                if (values === undefined) for (const row of ids) target.add(Int32Array.from(row), 0);
                for (const tuple of values?.tuples ?? []) {
                    asked.push(
                        `${bind.predicate}(${tuple.map(id => (dictionary.isNumber(id) ? dictionary.numberOf(id) : dictionary.stringOf(id)))})`,
                    );
                    for (const row of ids)
                        if (values?.columns.every((column, i) => row[column] === tuple[i])) target.add(Int32Array.from(row), 0);
                }
            },
        }),
        sink: () => undefined,
    };
}

const EDGES: readonly Row[] = [
    [1, 2],
    [2, 3],
    [3, 1],
    [3, 4],
    [7, 8],
];
const BIND = `@qbind("e", "sqlite", "f", "select a, b from e where a = \${1}"). `;

async function asking(
    text: string,
    tables: Readonly<Record<string, readonly Row[]>> = { e: EDGES },
): Promise<TestRun & { asked: string[] }> {
    const asked: string[] = [];
    const first = await run(BIND + text, { connectors: answering(tables, asked) });
    return { ...first, asked: [...asked].sort() };
}

describe('queries that take values', () => {
    test('are asked for each value that the rest of a rule finds, once', async () => {
        const { facts, asked } = await asking(
            'p(1). p(2). p(9). q(2). @output("r"). r(X, Y) <- p(X), e(X, Y). @output("s"). s(Y) <- q(X), e(X, Y).',
        );
        expect([facts('r'), facts('s')]).toEqual([['1, 2', '2, 3'], ['3']]);
        expect(asked).toEqual(['e(1)', 'e(2)', 'e(9)']);
    });

    test('take constants, computed values, and values of other queries', async () => {
        const { facts, asked } = await asking(
            'p(1). @output("r"). r(Z) <- p(X), Y = X + 1, e(Y, Z). @output("s"). s(Y) <- e(7, Y). @output("t"). t(Z) <- p(X), e(X, Y), e(Y, Z).',
        );
        expect([facts('r'), facts('s'), facts('t')]).toEqual([['3'], ['8'], ['3']]);
        expect(asked).toEqual(['e(1)', 'e(2)', 'e(7)']);
    });

    test('are asked for nothing that conditions leave out, nor for nulls', async () => {
        const { facts, asked } = await asking(
            'p(1). p(2). p(3). @model("p", "[\'x:int\']"). n(X, Z) <- p(X). @output("r"). r(X, Y) <- p(X), X > 2, e(X, Y). @output("s"). s(Y) <- n(_, X), e(X, Y).',
        );
        expect([facts('r'), facts('s')]).toEqual([['3, 1', '3, 4'], []]);
        expect(asked).toEqual(['e(3)']);
    });

    test.each([
        ['forwards', 'r(X, Y) <- s(X), e(X, Y). r(X, Z) <- r(X, Y), e(Y, Z).', ['1, 1', '1, 2', '1, 3', '1, 4']],
        ['by several rules', 'r(X, X) <- s(X). r(X, Y) <- t(X, Y). t(X, Z) <- r(X, Y), e(Y, Z).', ['1, 1', '1, 2', '1, 3', '1, 4']],
        ['of values alone', 'r(X) <- s(X). r(Y) <- r(X), e(X, Y).', ['1', '2', '3', '4']],
        ['with negation of what is known', 'stop(3). r(X) <- s(X). r(Y) <- r(X), not stop(X), e(X, Y).', ['1', '2', '3']],
    ])('are asked by a recursion for what it finds, %s', async (_, rules, expected) => {
        const { facts, asked } = await asking(`s(1). @output("r"). ${rules}`);
        expect(facts('r')).toEqual(expected);
        expect(new Set(asked).size).toBe(asked.length);
        expect(asked).not.toContain('e(7)');
    });

    test('are asked behind not, in constraints and for aggregates', async () => {
        const { facts } = await asking(
            'p(1). p(3). p(9). @output("r"). r(X) <- p(X), not e(X, _). @output("c"). c(X, C) <- p(X), e(X, Y), C = count(Y).',
        );
        expect([facts('r'), facts('c')]).toEqual([['9'], ['1, 1', '3, 2']]);
        const violated = await asking('p(3). #F <- p(X), e(X, Y), Y > 3. @output("p2"). p2(X) <- p(X).');
        expect(violated.codes).toContain('RT041');
    });

    test('are asked again for no value where equality heads replace nulls', async () => {
        const tables = {
            e: [
                [1, 'null'],
                [2, 5],
            ] as const,
        };
        const { facts, asked } = await asking(
            'p(1). p(2). b(X, Z) <- p(X). b(X, Y) <- e(X, Y), p(X). Y = Z <- b(X, Y), b(X, Z). @output("b"). @output("c"). c(Y) <- b(_, X), e(X, Y).',
            tables,
        );
        expect(facts('b')).toEqual(['1, z1', '2, 5']);
        expect(asked).toEqual(['e(1)', 'e(2)', 'e(5)']);
    });

    test.each([
        ['a recursion with aggregates', 's(1). @output("r"). r(X, 0) <- s(X). r(Y, D) <- r(X, C), e(X, Y), D = mmin(C + 1).'],
        ['a predicate with rules', 'e(X, Y) <- s(X), s(Y). s(1). @output("r"). r(Y) <- s(X), e(X, Y).'],
    ])('%s is refused', async (_, text) => {
        expect((await asking(text)).codes).toEqual(['RT065']);
    });

    test('more values than can be asked for are refused', async () => {
        const p = Array.from({ length: 100_001 }, (_, i) => [i]);
        const { messages } = await asking('@bind("p", "csv", "d", "p.csv"). @output("r"). r(Y) <- p(X), e(X, Y).', { e: EDGES, p });
        expect(messages).toEqual(["'e' is asked for more than 100,000 different values"]);
    });

    test('give the same whatever pass is left out', async () => {
        const text = `${BIND}@qbind("n", "sqlite", "f", "select n, b from n where n = \${1} and b > \${2}"). s(1). s(7). t(2). a(X, Y) <- s(X), e(X, Y).
            @output("r"). r(X, Y) <- a(X, Y). r(X, Z) <- r(X, Y), e(Y, Z), t(2). @output("l"). l(X, Y) <- r(X, Y), X < 3, n(Y, X). @output("o"). o(Y) <- r(1, Y), not e(Y, Y).`;
        const tables = {
            e: EDGES,
            n: [
                [2, 1],
                [3, 1],
                [8, 7],
            ] as const,
        };
        const all = await run(text, { connectors: answering(tables) });
        const answers = ['r', 'l', 'o'].map(all.facts);
        expect(answers).toEqual([
            ['1, 1', '1, 2', '1, 3', '1, 4', '7, 8'],
            ['1, 2', '1, 3'],
            ['1', '2', '3', '4'],
        ]);
        for (const pass of PASSES) {
            const one = await run(text, { connectors: answering(tables), disabledPasses: new Set([pass]), goalsOnly: true });
            expect([pass, ...['r', 'l', 'o'].map(one.facts)]).toEqual([pass, ...answers]);
        }
    });

    test('stand in plans', () => {
        expect(printedPlan(`${BIND}p(1). @output("r"). r(Y) <- p(X), e(X, Y).`)).toMatchInlineSnapshot(`
          "
          passes: magic-sets

          stratum 1
            asked of e/2 by queries
            r(Y) <- p(X), e(X,Y)
              in batches from 32 rows on, else row by row, appended if asked of e/2 by queries is empty:
                each p/1: 0→X
                  add asked of e/2 by queries (X)

          stratum 2
            e/2: queries, asked for asked of e/2 by queries

          stratum 3
            r/1
            r(Y) <- p(X), e(X,Y)
              in batches from 32 rows on, else row by row:
                each p/1: 0→X
                  each e/2 by index 0=X: 1→Y
                    add r/1 (Y)
          "
        `);
    });
});
