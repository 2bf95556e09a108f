import { describe, expect, test } from 'vitest';
import { planOf } from '#engine/engine.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import type { RowTarget, Source } from '#engine/sources/source.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { programOf, RUN_OPTIONS, run } from './run-program.ts';

/** The report that ended a run, with the lines below it. */
async function ending(text: string): Promise<{ code: string; message: string; details: readonly string[] }> {
    const { outcome } = await run(text);
    if (outcome.ok) throw new Error('The run came to its end');
    const [{ code, message, details = [] } = { code: '', message: '' }] = outcome.reports.slice(-1);
    return { code, message, details };
}

function source(rows: (target: RowTarget) => void): { source: (bind: Bind) => Source; sink: () => undefined } {
    return { source: () => ({ name: 'rows.csv', load: rows }), sink: () => undefined };
}

describe('a clash', () => {
    test('names the rule, the values, and where the facts come from', async () => {
        const { code, message, details } = await ending(`
entry(1, "a"). entry(2, "b").
use(5, 1). use(5, 2).
value(X, V) <- use(X, K), entry(K, V).
Y = Z <- value(X, Y), value(X, Z).
@output("value").`);
        expect(code).toBe('RT040');
        expect(message).toBe('The equality head Y=Z <- value(X,Y), value(X,Z) makes "a" and "b" equal, which are different');
        expect(details).toEqual([
            'value(5,"a")',
            '│ value(X,V) <- use(X,K), entry(K,V)  test.rulelang:4',
            '├─ use(5,1)  test.rulelang:3',
            '└─ entry(1,"a")  test.rulelang:2',
            'value(5,"b")',
            '│ value(X,V) <- use(X,K), entry(K,V)  test.rulelang:4',
            '├─ use(5,2)  test.rulelang:3',
            '└─ entry(2,"b")  test.rulelang:2',
        ]);
    });

    test('between constants that one null met says how it became the first', async () => {
        const { details } = await ending(`
p(1, null). first(1, "a"). second(1, "b").
Y = Z <- p(X, Y), first(X, Z).
Y = Z <- p(X, Y), second(X, Z).
@output("p").`);
        expect(details).toEqual([
            'z1 = "a" by Y=Z <- p(X,Y), first(X,Z) from p(1,z1) and first(1,"a")',
            'p(1,z1)  test.rulelang:2',
            'second(1,"b")  test.rulelang:2',
        ]);
    });

    test('with a value that an earlier round gave shows that round', async () => {
        const { details } = await ending(`
p(1, null). k("a", "u"). got(1, "v").
got(X, V) <- p(X, K), k(K, V).
K = "a" <- p(1, K).
V = W <- got(X, V), got(X, W).
@output("got").`);
        expect(details).toEqual([
            'got(1,"u")',
            '│ got(X,V) <- p(X,K), k(K,V)  test.rulelang:3',
            '├─ p(1,"a")  test.rulelang:2',
            '│  │ K="a" <- p(1,K)  test.rulelang:4',
            '│  └─ p(1,z1)  test.rulelang:2',
            '└─ k("a","u")  test.rulelang:2',
            'got(1,"v")  test.rulelang:2',
        ]);
    });

    test('over a long chain of nulls tells its beginning and its end', async () => {
        const links = Array.from({ length: 100 }, (_, i) => `p(${i}, ${i === 0 ? '"a"' : i === 99 ? '"b"' : 'null'}).`).join('\n');
        const { details } = await ending(`${links}\nY = Z <- p(I, Y), p(J, Z), J == I + 1.\n@output("p").`);
        expect(details.filter(line => line.includes(' by Y=Z <- '))).toHaveLength(20);
        expect(details).toContainEqual(expect.stringMatching(/^… \d\d more$/u));
    });

    test('of collections that no null makes equal', async () => {
        expect((await ending('l(1, {1, null}). l(1, {2, 3}). A = B <- l(X, A), l(X, B). @output("l").')).code).toBe('RT040');
        expect((await ending('l(1, [1, null]). l(1, [2, 3]). A = B <- l(X, A), l(X, B). @output("l").')).code).toBe('RT040');
    });

    test('that only equal arguments of a Skolem term show', async () => {
        const text = `
p(1, null). p(2, "a").
id(X, K) <- p(X, Y), K = #key(Y).
K = "one" <- id(1, K).
K = "two" <- id(2, K).
Y = "a" <- p(1, Y), id(1, "one").
@output("id").`;
        expect((await ending(text)).code).toBe('RT040');
    });
});

