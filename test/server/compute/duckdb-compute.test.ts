import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { ComputeFailed } from '#engine/contracts/compute.ts';
import type { StratumPlace } from '#engine/contracts/run-statistics.ts';
import { evaluate } from '#engine/engine.ts';
import { pushedTo } from '#engine/pushdown/pushed-run.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { duckDbCompute } from '#server/compute/duckdb-compute.ts';
import { programOf, RUN_OPTIONS } from '../../engine/evaluate/run-program.ts';
import { atDuckDb, pushedPrograms } from '../../fuzz/pushed-programs.ts';
import { searched } from '../../fuzz/search.ts';
import { observe } from '../../support/conformance.ts';
import { factsText, readExpectation } from '../../support/expected-facts.ts';

const FOLDER = { folder: '.', expectation: readExpectation('') };

/** Where the strata of a program are evaluated: the names of the predicates, and why they are here. The rows are those of the evaluator. */
async function placesOf(text: string): Promise<string[]> {
    const places: StratumPlace[] = [];
    const there = await observe(
        FOLDER,
        text,
        atDuckDb(all => void places.push(...all)),
    );
    const here = await observe(FOLDER, text, evaluate);
    expect(factsText(there.facts)).toBe(factsText(here.facts));
    expect(there.reports).toEqual(here.reports);
    return places.map(place => `${place.predicates.join(' ')}${'reason' in place ? `: ${place.reason}` : ''}`);
}

const EDGES = 'edge(1, 2). edge(2, 3). edge(3, 1). edge(3, 4). ';

test.each([
    ['one relation that reads itself once', `${EDGES} tc(X, Y) <- edge(X, Y). tc(X, Z) <- tc(X, Y), edge(Y, Z). @output("tc").`, ['tc']],
    ['one that reads itself twice', `${EDGES} tc(X, Y) <- edge(X, Y). tc(X, Z) <- tc(X, Y), tc(Y, Z). @output("tc").`, ['tc']],
    [
        'two that need each other',
        'next(1, 2). next(2, 3). next(3, 4). even(1). odd(Y) <- even(X), next(X, Y). even(Y) <- odd(X), next(X, Y). @output("odd"). @output("even").',
        ['even odd'],
    ],
    ['facts of a predicate that has rules too', 'p(1). p(5). q(2). p(X) <- q(X). @output("p").', ['p']],
    ['negation, with a column that nothing asks for', 'p(1). p(2). q(2, "x"). r(X) <- p(X), not q(X, _). @output("r").', ['r']],
    [
        'a predicate without columns',
        'p(1). some() <- p(X), X > 0. none() <- p(X), X > 1. @output("some"). @output("none").',
        ['some', 'none'],
    ],
    ['several heads', 'p(1, 2). q(X), r(Y, X) <- p(X, Y). @output("q"). @output("r").', ['q', 'r']],
    ['unknown values, which are numbers there', 'p(null, 1). p(2, null). q(X, Z) <- p(X, Y), p(Z, Y). @output("q").', ['q']],
    ['values of several types', 'p("a"). p(1). p(2.5). p(#T). q(X, Y) <- p(X), p(Y). @output("q").', ['q']],
    ['lists and sets', 'p([1, 2], {1}). q(Y, X) <- p(X, Y). r(X) <- q(_, X), p([1, 2], _). @output("r").', ['q', 'r']],
    ['texts in other scripts and quotes', `p("it's"). p("\\"ü 😀"). q(X + "!") <- p(X), X != "it's". @output("q").`, ['q']],
    [
        'a parameter, and one in a text',
        '@param("who", "Ann"). p("Ann"). p("Bob"). q(X) <- p(X), X == "$' +
            '{who}". r(X) <- p(X), X != $' +
            '{who}. @output("q"). @output("r").',
        ['q', 'r'],
    ],
    [
        'days and moments',
        'p(2031-04-09, 2031-04-09 10:15:00). q(X, Y) <- p(X, Y), X > 2030-01-01, Y < 2032-01-01 00:00:00. @output("q").',
        ['q'],
    ],
    [
        'texts that are in others',
        'p("näher", "n"). p("näher", "er"). p("n😀", "😀"). p("a", ""). p("", "a"). q(X, A, B, C, string_length(X)) <- p(X, Y), A = contains(X, Y), B = starts_with(X, Y), C = ends_with(X, Y). @output("q").',
        ['q'],
    ],
    [
        'functions of numbers',
        'p(-7, 3). p(7, -3). p(2147483647, 2). q(X, math:mod(X, Y), math:abs(X), math:min(X, Y), math:max(X, Y)) <- p(X, Y). d(math:abs(X)) <- e(X). e(-2.5). @output("q"). @output("d").',
        ['q', 'd'],
    ],
    [
        'functions of truth values',
        'p(#T, #F). p(#T, #T). p(#F, #F). p(#F, #T). q(X, Y, and(X, Y), or(X, Y), xor(X, Y), nand(X, Y), nor(X, Y), iff(X, Y), implies(X, Y), not(X)) <- p(X, Y). @output("q").',
        ['q'],
    ],
    [
        'between, in, if',
        'p(1). p(2). p(3). q(X, between(X, 1, 3), _between(X, 1, 3), between_(X, 1, 3), if(X > 2, "much", "few")) <- p(X), X in [1, 3, 7], X !in {7}. @output("q").',
        ['q'],
    ],
    ['values that are known', 'p(1). q(X) <- p(X), is_not_null(X), !is_null(X). @output("q").', ['q']],
    ['arithmetic in 64 bits', 'p(2147483647). q(X + 1, X * X, X - 0.5, X / 2) <- p(X). @output("q").', ['q']],
    ['a computed value that is joined', 'p(1). p(2). p(4). q(X, Y) <- p(X), Y = X + 1, p(Y). @output("q").', ['q']],
    ['integers and doubles that are joined', 'p(1). p(2). d(1.0). d(2.5). q(X) <- p(X), d(X). @output("q").', ['q']],
    [
        'counts, sums, the least and the greatest',
        's("a", 1). s("a", 3). s("b", 2). t(K, N, S, L, G) <- s(K, V), N = count(), S = sum(V), L = min(V), G = max(V). @output("t").',
        ['t'],
    ],
    [
        'groups without a key',
        's(1). s(3). n(N) <- s(_), N = count(). z(N) <- s(X), X > 9, N = count(). @output("n"). @output("z").',
        ['n', 'z'],
    ],
    ['a condition on a group', 's("a", 1). s("a", 3). s("b", 2). t(K, N) <- s(K, _), N = mcount(), N >= 2. @output("t").', ['t', 't']],
    ['different values that are counted', 's(1, 1). s(2, 1). s(3, 2). n(N) <- s(_, Y), N = mcount(1, <Y>). @output("n").', ['n']],
    ['the greatest text', 's("b"). s("ä"). s("Z"). n(N) <- s(X), N = max(X). @output("n").', ['n']],
    ['a recursion with a count of steps', 'go(0). go(N) <- go(M), M < 50, N = M + 1. @output("go").', ['go']],
])('%s', async (_, text, places) => {
    expect(await placesOf(text)).toEqual(places);
});

