import { describe, expect, test } from 'vitest';
import { planOf } from '#engine/engine.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import type { PassName } from '#engine/plan/program-passes.ts';
import { programOf, run } from '../evaluate/run-program.ts';

/** Nobody looks at anything but outputs, and predicates are not put into the rules that read them. */
const OPTIONS = { goalsOnly: true, disabledPasses: new Set<PassName>(['rule-inlining']) };

function printed(text: string): string {
    return `\n${printPlan(planOf(programOf(text), OPTIONS))}`;
}

/** The numbers of columns that derived relations have, of those that lost some. */
function narrowed(text: string): Record<string, number> {
    const { relations } = planOf(programOf(text), OPTIONS);
    const own = [...relations.values()].filter(({ internal, arity, predicate }) => !internal && arity < predicate.arity);
    return Object.fromEntries(own.map(({ predicate, arity }) => [predicate.name, arity]));
}

const FACTS = 'e(1, 2, "a"). e(2, 3, "b"). e(3, 2, "a"). n(1). n(2). n(7).';

test('a recursion without the columns that it only carries along', () => {
    expect(
        printed(`${FACTS}
            path(X, Y, L) <- e(X, Y, L).
            path(X, Z, L) <- path(X, Y, L), e(Y, Z, _).
            reached(Y) <- path(_, Y, _).
            @output("reached").`),
    ).toMatchInlineSnapshot(`
      "
      passes: dead-columns, magic-sets

      stratum 1 (recursive)
        path/3: only Y
        path(X,Y,L) <- e(X,Y,L)
          in batches from 32 rows on, else row by row:
            each e/3: 1→Y
              add path/3 (Y)
        path(X,Z,L) <- path(X,Y,L), e(Y,Z,_)
          for new path/3, in batches from 32 rows on, else row by row:
            each delta path/3: 0→Y
              each e/3 by index 0=Y: 1→Z
                add path/3 (Z)

      stratum 2
        reached/1
        reached(Y) <- path(_,Y,_)
          in batches from 32 rows on, else row by row, appended if reached/1 is empty:
            each path/3: 0→Y
              add reached/1 (Y)
      "
    `);
});

test.each([
    ['what a rule only passes on to such a column', 'p(X, Y, L) <- e(X, Y, L). q(Y, L) <- p(_, Y, L). out(Y) <- q(Y, _).', { p: 1, q: 1 }],
    ['what is computed for nobody', 'p(X, N) <- e(X, Y, _), N = Y + 1. out(X) <- p(X, _).', { p: 1 }],
    [
        'a label of which the smallest is looked for in another column',
        'p(X, Y, L) <- e(X, Y, L). out(X, N) <- p(X, Y, _), N = mmin(Y).',
        { p: 2 },
    ],
    ['what is counted by contributors', 'p(X, Y, L) <- e(X, Y, L). out(X, N) <- p(X, Y, _), N = mcount(1, <Y>).', { p: 2 }],
    [
        'by whom the smallest share is held, in a recursion through it',
        'h(X, X, Y, Q) <- e(X, Y, _), Q = X + Y. h(X, Z, Y, Q) <- c(X, Z), e(Z, Y, _), Q = X + Z + Y. m(X, Y, S) <- h(X, Z, Y, Q), S = mmin(Q). c(X, Y) <- m(X, Y, S), S < 9. out(X, Y) <- c(X, Y).',
        { h: 3 },
    ],
    ['what a negated atom does not ask', 'p(X, L) <- e(X, _, L). out(X) <- n(X), not p(X, _).', { p: 1 }],
    ['the label beside a computed value that is denied', 'p(X, Y, L) <- e(X, Y, L). out(X) <- n(X), N = X + 1, not p(N, _, _).', { p: 1 }],
    ['the label beside a computed value that is looked for', 'p(X, Y, L) <- e(X, Y, L). out(X) <- n(X), N = X + 1, p(X, N, _).', { p: 2 }],
    ['all columns but one of what is only asked to be there', 'p(X, Y) <- e(X, Y, _). out(X) <- n(X), p(_, _).', { p: 1 }],
])('goes: %s', async (_, rules, expected) => {
    const text = `${FACTS} ${rules} @output("out").`;
    expect(narrowed(text)).toEqual(expected);
    const whole = await run(text);
    const { facts } = await run(text, OPTIONS);
    expect(facts('out')).toEqual(whole.facts('out'));
    expect(facts('out')).not.toEqual([]);
});

describe('stays where', () => {
    test.each([
        ['rows are counted', 'p(X, Y, L) <- e(X, Y, L). out(X, N) <- p(X, _, _), N = mcount().'],
        ['rows are summed', 'p(X, Y, L) <- e(X, Y, L). out(L, N) <- p(_, Y, L), N = msum(Y).'],
        ['a join, a constant or a condition reads it', 'p(X, Y, L) <- e(X, Y, L). out(1) <- p(X, Y, "a"), n(X), Y > 1.'],
        ['a value is made for each row', 'p(X, L) <- e(X, _, L). out(X, null) <- p(X, _).'],
        ['nulls are made for it', 'p(X, Z) <- n(X). out(X) <- p(X, _).'],
        ['a model converts it', '@model("p", "[\'x:int\', \'l:int\']"). p(X, L) <- e(X, _, L). out(X) <- p(X, _).'],
        ['it has facts', 'p(7, 8). p(X, Y) <- e(X, Y, _). out(X) <- p(X, _).'],
        ['a constraint may show it', 'p(X, Y) <- e(X, Y, _). out(X) <- p(X, _). #F <- p(7, _).'],
        ['a relation function reads it', 'p(X, Y, L) <- e(X, Y, L). t(X, Y) <- #TC(p). out(X) <- t(X, X), p(X, _, _).'],
        ['unknown values may become known', 'p(X, L) <- e(X, _, L). out(X) <- p(X, _). X = Y <- n(X), n(Y), X == Y.'],
    ])('%s', (_, rules) => {
        expect(narrowed(`${FACTS} ${rules} @output("out").`)).toEqual({});
    });

    test('somebody may look at it', () => {
        const program = programOf(`${FACTS} p(X, L) <- e(X, _, L). out(X) <- p(X, _). @output("out").`);
        const arity = (options: Parameters<typeof planOf>[1]): unknown =>
            [...planOf(program, options).relations.values()].find(({ key }) => key === 'p/2')?.arity;
        expect([arity({}), arity({ ...OPTIONS, heights: true }), arity(OPTIONS)]).toEqual([2, 2, 1]);
    });
});

test('what is computed for a column that goes still ends the run', async () => {
    const { codes } = await run(`${FACTS} p(X, N) <- e(X, Y, _), N = 6 / (Y - 2). out(X) <- p(X, _). @output("out").`, OPTIONS);
    expect(codes).toContain('RT011');
});

test('a recursion of which no rule is left', async () => {
    const { facts } = await run('n(1). p(Y, Y) <- p(W, Y). r(Y) <- p(_, Y). t(X) <- n(X), not r(X). @output("t").', { goalsOnly: true });
    expect(facts('t')).toEqual(['1']);
});
