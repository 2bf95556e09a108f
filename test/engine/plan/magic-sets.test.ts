import { describe, expect, test } from 'vitest';
import { printedPlan } from './printed-plan.ts';

/** The relations that hold what others are asked for, one line for each rule that fills them. */
function questions(text: string): string[] {
    const lines = printedPlan(text).split('\n');
    return lines.map(line => line.trim()).filter(line => line.startsWith('add asked'));
}

const GRAPH = `
    edge(1, 2). edge(2, 3). edge(3, 1). up(1, 2). flat(2, 2). down(2, 3).
    path(X, Y) <- edge(X, Y).
    path(X, Z) <- path(X, Y), edge(Y, Z).
    sg(X, Y) <- flat(X, Y).
    sg(X, Y) <- up(X, U), sg(U, V), down(V, Y).
    @output("ans").`;

describe('a question is', () => {
    test('handed on by what a rule reads before its recursive literal', () => {
        expect(
            printedPlan(`
                up(1, 2). flat(2, 2). down(2, 3).
                sg(X, Y) <- flat(X, Y).
                sg(X, Y) <- up(X, U), sg(U, V), down(V, Y).
                ans(Y) <- sg(1, Y).
                @output("ans").`),
        ).toMatchInlineSnapshot(`
          "
          passes: magic-sets, live-cardinalities

          stratum 1 (recursive)
            asked of sg/2 by 0
            ans(Y) <- sg(1,Y)
              row by row:
                add asked of sg/2 by 0 (1)
            sg(X,Y) <- up(X,U), sg(U,V), down(V,Y)
              for new asked of sg/2 by 0, in batches from 32 rows on, else row by row:
                each delta asked of sg/2 by 0: 0→X
                  each up/2 by index 0=X: 1→U
                    add asked of sg/2 by 0 (U)

          stratum 2 (recursive, joins ordered anew)
            sg/2
            sg(X,Y) <- flat(X,Y)
              in runs of Y from clusters of flat/2:
                each asked of sg/2 by 0: 0→X
                  each flat/2 by index 0=X: 1→Y
                    add sg/2 (X, Y)
            sg(X,Y) <- up(X,U), sg(U,V), down(V,Y)
              for new sg/2, in runs of Y from clusters of down/2, for all new V at once:
                each delta sg/2: 0→U, 1→V
                  each up/2 by index 1=U: 0→X
                    any asked of sg/2 by 0 with key (X)
                      each down/2 by index 0=V: 1→Y
                        add sg/2 (X, Y)

          stratum 3
            ans/1
            ans(Y) <- sg(1,Y)
              in batches from 32 rows on, else row by row, appended if ans/1 is empty:
                each sg/2: 1→Y, 0=1
                  add ans/1 (Y)
          "
        `);
    });

    test('all there is to the parts of a recursion, of sums too', () => {
        expect(
            printedPlan(`
                own(1, 2, 60).
                held(X, X, Y, Q) <- own(X, Y, Q), X != Y.
                held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
                total(X, Y, S) <- held(X, _, Y, Q), S = msum(Q).
                ctrl(X, Y) <- total(X, Y, S), S > 50.
                ans(Y) <- ctrl(1, Y).
                @output("ans").`),
        ).toMatchInlineSnapshot(`
          "
          passes: magic-sets, parts

          stratum 1
            out of range in held/4
            held(X,X,Y,Q) <- own(X,Y,Q), X!=Y
              row by row:
                if any match:
                  each own/3: 2→$value
                    if $value < 0
                  add out of range in held/4 ()

          stratum 2
            asked of ctrl/2 by 0
            ans(Y) <- ctrl(1,Y)
              row by row:
                add asked of ctrl/2 by 0 (1)
            held(X,X,Y,Q) <- own(X,Y,Q), X!=Y
              row by row:
                any out of range in held/4 with key ()
                  each own/3: 0→X, 1→Y
                    if X != Y
                      add asked of ctrl/2 by 0 (X)

          stratum 3 (recursive, in parts, final pass without effect)
            held/4
            total/3: groups by 0, 1; running msum in column 2
            ctrl/2
            held(X,X,Y,Q) <- own(X,Y,Q), X!=Y
              row by row:
                each asked of ctrl/2 by 0: 0→X
                  if any match:
                    each own/3 by index 0=X: 1→Y
                      if X != Y
                    add parts of held/4 (X)
            held(X,X,Y,Q) <- own(X,Y,Q), X!=Y
              for new parts of held/4, in batches from 32 rows on, else row by row:
                each delta parts of held/4: 0→X
                  any asked of ctrl/2 by 0 with key (X)
                    each own/3 by index 0=X: 1→Y, 2→Q
                      if X != Y
                        add held/4 (X, X, Y, Q)
            held(X,Z,Y,Q) <- ctrl(X,Z), own(Z,Y,Q), X!=Y
              for new ctrl/2, in batches from 32 rows on, else row by row:
                each delta ctrl/2: 0→X, 1→Z
                  each own/3 by index 0=Z: 1→Y, 2→Q
                    if X != Y
                      add held/4 (X, Z, Y, Q)
            total(X,Y,S) <- held(X,_,Y,Q), S=msum(Q)
              for new held/4, in batches from 32 rows on, else row by row:
                each delta held/4: 0→X, 2→Y, 3→Q
                  give total/3 (X, Y): Q per match
            ctrl(X,Y) <- total(X,Y,S), S>50
              for new total/3, row by row:
                each delta total/3 changed: 0→X, 1→Y, 2→S
                  once S > 50
                    add ctrl/2 (X, Y)

          stratum 4
            ans/1
            ans(Y) <- ctrl(1,Y)
              in batches from 32 rows on, else row by row, appended if ans/1 is empty:
                each ctrl/2: 1→Y, 0=1
                  add ans/1 (Y)
          "
        `);
    });

    test('asked again with what a recursion with two recursive literals finds', () => {
        expect(
            printedPlan(`
                edge(1, 2).
                path(X, Y) <- edge(X, Y).
                path(X, Z) <- path(X, Y), path(Y, Z).
                ans(Y) <- path(1, Y).
                @output("ans").`),
        ).toMatchInlineSnapshot(`
          "
          passes: magic-sets

          stratum 1 (recursive)
            asked of path/2 by 0
            path/2
            ans(Y) <- path(1,Y)
              row by row:
                add asked of path/2 by 0 (1)
            path(X,Z) <- path(X,Y), path(Y,Z)
              for new path/2, in batches from 32 rows on, else row by row:
                each delta path/2: 1→Y
                  add asked of path/2 by 0 (Y)
            path(X,Y) <- edge(X,Y)
              for new asked of path/2 by 0, in runs of Y from clusters of edge/2:
                each delta asked of path/2 by 0: 0→X
                  each edge/2 by index 0=X: 1→Y
                    add path/2 (X, Y)
            path(X,Z) <- path(X,Y), path(Y,Z)
              for new path/2, in runs of Z from sets of path/2 if both relations are grouped, else from chains:
                each delta path/2: 0→X, 1→Y
                  each old path/2 by index 0=Y: 1→Z
                    add path/2 (X, Z)
              for new path/2, in runs of Z from new rows:
                each delta path/2: 0→Y, 1→Z
                  each path/2 by index 1=Y: 0→X
                    add path/2 (X, Z)

          stratum 2
            ans/1
            ans(Y) <- path(1,Y)
              in batches from 32 rows on, else row by row, appended if ans/1 is empty:
                each path/2: 1→Y, 0=1
                  add ans/1 (Y)
          "
        `);
    });

    test.each([
        [
            'several constants',
            'ans(Y) <- path(1, Y). ans(Y) <- path(2 + 1, Y), not path(4, Y).',
            ['(1)', '(3)', '(4)'].map(of('path', '0')),
        ],
        ['the last column', 'ans(X) <- sg(X, 3).', [of('sg', '1')('(3)'), of('sg', '1')('(V)')]],
        ['two columns', 'ans(1) <- sg(1, 3).', ['(1, 3)', '(U, V)'].map(of('sg', '0, 1'))],
        ['what a parameter holds', '@param("from", 1). ans(Y) <- path(?from, Y).', [of('path', '0')('(?from)')]],
        ['what a literal finds', 'ans(Y) <- edge(1, X), edge(X, Z), path(Z, Y).', [of('path', '0')('(Z)')]],
        ['what others ask', 'mid(X, Y) <- edge(X, Z), path(Z, Y). ans(Y) <- mid(1, Y).', [of('mid', '0')('(1)'), of('path', '0')('(Z)')]],
        ['a group', 'n(X, C) <- path(X, _), C = mcount(). ans(C) <- n(1, C).', [of('n', '0')('(1)'), of('path', '0')('(X)')]],
        ['a constraint', '#F <- path(1, Y), Y > 5. ans(X) <- edge(X, 1).', [of('path', '0')('(1)')]],
        ['a condition', 'ans(Y) <- path(X, Y), X == 2 + 1.', [of('path', '0')('(3)')]],
    ])('for %s', (_, text, expected) => {
        expect(questions(GRAPH + text).sort()).toEqual([...expected].sort());
    });

    test.each([
        ['a predicate is an output', 'ans(Y) <- path(1, Y). @output("path").'],
        ['a rule reads all of it', 'ans(Y) <- path(1, Y). ans(X) <- path(X, _).'],
        ['what is left out could end the run', 'path(X, X) <- edge(X, Y), Y / X > 1. ans(Y) <- path(1, Y).'],
        ['a relation function reads it', 'ans(X, Y) <- #TC(path). ans(X, Y) <- path(1, Y), edge(X, Y).'],
        ['its rules make nulls', 'path(X, Z) <- edge(X, 3). ans(Y) <- path(1, Y).'],
        ['an aggregate is asked for its result', 'n(X, C) <- path(X, _), C = mcount(). ans(X) <- n(X, 2).'],
        [
            'sums may get negative values that nothing tells',
            's(X, S) <- edge(X, Y), S = msum(Y). s(X, S) <- s(Y, T), edge(X, Y), V = T - 1, S = msum(V). ans(S) <- s(1, S).',
        ],
    ])('not asked where %s', (_, text) => {
        expect(questions(GRAPH + text)).toEqual([]);
    });

    test('not asked without the pass', () => {
        expect(printedPlan(`${GRAPH} ans(Y) <- path(1, Y).`, 'magic-sets')).not.toContain('asked');
    });
});

function of(predicate: string, columns: string): (values: string) => string {
    return values => `add asked of ${predicate}/2 by ${columns} ${values}`;
}