test.each([
    ['p(1). q(X, N) <- p(X). @output("q").', ['q: the rule makes unknown values']],
    ['s(0.1). s(0.2). n(N) <- s(X), N = sum(X). @output("n").', ["n: 'sum' of such values has no exact counterpart"]],
    ['p("a"). q(X) <- p(X), to_upper(X) == "A". @output("q").', ['q: to_upper(X) has no exact counterpart']],
    [
        'a(1, 2). b(X, Y) <- a(X, Y). X = Y <- a(X, Y), X > 3. @output("b").',
        ['b: equality heads replace values', ': equality heads replace values'],
    ],
    [
        'own(1, 2, 6). own(2, 3, 6). t(X, Y, S) <- own(X, Y, W), S = msum(W, <X>). t(X, Z, S) <- t(X, Y, V), V > 5, own(Y, Z, W), S = msum(W, <Y>). @output("t").',
        ['t: a recursion goes through an aggregate'],
    ],
])('what stays here says why: %s', async (text, places) => {
    expect(await placesOf(text)).toEqual(places);
});

test('what fails there is done here, where the report has its place and its match', async () => {
    const text = 'p(4). p(0). q(X, Y) <- p(X), Y = 8 / X. @output("q").';
    const engine = duckDbCompute({ memory: 2 ** 27, threads: 1 });
    const outcome = await evaluate(programOf(text), { ...RUN_OPTIONS, compute: pushedTo(engine) });
    engine.close();
    const alone = await evaluate(programOf(text), RUN_OPTIONS);
    expect(outcome.reports).toEqual(alone.reports);
    expect(outcome.reports.map(({ code }) => code)).toEqual(['RT011']);
});

test('rows of relations that nobody asks for stay there', async () => {
    const program = programOf(
        `${EDGES} tc(X, Y) <- edge(X, Y). tc(X, Z) <- tc(X, Y), edge(Y, Z). n(N) <- tc(_, _), N = count(). @output("n").`,
    );
    const engine = duckDbCompute({ memory: 2 ** 27, threads: 1 });
    const brought: string[] = [];
    const counting = {
        ...engine,
        read: (...asked: Parameters<typeof engine.read>) => engine.read(...asked).then(() => void brought.push(asked[0])),
    };
    const outcome = await evaluate(program, {
        ...RUN_OPTIONS,
        goals: new Set(program.outputs),
        goalsOnly: true,
        compute: pushedTo(counting),
    });
    expect(brought).toHaveLength(1);
    expect(outcome.ok && outcome.statistics.facts).toBe(4 + 12 + 1);
    engine.close();
});

