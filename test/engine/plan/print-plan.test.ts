import { describe, expect, test } from 'vitest';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { printedPlan } from './printed-plan.ts';

describe('a printed plan shows', () => {
    test('a recursion through a sum with a threshold', () => {
        expect(
            printedPlan(`
                held(X, X, Y, Q) <- own(X, Y, Q), X != Y.
                held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
                total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q).
                ctrl(X, Y) <- total(X, Y, S), S > 50.
                own(1, 2, 60).`),
        ).toMatchInlineSnapshot(`
          "
          passes: parts

          stratum 1 (recursive, in parts, final pass without effect)
            held/4
            total/3: groups by 0, 1; running msum in column 2
            ctrl/2
            held(X,X,Y,Q) <- own(X,Y,Q), X!=Y
              in batches from 32 rows on, else row by row:
                each own/3: 0→X, 1→Y
                  if X != Y
                    add parts of held/4 (X)
            held(X,X,Y,Q) <- own(X,Y,Q), X!=Y
              for new parts of held/4, in batches from 32 rows on, else row by row:
                each delta parts of held/4: 0→X
                  each own/3 by index 0=X: 1→Y, 2→Q
                    if X != Y
                      add held/4 (X, X, Y, Q)
            held(X,Z,Y,Q) <- ctrl(X,Z), own(Z,Y,Q), X!=Y
              for new ctrl/2, in batches from 32 rows on, else row by row:
                each delta ctrl/2: 0→X, 1→Z
                  each own/3 by index 0=Z: 1→Y, 2→Q
                    if X != Y
                      add held/4 (X, Z, Y, Q)
            total(X,Y,S) <- held(X,Z,Y,Q), S=msum(Q)
              for new held/4, in batches from 32 rows on, else row by row:
                each delta held/4: 0→X, 2→Y, 3→Q
                  give total/3 (X, Y): Q per match
            ctrl(X,Y) <- total(X,Y,S), S>50
              for new total/3, row by row:
                each delta total/3 changed: 0→X, 1→Y, 2→S
                  once S > 50
                    add ctrl/2 (X, Y)
          "
        `);
    });

    test('negation, constants and literals of which one match is enough', () => {
        expect(
            printedPlan(`
                edge(1, "red", 2). blocked(1, 1). node(1).
                red(X, Z) <- node(X), edge(X, "red", Y), edge(Y, "red", Z), not blocked(Z, _), X < Z.
                some(X) <- node(X), edge(X, _, _).`),
        ).toMatchInlineSnapshot(`
          "
          stratum 1
            red/2
            red(X,Z) <- node(X), edge(X,"red",Y), edge(Y,"red",Z), not blocked(Z,_), X<Z
              in batches from 32 rows on, else row by row:
                each edge/3: 0→X, 2→Y, 1="red"
                  any node/1 with key (X)
                    each edge/3 by index 0=Y, 1="red": 2→Z
                      if X < Z
                        no blocked/2 by index 0=Z
                          add red/2 (X, Z)

          stratum 2
            some/1
            some(X) <- node(X), edge(X,_,_)
              in batches from 32 rows on, else row by row, appended if some/1 is empty:
                each node/1: 0→X
                  any edge/3 by index 0=X
                    add some/1 (X)
          "
        `);
    });

    test('parts of a body of which one match is enough, those without anything in common with the rest first', () => {
        expect(
            printedPlan(`
                b(1). c(2). d(2, 3). e(3, 1). f(3).
                alone(X) <- b(X), c(Y), d(Y, _).
                near(X) <- b(X), e(Z, X), d(Y, Z), not c(Y), Y > 1.
                last(X) <- b(X), d(X, Y), e(Y, Z), Z / Y > 0.`),
        ).toMatchInlineSnapshot(`
          "
          passes: shared-prefixes

          stratum 1
            alone/1
            alone(X) <- b(X), c(Y), d(Y,_)
              in batches from 32 rows on, else row by row, appended if alone/1 is empty:
                if any match:
                  each c/1: 0→Y
                    any d/2 by index 0=Y
                  each b/1: 0→X
                    add alone/1 (X)

          stratum 2
            near/1
            last/1
            near(X) <- b(X), e(Z,X), d(Y,Z), not c(Y), Y>1
              row by row:
                each b/1: 0→X
                  if any match:
                    each e/2 by index 1=X: 0→Z
                      each d/2 by index 1=Z: 0→Y
                        if Y > 1
                          no c/1 with key (Y)
                    add near/1 (X)
            last(X) <- b(X), d(X,Y), e(Y,Z), Z/Y>0
              in batches from 32 rows on, else row by row:
                each b/1: 0→X
                  each d/2 by index 0=X: 1→Y
                    each e/2 by index 0=Y: 1→Z
                      if Z / Y > 0
                        add last/1 (X)
          "
        `);
    });

    test('a variable that several literals have to satisfy at once', () => {
        expect(
            printedPlan(`
                e(1, 2). e(2, 3). e(1, 3). f(1, "a", 2).
                clique(X, Y, Z, W) <- e(X, Y), e(X, Z), e(Y, Z), e(X, W), f(Y, "a", W), W > Z.`),
        ).toMatchInlineSnapshot(`
          "
          stratum 1
            clique/4
            clique(X,Y,Z,W) <- e(X,Y), e(X,Z), e(Y,Z), e(X,W), f(Y,"a",W), W>Z
              in batches by column 0 of f/3 from 32 rows on, else row by row, appended if clique/4 is empty:
                each f/3: 0→Y, 2→W, 1="a"
                  each X in e/2 (X, Y) and e/2 (X, W)
                    each Z in e/2 (X, Z) and e/2 (Y, Z)
                      if W > Z
                        add clique/4 (X, Y, Z, W)
          "
        `);
    });

    test('a rule whose condition needs an aggregate', () => {
        expect(
            printedPlan(`
                sale("n", 1). cap("n", 5).
                over(R, S - L) <- sale(R, Q), cap(R, L), S = msum(Q), S > L.`),
        ).toMatchInlineSnapshot(`
          "
          stratum 1
            groups of rule 0 for over/2: groups by 0, 1; msum in column 2
            over(R,S-L) <- sale(R,Q), cap(R,L), S=msum(Q), S>L
              in batches from 32 rows on, else row by row:
                each sale/2: 0→R, 1→Q
                  each cap/2 by index 0=R: 1→L
                    give groups of rule 0 for over/2 (R, L): Q per match

          stratum 2
            over/2
            over(R,S-L) <- sale(R,Q), cap(R,L), S=msum(Q), S>L
              in batches from 32 rows on, else row by row:
                each groups of rule 0 for over/2: 0→R, 1→L, 2→$$0
                  S = $$0
                    if S > L
                      $$1 = S - L
                        add over/2 (R, $$1)
          "
        `);
    });

    test('groups that facts and several rules contribute to', () => {
        expect(
            printedPlan(`
                a("x", 1). b("x", 2). t("x", 3).
                t(K, S) <- a(K, V), S = msum(V, <V>).
                t(K, S) <- b(K, V), S = msum(V).`),
        ).toMatchInlineSnapshot(`
          "
          stratum 1
            t/2: groups by 0; msum in column 1
            the facts of t/2
              in batches from 32 rows on, else row by row:
                each facts of t/2: 0→$0, 1→$1
                  give t/2 ($0): $1 per match
            t(K,S) <- a(K,V), S=msum(V,<V>)
              in batches from 32 rows on, else row by row:
                each a/2: 0→K, 1→V
                  give t/2 (K): V per (V)
            t(K,S) <- b(K,V), S=msum(V)
              in batches from 32 rows on, else row by row:
                each b/2: 0→K, 1→V
                  give t/2 (K): V per match
          "
        `);
    });

    test('groups that are changed and read in one recursion', () => {
        expect(
            printedPlan(`
                e(1, 2, 3).
                d(X, Y, D) <- e(X, Y, W), D = mmin(W).
                d(X, Z, D) <- d(X, Y, A), d(Y, Z, B), D = mmin(A + B).
                odd(X) <- d(X, _, D), D > 3, hop(X).
                hop(X) <- odd(X).
                n(X, N) <- e(X, Y, _), N = mcount().
                n(Y, N) <- n(X, M), e(X, Y, _), M == 1, N = mcount().`),
        ).toMatchInlineSnapshot(`
          "
          passes: parts

          stratum 1 (recursive, final pass without effect)
            d/3: groups by 0, 1; running mmin in column 2
            d(X,Y,D) <- e(X,Y,W), D=mmin(W)
              in batches from 32 rows on, else row by row:
                each e/3: 0→X, 1→Y, 2→W
                  give d/3 (X, Y): W per match
            d(X,Z,D) <- d(X,Y,A), d(Y,Z,B), D=mmin(A+B)
              for new d/3, row by row:
                each delta d/3 changed: 0→X, 1→Y, 2→A
                  each d/3 by index 0=Y: 1→Z, 2→B
                    $0 = A + B
                      give d/3 (X, Z): $0 per match
              for new d/3, row by row:
                each delta d/3 changed: 0→Y, 1→Z, 2→B
                  each d/3 by index 1=Y: 0→X, 2→A
                    $0 = A + B
                      give d/3 (X, Z): $0 per match

          stratum 2 (recursive, in parts)
            odd/1
            hop/1
            odd(X) <- d(X,_,D), D>3, hop(X)
              for new hop/1, row by row:
                each delta hop/1: 0→X
                  if any match:
                    each d/3 by index 0=X: 2→D
                      if D > 3
                    add odd/1 (X)
            hop(X) <- odd(X)
              for new odd/1, in batches from 32 rows on, else row by row:
                each delta odd/1: 0→X
                  add hop/1 (X)

          stratum 3 (recursive, final pass needed)
            n/2: groups by 0; running mcount in column 1
            n(X,N) <- e(X,Y,_), N=mcount()
              in batches from 32 rows on, else row by row:
                each e/3: 0→X
                  give n/2 (X): one per match
            n(Y,N) <- n(X,M), e(X,Y,_), M==1, N=mcount()
              for new n/2, row by row:
                each delta n/2 changed: 0→X, 1=1
                  each e/3 by index 0=X: 1→Y
                    give n/2 (Y): one per facts of the match
          "
        `);
    });

    test('parts of joins that become relations of their own', () => {
        expect(
            printedPlan(`
                alloc(1, 2). load(1, 2). store(1, 2).
                pt(X, O) <- alloc(X, O).
                pt(X, O) <- load(X, Y), pt(Y, P), pt(P, O), X != P.
                pt(P, O) <- store(X, Y), pt(X, P), pt(Y, O).`),
        ).toMatchInlineSnapshot(`
          "
          passes: helper-relations

          stratum 1 (recursive)
            helper 1 of pt/2
            helper 2 of pt/2
            pt/2
            pt(X,O) <- alloc(X,O)
              in batches from 32 rows on, else row by row, appended if pt/2 is empty:
                each alloc/2: 0→X, 1→O
                  add pt/2 (X, O)
            pt(X,O) <- load(X,Y), pt(Y,P), pt(P,O), X!=P
              for new pt/2, in batches from 32 rows on, else row by row:
                each delta pt/2: 0→Y, 1→P
                  each load/2 by index 1=Y: 0→X
                    if X != P
                      add helper 1 of pt/2 (X, P)
            pt(X,O) <- load(X,Y), pt(Y,P), pt(P,O), X!=P
              for new helper 1 of pt/2, in runs of O from sets of pt/2 if both relations are grouped, else from chains:
                each delta helper 1 of pt/2: 0→X, 1→P
                  each old pt/2 by index 0=P: 1→O
                    add pt/2 (X, O)
              for new pt/2, in runs of O from new rows:
                each delta pt/2: 0→P, 1→O
                  each helper 1 of pt/2 by index 1=P: 0→X
                    add pt/2 (X, O)
            pt(P,O) <- store(X,Y), pt(X,P), pt(Y,O)
              for new pt/2, in runs of P from new rows:
                each delta pt/2: 0→X, 1→P
                  each store/2 by index 0=X: 1→Y
                    add helper 2 of pt/2 (Y, P)
            pt(P,O) <- store(X,Y), pt(X,P), pt(Y,O)
              for new helper 2 of pt/2, in runs of O from sets of pt/2 if both relations are grouped, else from chains:
                each delta helper 2 of pt/2: 0→Y, 1→P
                  each old pt/2 by index 0=Y: 1→O
                    add pt/2 (P, O)
              for new pt/2, in runs of O from new rows:
                each delta pt/2: 0→Y, 1→O
                  each helper 2 of pt/2 by index 0=Y: 1→P
                    add pt/2 (P, O)
          "
        `);
    });

    test('every pass switched off', () => {
        expect(
            printedPlan(
                `
                edge(1, "red", 2). node(1).
                red(X) <- node(X), edge(X, "red", Y), X < 3, edge(Y, _, _).
                d(X, D) <- node(X), D = mmin(0).
                d(Y, D) <- d(X, C), edge(X, _, Y), D = mmin(C + 1).
                s(S) <- d(_, D), S = msum(D).`,
                ...PASSES,
            ),
        ).toMatchInlineSnapshot(`
          "
          stratum 1
            red/1
            red(X) <- node(X), edge(X,"red",Y), X<3, edge(Y,_,_)
              row by row:
                each node/1: 0→X
                  each edge/3 by index 0=X: 2→Y, 1="red"
                    each edge/3 by index 0=Y
                      if X < 3
                        add red/1 (X)

          stratum 2 (recursive, final pass needed)
            d/2: groups by 0; recomputed mmin in column 1
            d(X,D) <- node(X), D=mmin(0)
              row by row:
                each node/1: 0→X
                  give d/2 (X): 0 per match
            d(Y,D) <- d(X,C), edge(X,_,Y), D=mmin(C+1)
              for new d/2, row by row:
                each delta d/2 changed: 0→X, 1→C
                  each edge/3 by index 0=X: 2→Y
                    $0 = C + 1
                      give d/2 (Y): $0 per match

          stratum 3
            s/1: one group; msum in column 0
            s(S) <- d(_,D), S=msum(D)
              row by row:
                each d/2: 1→D
                  give s/1 (): D per facts of the match
          "
        `);
    });

    test('the nulls of existential variables, and the parents of facts in derivation trees', () => {
        expect(
            printedPlan(`
                parent(X, Y), person(Y) <- person(X).
                kin(_, X, X + 1) <- person(X).
                total(R, Z, S) <- sale(R, Q), S = msum(Q).
                person("ann"). sale("r", 1).`),
        ).toMatchInlineSnapshot(`
          "
          stratum 1 (recursive)
            person/1
            parent(X,Y), person(Y) <- person(X)
              for new person/1, row by row:
                each delta person/1: 0→X
                  Y invented for (X)
                    add person/1 (Y) below person/1

          stratum 2
            parent/2
            parent(X,Y), person(Y) <- person(X)
              row by row:
                each person/1: 0→X
                  Y invented for (X)
                    add parent/2 (X, Y) below person/1

          stratum 3
            kin/3
            kin(_,X,X+1) <- person(X)
              row by row:
                each person/1: 0→X
                  $0 = X + 1
                    _1 invented for (X)
                      add kin/3 (_1, X, $0) below person/1

          stratum 4
            total/3: groups by 0, 1; msum in column 2
            total(R,Z,S) <- sale(R,Q), S=msum(Q)
              row by row:
                each sale/2: 0→R, 1→Q
                  Z invented for (R)
                    give total/3 (R, Z): Q per match
          "
        `);
    });
});

