import { describe, expect, test } from 'vitest';
import { type PlanOptions, planProgram } from '#engine/plan/plan-program.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import { programOf, run } from '../evaluate/run-program.ts';

function printed(text: string): string {
    return `\n${printPlan(planProgram(programOf(text), { goalsOnly: true }))}`;
}

/** The predicates with rules whose rows are stored. */
function stored(text: string, options: PlanOptions = { goalsOnly: true }): string[] {
    const { strata, relations } = planProgram(programOf(text), options);
    return strata.flatMap(stratum =>
        stratum.relations.flatMap(key => (relations.get(key)?.internal ? [] : [key.slice(0, key.indexOf('/'))])),
    );
}

const FACTS = 'e(1, 2, "a"). e(2, 3, "b"). e(3, 2, "a"). e(1, 2, "c"). n(1). n(2). n(7).';

test('views over views are read at their source', () => {
    expect(
        printed(`${FACTS}
            edge(From, To, Kind) <- e(From, To, Kind).
            back(X, Y, K) <- edge(Y, X, K).
            good(X, Y, K, W) <- back(X, Y, K), K != "b", W = X * 2.
            out(X, S) <- good(X, Y, _, W), n(Y), S = msum(W).
            @output("out").`),
    ).toMatchInlineSnapshot(`
      "
      passes: rule-inlining, magic-sets

      stratum 1
        out/2: groups by 0; msum in column 1
        out(X,S) <- good(X,Y,_,W), n(Y), S=msum(W)
          in batches from 32 rows on, else row by row:
            each e/3: 0→Y, 1→X, 2→K
              if K != "b"
                W = X * 2
                  each n/1 with key (Y)
                    give out/2 (X): W per match
      "
    `);
});

test('a renaming is put into recursions, under negations and wherever it is used', () => {
    expect(
        printed(`${FACTS}
            link(Y, X) <- m(X, Y).
            m(1, 2). m(2, 3).
            path(X, Y) <- link(X, Y).
            path(X, Z) <- path(X, Y), link(Y, Z).
            out(X) <- path(X, Y), not link(Y, X).
            @output("out").`),
    ).toMatchInlineSnapshot(`
      "
      passes: rule-inlining, magic-sets, parts

      stratum 1 (recursive, source by source)
        path/2
        path(X,Y) <- link(X,Y)
          in batches from 32 rows on, else row by row:
            each m/2: 1→X
              add parts of path/2 (X)
        path(X,Y) <- link(X,Y)
          for new parts of path/2, in runs of Y from clusters of m/2:
            each delta parts of path/2: 0→X
              each m/2 by index 1=X: 0→Y
                add path/2 (X, Y)
        path(X,Z) <- path(X,Y), link(Y,Z)
          for new path/2, in runs of Z from clusters of m/2, following path/2:
            each delta path/2: 0→X, 1→Y
              each m/2 by index 1=Y: 0→Z
                add path/2 (X, Z)

      stratum 2
        out/1
        out(X) <- path(X,Y), not link(Y,X)
          in batches from 32 rows on, else row by row:
            each path/2: 0→X, 1→Y
              no m/2 with key (X, Y)
                add out/1 (X)
      "
    `);
});

describe('rows are not stored:', () => {
    test.each([
        ['a projection that is read alone', 'p(X, Y) <- e(X, Y, _). out(Y) <- p(_, Y).'],
        ['a projection of which the smallest is looked for', 'p(X, Y) <- e(X, Y, _). out(X, M) <- p(X, Y), M = mmin(Y).'],
        ['a selection by a constant that is joined', 'p(X, Y) <- e(X, Y, "a"). out(X) <- p(X, Y), n(Y).'],
        ['a selection that is counted', 'p(X, Y) <- e(X, Y, "a"). out(X, N) <- p(X, _), N = mcount().'],
        [
            'a join whose rows come from one match each',
            'p(X, Y, L) <- e(X, Y, L), n(X), not n(Y). out(X, N) <- p(X, Y, L), e(_, Y, "b"), N = mcount().',
        ],
        ['what is asked with a constant', 'p(Y, X, L) <- e(X, Y, L). out(Y) <- p(Y, 1, _).'],
        ['what is joined with itself', 'p(X, Y, L) <- e(X, Y, L). out(X) <- p(X, Y, _), p(Y, X, _).'],
        ['a column of a constant', 'p(X, Y, "k") <- e(X, Y, "a"). out(X, K) <- p(X, _, K).'],
    ])('%s', async (_, rules) => {
        const text = `${FACTS} ${rules} @output("out").`;
        expect(stored(text)).toEqual(['out']);
        const { facts } = await run(text, { goalsOnly: true });
        expect(facts('out')).toEqual((await run(text)).facts('out'));
        expect(facts('out')).not.toEqual([]);
    });
});