test.each([
    [
        'larger values than facts have',
        'p(1). q(2). p(X * 3000000000) <- q(X). s(X) <- p(X), to_upper("a") == "A". t(X) <- p(X), s(X), X > 0. @output("t").',
        ['p', 's: to_upper("a") has no exact counterpart', 't'],
    ],
    [
        'unknown values that come beside facts',
        'p(1). q(2). p(Y) <- q(X), string_length("a") == X - 1. s(X) <- p(X). t(X) <- s(X), p(X). @output("t").',
        ['p: the rule makes unknown values', 's', 't'],
    ],
    [
        'two columns that are counted together',
        's(1, 1, 2). s(2, 1, 2). s(3, 1, 3). n(N) <- s(_, Y, Z), N = mcount(1, <Y, Z>). @output("n").',
        ['n'],
    ],
])('relations that change where they are: %s', async (_, text, places) => {
    expect(await placesOf(text)).toEqual(places);
});

test('a recursion that makes values goes on for as long as it has facts to walk over', async () => {
    const chain = Array.from({ length: 30 }, (_, i) => `next(${i}, ${i + 1}).`).join(' ');
    const program = programOf(`${chain} at(0, 0). at(Y, N + 1) <- at(X, N), next(X, Y). @output("at").`);
    const engine = duckDbCompute({ memory: 2 ** 27, threads: 1 });
    const limits = { ...RUN_OPTIONS.limits, maxRounds: 5 };
    const there = await evaluate(program, { ...RUN_OPTIONS, limits, compute: pushedTo(engine) });
    const endless = programOf('at(0). at(N + 1) <- at(N). @output("at").');
    const stopped = await evaluate(endless, { ...RUN_OPTIONS, limits, compute: pushedTo(engine) });
    expect(there.ok && program.outputs.map(key => there.database.relation(key)?.count)).toEqual([31]);
    expect(stopped.reports.map(({ code }) => code)).toEqual(['RT031']);
    engine.close();
});

test('a recursion that does not fit into memory as one statement goes on in rounds', async () => {
    const program = programOf(`${EDGES} tc(X, Y) <- edge(X, Y). tc(X, Z) <- tc(X, Y), edge(Y, Z). @output("tc").`);
    const engine = duckDbCompute({ memory: 2 ** 27, threads: 1 });
    const full = {
        ...engine,
        run: (...asked: Parameters<typeof engine.run>) =>
            asked[0].includes('recursive') ? Promise.reject(new ComputeFailed('full', true)) : engine.run(...asked),
    };
    const outcome = await evaluate(program, { ...RUN_OPTIONS, compute: pushedTo(full) });
    const [place] = outcome.ok ? (outcome.statistics.places ?? []) : [];
    const statements = place !== undefined && 'statements' in place ? [...place.statements] : [];
    expect(statements.find(([statement]) => statement.includes('anti join'))?.[1]).toBe(3);
    expect(outcome.ok && program.outputs.map(key => outcome.database.relation(key)?.count)).toEqual([12]);
    engine.close();
});

test('a run that is stopped ends its statement', async () => {
    const engine = duckDbCompute({ memory: 2 ** 27, threads: 1 });
    let isStopped = false;
    const program = programOf(
        'd(1). d(2). d(3). d(4). d(5). d(6). d(7). d(8). d(9). d(10). n(N) <- d(A), d(B), d(C), d(D), d(E), d(F), d(G), d(H), d(I), d(J), d(K), A < B, N = count(). @output("n").',
    );
    const slow = {
        ...engine,
        run: (...asked: Parameters<typeof engine.run>) => {
            if (asked[0].includes('group') || asked[0].includes('having')) isStopped = true;
            return engine.run(...asked);
        },
    };
    const cancelled = (): string | undefined => (isStopped ? 'it was stopped' : undefined);
    const outcome = await evaluate(program, { ...RUN_OPTIONS, cancelled, compute: pushedTo(slow) });
    expect(outcome.reports.map(({ code }) => code)).toEqual(['RT032']);
    engine.close();
});

test('its folder is gone when it is closed, and it reads no files', async () => {
    const folders = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('rulelang-duckdb-'));
    const before = new Set(folders());
    const engine = duckDbCompute({ memory: 2 ** 27, threads: 1 });
    const look = (): void => undefined;
    await engine.run('create table t as select 1 as c0', look);
    const own = folders().filter(name => !before.has(name));
    await expect(engine.run(`create table u as select * from read_text('${import.meta.filename}')`, look)).rejects.toThrow(ComputeFailed);
    const rows: number[] = [];
    const dictionary = new Dictionary();
    await engine.read(
        't',
        [{ name: 'c0', kind: 'int' }],
        dictionary,
        ([ids], count) => rows.push(...(ids?.subarray(0, count) ?? [])),
        look,
    );
    expect(rows.map(id => dictionary.numberOf(id))).toEqual([1]);
    engine.close();
    await expect.poll(() => own.filter(name => existsSync(`${tmpdir()}/${name}`))).toEqual([]);
});

test('random programs have the facts of the reference evaluator', async () => {
    const pushed = await searched(pushedPrograms, 20_778, 12);
    expect(pushed.some(strata => strata > 0)).toBe(true);
});