describe('violations', () => {
    test('are listed in the order of their values, twenty at most', async () => {
        const facts = Array.from({ length: 21 }, (_, i) => `p(${21 - i}).`).join(' ');
        const { code, message, details } = await ending(`${facts} #F <- p(X), X > 0. @output("p").`);
        expect(code).toBe('RT041');
        expect(message).toBe('The constraint #F <- p(X), X>0 has more than 20 violations; the first 20 are listed');
        expect(details).toEqual(Array.from({ length: 20 }, (_, i) => `p(${i + 1})`));
    });

    test('of every constraint are told, in the order of the text', async () => {
        const { outcome } = await run(
            'p(1). q(2, null). #F <- q(X, _), p(Y), X > Y. #F <- p(X), N = mcount(), N > 5. #F <- p(X), D = X + 1. @output("p").',
        );
        expect(outcome.ok).toBe(false);
        expect(outcome.reports.map(({ details }) => details)).toEqual([['q(2,z1), p(1)'], ['p(1), D=2']]);
    });

    test('of one match however many facts give the same values', async () => {
        const { message, details } = await ending('p(1, 2). p(1, 3). #F <- p(X, _). @output("p").');
        expect(message).toBe('The constraint #F <- p(X,_) has a violation');
        expect(details).toEqual(['p(1,2)']);
    });

    test('do not stop a run that only explains', async () => {
        const { outcome } = await run('p(1). #F <- p(X). @output("p").', { constraints: false });
        expect(outcome.ok).toBe(true);
    });
});

describe('many nulls', () => {
    const NULLS = 2000;
    const rows = source(({ dictionary, add }) => {
        for (let i = 0; i < NULLS; i++) add(Int32Array.of(dictionary.number(i), dictionary.freshNull('cell')), i + 1);
    });
    const BIND = '@bind("p", "csv", "data", "rows.csv"). @model("p", "[\'a:int\', \'b:unknown\']").\n';

    test('become one class without a pair for each two of them', async () => {
        const text = `${BIND}q(Y) <- p(_, Y). all(1, Y) <- p(_, Y). Y = Z <- all(X, Y), all(X, Z). @output("q").`;
        const { facts, outcome } = await run(text, { connectors: rows });
        expect(facts('q')).toEqual(['z1']);
        expect(facts('p')).toHaveLength(NULLS);
        expect(outcome.ok && outcome.statistics.facts).toBe(NULLS + 2);
    });

    test('are replaced one after another, round by round', async () => {
        const text = `${BIND}known(0) <- p(0, _). known(Y) <- p(X, X), Y = X + 1, Y < 50. Y = X <- known(X), p(X, Y). @output("known").`;
        const { facts } = await run(text, { connectors: rows });
        expect(facts('known')).toHaveLength(50);
        expect(facts('p').slice(0, 3)).toEqual(['0, 0', '1, 1', '2, 2']);
        expect(facts('p').filter(fact => /z/.test(fact))).toHaveLength(NULLS - 50);
    });

    test('and rules that always make others reach the limit of rounds', async () => {
        const text = `
item(1).
next(X, Y) <- item(X).
after(X, Z) <- item(X), Z = X + 1.
item(Y) <- next(_, Y), Y > 0.
Y = Z <- next(X, Y), after(X, Z).
@output("item").`;
        const { codes } = await run(text, { limits: { ...RUN_OPTIONS.limits, maxRounds: 20 } });
        expect(codes).toEqual(['RT031']);
    });
});

test('a printed plan shows equality heads at the end of their level, and constraints last', () => {
    const program = programOf('p(1, null). q(Y) <- p(_, Y). Y = Z <- p(X, Y), p(X, Z). #F <- q(X), X > 3. @output("q").');
    expect(printPlan(planOf(program))).toContain(`stratum 2 (equality heads; then again strata 1)
  Y=Z <- p(X,Y), p(X,Z)
    row by row:
      each p/2: 0→X, 1→Y
        each p/2 by index 0=X: 1→Z
          equate Y and Z

constraints
  #F <- q(X), X>3
    row by row:
      each q/1: 0→X
        if X > 3
          violated
`);
});

test('facts that rules derive from replaced values count towards the limit', async () => {
    const text = `
p(1, null). near("a", 1). near("a", 2). near("a", 3). near("a", 4).
q(Y, N) <- p(_, Y), near(Y, N).
Y = "a" <- p(1, Y).
@output("q").`;
    const limits = { ...RUN_OPTIONS.limits, maxFacts: 7 };
    const { codes, messages } = await run(text, { limits });
    expect(codes).toEqual(['RT031']);
    expect(messages[0]).toContain("'q' grew most");
    const { outcome } = await run(text, { limits: { ...limits, maxFacts: 9 } });
    expect(outcome.ok && outcome.statistics.facts).toBe(9);
});
