import { describe, expect, test } from 'vitest';
import { evaluate, planOf } from '#engine/engine.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { FactNode } from '#engine/explain/explanation.ts';
import { explanationText } from '#engine/explain/explanation-text.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { seededRandom } from '../../support/program-variations.ts';
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

describe('a fact from a relation function', () => {
    async function explained(text: string, row: number, arity = 2): Promise<FactNode> {
        const outcome = await evaluate(programOf(text), { ...RUN_OPTIONS, heights: true });
        if (!outcome.ok) throw new Error('stopped');
        const { database } = outcome;
        return explainFact(database, { predicate: predicateKey('t', arity), row }, { label: nullLabels(database.dictionary), all: true });
    }

    test('is explained by the edges that lead there', async () => {
        const fact = await explained('e(1, 2). t(X, Y) <- #TC(e).', 0);
        expect(fact.derivations).toMatchObject([{ rule: 't(X,Y) <- #TC(e)', premises: [{ fact: 'e(1,2)' }] }]);
        expect(explanationText(fact)).toBe('since e(1,2), then t(1,2).');
    });

    test('is explained by its rule where it is no walk', async () => {
        const fact = await explained('e(1, 2). t(X, C) <- #WCC(e).', 0);
        expect(fact.derivations).toMatchObject([{ rule: 't(X,C) <- #WCC(e)', premises: [] }]);
    });

    test('as a premise, and only where it gave the fact', async () => {
        const fact = await explained('e(1, 2). f(2, 3). t(X, Z) <- t(X, Y), f(Y, Z). t(X, Y) <- #TC(e).', 1);
        expect(fact.derivations).toHaveLength(1);
        expect(explanationText(fact)).toBe('since e(1,2), then t(1,2), and since f(2,3), then t(1,3).');
    });

    test('beside a rule that gives it too, through a constant and a cast', async () => {
        const text = `@model("t", "['x:int', 'y:string']"). e(1, 2). t(1, Y) <- #TC(e). t(X, Y) <- e(X, Y).`;
        const { derivations } = await explained(text, 0);
        expect(derivations.map(({ rule, premises }) => [rule, premises.length])).toEqual([
            ['t(1,Y) <- #TC(e)', 0],
            ['t(X,Y) <- e(X,Y)', 1],
        ]);
    });

    test('whose list of nodes a model makes a text of is explained by its rule', async () => {
        const text = `@model("t", "['x:int', 'y:int', 'c:int', 'v:string']"). e(1, 2). t(X, Y, C, V) <- #BFS(e, "visited=true").`;
        const { derivations } = await explained(text, 0, 4);
        expect(derivations.map(({ premises }) => premises)).toEqual([[]]);
    });

    test('of structs is explained by the rows whose structs are its nodes', async () => {
        const text = `n(1, 2). n(2, 3). e(S, T) <- n(X, Y), S = struct("id", X, "to", Y), T = struct("id", Y). t(X, Y) <- #TC(e).`;
        const walks = await Promise.all([0, 1, 2].map(row => explained(text, row)));
        const premises = walks.map(({ derivations }) => derivations[0]?.premises.map(premise => premise.kind === 'fact' && premise.fact));
        expect(premises).toContainEqual(['e(struct(id=1,to=2),struct(id=2))', 'e(struct(id=2,to=3),struct(id=3))']);
    });

    test.each([
        ['#TC(e)', 2],
        ['#PATHS(e, "max_depth=3")', 2],
        ['#PATHS(e, "visited=true, all_paths=true")', 3],
        ['#BFS(e)', 3],
        ['#BFS(e, "visited=true")', 4],
        ['#ASP(e)', 3],
        ['#ASP(e, "visited=true")', 4],
        ['#SSSP(e, "source=0")', 3],
    ])('%s: the edges of every row are there, follow one another, and cost what the row says', async (call, arity) => {
        const draw = seededRandom(call.length);
        const random = (end: number): number => Math.floor(draw() * end);
        const edges = new Set(Array.from({ length: 14 }, () => `${random(6)},${random(6)},${random(3)}`));
        const head = ['X', 'Y', 'C', 'V'].slice(0, arity).join(', ');
        const text = `${[...edges].map(edge => `e(${edge}).`).join(' ')} t(${head}) <- ${call}.`;
        const program = programOf(text);
        const outcome = await evaluate(program, { ...RUN_OPTIONS, heights: true });
        if (!outcome.ok) throw new Error('stopped');
        const { database } = outcome;
        const key = predicateKey('t', arity);
        const count = database.relation(key)?.count ?? 0;
        expect(count).toBeGreaterThan(3);
        const numbers = (predicate: PredicateKey, row: number): number[] =>
            (database.relation(predicate)?.columns.slice(0, 3) ?? []).map(column => database.dictionary.numberOf(column[row] ?? 0));
        for (let row = 0; row < count; row++) {
            const node = explainFact(database, { predicate: key, row }, { label: nullLabels(database.dictionary), all: true });
            const walk = (node.derivations[0]?.premises ?? []).map(premise =>
                premise.kind === 'fact' ? numbers(premise.row.predicate, premise.row.row) : [],
            );
            const [from, to] = numbers(key, row);
            expect([walk[0]?.[0], walk.at(-1)?.[1]], text).toEqual([from, to]);
            for (const [i, edge] of walk.slice(1).entries()) expect(edge[0]).toBe(walk[i]?.[1]);
            const cost = walk.reduce((sum, [, , weight = 0]) => sum + (/ASP|SSSP/u.test(call) ? weight : 1), 0);
            if (/ASP|SSSP|BFS/u.test(call)) expect(cost, text).toBe(numbers(key, row)[2]);
        }
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