describe('a printed plan tells whether a pass is on', () => {
    const SUMS =
        'own(1, 2, 60). total(X, Y, S) <- own(X, Y, Q), S = msum(Q). total(X, Y, S) <- ctrl(X, Z), own(Z, Y, Q), S = msum(Q, <Z>).';
    test.each<[PassName, string, string, string]>([
        [
            'live-cardinalities',
            'sg(X, Y) <- sg(U, V), up(X, U), up(Y, V). sg(1, 2). up(1, 2).',
            '(recursive, joins ordered anew)',
            '(recursive)',
        ],
        ['anti-join-indexes', 'r(X) <- b(X, Y), not p(X, _), not p(X, Y). b(1, 1). p(1, 2).', 'no p/2 by index 0=X', 'no p/2: 0=X'],
        ['anti-join-indexes', 'r(X) <- b(X, Y), not p(X, _), not p(X, Y). b(1, 1). p(1, 2).', 'no p/2 with key (X, Y)', 'no p/2: 0=X, 1=Y'],
        ['running-totals', `${SUMS} ctrl(X, Y) <- total(X, Y, S), S > 50.`, ' running msum in', ' recomputed msum in'],
        ['threshold-firing', `${SUMS} ctrl(X, Y) <- total(X, Y, S), S > 50.`, 'once S > 50', 'if S > 50'],
        ['threshold-firing', `${SUMS} ctrl(X, Y) <- total(X, Y, S), T = S + X, T > Y, X < Y.`, 'once X < Y and T > Y', 'if T > Y'],
        ['threshold-firing', `${SUMS} ctrl(X, Y) <- total(X, Y, _).`, 'once\n', 'changed: 0→X, 1→Y\n        add'],
    ])('%s: %s', (pass, text, on, off) => {
        expect(printedPlan(text)).toContain(on);
        expect(printedPlan(text)).not.toContain(off);
        expect(printedPlan(text, pass)).toContain(off);
        expect(printedPlan(text, pass)).not.toContain(on);
    });

    test.each([
        ['a result that the head has', 'ctrl(X, S) <- total(X, Y, S), S > 50.'],
        ['a result that is joined', 'ctrl(X, Y) <- total(X, Y, S), own(Y, _, S).'],
        ['a condition on what is joined too', 'ctrl(X, Y) <- total(X, Y, S), own(Y, X, Q), S > Q.'],
        ['a value that is new for each match', 'ctrl(X, Y) <- total(X, Y, S), S > 50, Y = math:rand().'],
    ])('every change fires for %s', (_, rule) => {
        expect(printedPlan(`${SUMS} ${rule}`)).not.toContain('once');
    });
});
