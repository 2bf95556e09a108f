import { describe, expect, test } from 'vitest';
import { evaluate, planOf } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { FactNode } from '#engine/explain/explanation.ts';
import { explanationText } from '#engine/explain/explanation-text.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { programOf, RUN_OPTIONS, run } from '../evaluate/run-program.ts';

const RING = Array.from({ length: 600 }, (_, i) => `e(${i}, ${(i + 1) % 600}).`).join('\n');
const { limits } = RUN_OPTIONS;

describe('reports', () => {
    test.each([
        ['e(1, null). e(2, null). e(2, 3). t(X, Y) <- #TC(e).', "'#TC' ignored 2 rows of 'e' with an unknown endpoint"],
        ['w(1, 2, -0.5). t(X, Y, C) <- #ASP(w).', "'#ASP' needs weights of at least 0 but got -0.5"],
        ['w(1, 2). t(X, Y, C) <- #ASP(w).', "'#ASP' cannot take 'w', which has 2 of 3 columns"],
        ['w(1, 2, "far"). t(X, Y, C) <- #ASP(w).', `'#ASP' needs numbers but got "far"`],
        [
            'p(1). e(S, X) <- p(X), S = struct("id", X). t(X, Y) <- #TC(e).',
            "'#TC' needs endpoints of 'e' that are all structs or all simple values",
        ],
        [
            `@param("v", "maybe"). e(1, 2). t(X, Y) <- #PATHS(e, "visited=\${v}").`,
            `'#PATHS' cannot take "visited=maybe": 'visited' must be 'true' or 'false'`,
        ],
        [
            `@param("v", "true"). e(1, 2). t(X, Y) <- #PATHS(e, "visited=\${v}").`,
            `'#PATHS' cannot take "visited=true" for a head with 2 columns: it gives X, Y, Visited`,
        ],
    ])('%s', async (text, message) => expect((await run(text)).messages).toEqual([message]));
});

describe('a run is ended inside a relation function', () => {
    test('when it is cancelled', async () => {
        let asked = 0;
        const { codes } = await run(`${RING} t(X, Y) <- #TC(e).`, { cancelled: () => (asked++ > 20 ? 'the user' : undefined) });
        expect(codes).toEqual(['RT032']);
        expect(asked).toBeLessThan(30);
    });

    test('by maxMemory, naming the predicate of the head', async () => {
        const { messages } = await run(`${RING} t(X, Y) <- #TC(e).`, { limits: { ...limits, maxMemory: 2_000_000 } });
        expect(messages[0]).toContain('The limit of 2 MB of memory was reached');
    });
});

test('only what the goals need is computed', async () => {
    const { outcome, codes } = await run('e(1, 2). w(1, 2, -1). t(X, Y) <- #TC(e). c(X, Y, C) <- #ASP(w).', {
        goals: new Set([predicateKey('t', 2)]),
    });
    expect(codes).toEqual([]);
    expect(outcome.ok && outcome.statistics.facts).toBe(2);
});

test('a sample of #BC is the same for the same seed', async () => {
    const text = `${RING.replaceAll('600', '60')} b(X, S) <- #BC(e, "sample=5").`;
    const first = (await run(text, { seed: 1 })).facts('b');
    expect((await run(text, { seed: 1 })).facts('b')).toEqual(first);
    expect((await run(text, { seed: 2 })).facts('b')).not.toEqual(first);
});

describe('a fact from a relation function is explained by its rule, without premises', () => {
    async function explained(text: string, row: number): Promise<FactNode> {
        const outcome = await evaluate(programOf(text), { ...RUN_OPTIONS, heights: true });
        if (!outcome.ok) throw new Error('stopped');
        const { database } = outcome;
        return explainFact(database, { predicate: predicateKey('t', 2), row }, { label: nullLabels(database.dictionary), all: true });
    }

    test('alone', async () => {
        const fact = await explained('e(1, 2). t(X, Y) <- #TC(e).', 0);
        expect(fact.derivations).toMatchObject([{ rule: 't(X,Y) <- #TC(e)', premises: [] }]);
        expect(explanationText(fact)).toBe('t(1,2).');
    });

    test('as a premise, and only where it gave the fact', async () => {
        const fact = await explained('e(1, 2). f(2, 3). t(X, Z) <- t(X, Y), f(Y, Z). t(X, Y) <- #TC(e).', 1);
        expect(fact.derivations).toHaveLength(1);
        expect(explanationText(fact)).toBe('since t(1,2) and f(2,3), then t(1,3).');
    });

    test('beside a rule that gives it too, through a constant and a cast', async () => {
        const text = `@model("t", "['x:int', 'y:string']"). e(1, 2). t(1, Y) <- #TC(e). t(X, Y) <- e(X, Y).`;
        const { derivations } = await explained(text, 0);
        expect(derivations.map(({ rule, premises }) => [rule, premises.length])).toEqual([
            ['t(1,Y) <- #TC(e)', 0],
            ['t(X,Y) <- e(X,Y)', 1],
        ]);
    });
});

test('a printed plan shows what is asked of which relation', () => {
    const plan = planOf(programOf('e(1, 2). @output("t"). t(1, L) <- #PATHS(u, "max_depth=2"). u(X, Y) <- e(Y, X).'));
    expect(`\n${printPlan(plan)}`).toMatchInlineSnapshot(`
      "
      passes: magic-sets

      stratum 1
        u/2
        u(X,Y) <- e(Y,X)
          in batches from 32 rows on, else row by row, appended if u/2 is empty:
            each e/2: 0→Y, 1→X
              add u/2 (X, Y)

      stratum 2
        answer of rule 0: #PATHS of u/2 with "max_depth=2"

      stratum 3
        t/2
        t(1,L) <- #PATHS(u,"max_depth=2")
          in batches from 32 rows on, else row by row, appended if t/2 is empty:
            each answer of rule 0: 1→L, 0=1
              add t/2 (1, L)
      "
    `);
});