describe('rows are stored:', () => {
    test.each([
        ['a projection that is counted', 'p(X, Y) <- e(X, Y, _). out(X, N) <- p(X, _), N = mcount().'],
        ['a projection that is joined', 'p(X, Y) <- e(X, Y, _). out(X) <- p(X, Y), n(Y).'],
        ['a projection that a value is made for', 'p(X, Y) <- e(X, Y, _). out(X, null) <- p(X, _).'],
        ['a selection that is negated', 'p(X, Y) <- e(X, Y, "a"). out(X) <- n(X), not p(X, 2).'],
        ['a selection that is read twice', 'p(X, Y) <- e(X, Y, "a"). out(X) <- p(X, Y), p(Y, X).'],
        ['a computed value that is joined', 'p(X, Z, L) <- e(X, Y, L), Z = Y + 1. out(X) <- p(X, Z, _), n(Z).'],
        ['nulls', 'p(X, Z) <- n(X). out(Z) <- p(_, Z).'],
        ['what may end the run', 'p(X, Y, Z) <- e(X, Y, _), Z = 6 / Y. out(Z) <- p(_, _, Z).'],
        ['what may be of any class', 'p(X, Y) <- m(X, Y), X < Y. m(1, "a"). m("b", 2). out(X) <- p(X, _).'],
        ['random values', 'p(X, Z) <- n(X), Z = math:rand(). out(Z) <- p(_, Z).'],
        ['what a model converts', "@model(\"p\", \"['x:string', 'y:int', 'l:string']\"). p(X, Y, L) <- e(X, Y, L). out(X) <- p(X, _, _)."],
        ['what has facts', 'p(7, 8, "a"). p(X, Y, L) <- e(X, Y, L). out(X) <- p(X, _, _).'],
        ['what two rules define', 'p(X, Y) <- e(X, Y, _). p(X, X) <- n(X). out(X) <- p(X, _).'],
        ['what a constraint may show', 'p(X, Y, L) <- e(X, Y, L). out(X) <- p(X, _, _). #F <- p(9, _, _).'],
        ['what only constants may be in', 'p(X, Y, L) <- e(X, Y, L), dom(*). out(X) <- p(X, _, _).'],
        ['rows that may become others', 'p(X, Y, L) <- e(X, Y, L). out(X) <- p(X, _, _). X = Y <- n(X), n(Y), X == Y.'],
    ])('%s', (_, rules) => {
        expect(stored(`${FACTS} ${rules} @output("out").`)).toEqual(['p', 'out']);
    });

    test('what somebody may look at, explain or time', () => {
        const text = `${FACTS} p(X, Y, L) <- e(X, Y, L). out(X) <- p(X, _, _). @output("out").`;
        expect(stored(text, {})).toEqual(['p', 'out']);
        for (const options of [{ heights: true }, { profile: true }, { goals: new Set(['p/3', 'out/1']) }]) {
            expect(stored(text, { goalsOnly: true, ...options } as PlanOptions)).toEqual(['p', 'out']);
        }
    });
});

test('a report names the place where the value is computed', async () => {
    const text = `${FACTS} p(X, Y, Z) <- n(X), n(Y), Z = X * 9223372036854775807.
        out(Z) <- p(_, _, Z). @output("out").`;
    const { outcome } = await run(text, { goalsOnly: true });
    const [report] = outcome.reports;
    expect(stored(text)).toEqual(['out']);
    const { place, span } = report?.location ?? {};
    expect([report?.code, text.slice((place?.offset ?? 0) + (span?.start ?? 0), (place?.offset ?? 0) + (span?.end ?? 0))]).toEqual([
        'RT010',
        'X * 9223372036854775807',
    ]);
});
