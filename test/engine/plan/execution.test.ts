import { describe, expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { planOf } from '#engine/engine.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import { programOf } from '../evaluate/run-program.ts';

const EDGES = 'edge(1, 2). ';
const CLOSURE = `${EDGES} path(X, Y) <- edge(X, Y). path(X, Z) <- path(X, Y), edge(Y, Z).`;
const REVERSED = `${EDGES} path(X, Y) <- edge(X, Y). path(X, Z) <- edge(X, Y), path(Y, Z).`;
const NONLINEAR = `${EDGES} path(X, Y) <- edge(X, Y). path(X, Z) <- path(X, Y), path(Y, Z).`;
const SAME = 'par(1, 2). sg(X, Y) <- par(X, P), par(Y, P). sg(X, Y) <- sg(A, B), par(X, A), par(Y, B).';

function planned(text: string, options: Partial<RunOptions> = {}): string {
    return printPlan(planOf(programOf(text), options), options.disabledPasses);
}

/** How the variants of a rule are executed, wherever the plan has the rule. */
function executions(rule: string, text: string, options: Partial<RunOptions> = {}): readonly string[] {
    const lines = planned(text, options).split('\n');
    const isTitle = (line: string): boolean => /^ {2}\S/u.test(line);
    return lines.flatMap((line, at) => {
        if (!isTitle(line) || !line.startsWith(`  ${rule}`)) return [];
        const end = lines.findIndex((other, i) => i > at && (isTitle(other) || other === ''));
        return lines.slice(at + 1, end).flatMap(one => /^ {4}(\S.*):$/u.exec(one)?.[1] ?? []);
    });
}

function without(
    ...disabled: NonNullable<RunOptions['disabledPasses']> extends ReadonlySet<infer Name> ? Name[] : never
): Partial<RunOptions> {
    return { disabledPasses: new Set(disabled) };
}

const BATCHES = 'in batches from 32 rows on, else row by row';

describe('a variant of a rule is executed', () => {
    test.each<[title: string, rule: string, text: string, options: Partial<RunOptions>, expected: readonly string[]]>([
        [
            'following the rows of a source',
            'path(X,Z)',
            CLOSURE,
            {},
            ['for new path/2, in runs of Z from clusters of edge/2, following path/2'],
        ],
        [
            'following the rows of a source in the other column',
            'path(X,Z)',
            REVERSED,
            {},
            ['for new path/2, in runs of X from clusters of edge/2, following path/2'],
        ],
        ['in runs of the last literal', 'path(X,Z)', CLOSURE, without('parts'), ['for new path/2, in runs of Z from clusters of edge/2']],
        ['in runs of new rows', 'path(X,Z)', REVERSED, without('parts'), ['for new path/2, in runs of Z from new rows']],
        [
            'in runs of a relation that grows',
            'path(X,Z)',
            NONLINEAR,
            {},
            [
                'for new path/2, in runs of Z from sets of path/2 if both relations are grouped, else from chains',
                'for new path/2, in runs of Z from new rows',
            ],
        ],
        [
            'in runs of chains where no sets are kept',
            'path(X,Z)',
            NONLINEAR,
            without('grouped-sets'),
            ['for new path/2, in runs of Z from chains of path/2', 'for new path/2, in runs of Z from new rows'],
        ],
        [
            'with one literal met by all new rows at once',
            'sg(X,Y) <- sg',
            SAME,
            {},
            ['for new sg/2, in runs of Y from clusters of par/2, for all new B at once'],
        ],
        ['in batches without runs', 'path(X,Z)', CLOSURE, without('parts', 'runs'), [`for new path/2, ${BATCHES}`]],
        ['row by row without both', 'path(X,Z)', CLOSURE, without('parts', 'runs', 'batches'), ['for new path/2, row by row']],
        ['in batches of three outputs', 'a(X)', `${EDGES} a(X), b(Y) <- edge(X, Y).`, {}, [BATCHES, BATCHES]],
        [
            'in batches that are appended',
            'back(Y,X)',
            `${EDGES} back(Y, X) <- edge(X, Y).`,
            {},
            [`${BATCHES}, appended if back/2 is empty`],
        ],
        [
            'in batches in the order of what an intersection looks for',
            'three(X,Y,Z)',
            `${EDGES} three(X, Y, Z) <- edge(X, Y), edge(Y, Z), edge(X, Z).`,
            {},
            ['in batches by column 0 of edge/2 from 32 rows on, else row by row, appended if three/3 is empty'],
        ],
        [
            'in batches after what only has to have a match',
            'far(X)',
            `${EDGES} node(1). far(X) <- node(X), edge(Y, Z), edge(Z, Y).`,
            {},
            [`${BATCHES}, appended if far/1 is empty`],
        ],
        ['row by row where values are random', 'chance(X,R)', `${EDGES} chance(X, R) <- edge(X, _), R = math:rand().`, {}, ['row by row']],
        [
            'row by row where groups change',
            'n(Y,N)',
            `${EDGES} n(1, 1). n(Y, N) <- n(X, M), edge(X, Y), N = msum(M).`,
            {},
            ['for new n/2, row by row'],
        ],
        [
            'row by row where rows may be rewritten',
            'path(X,Z)',
            `${CLOSURE} X = Y <- edge(X, null), edge(Y, null).`,
            {},
            ['for new path/2, row by row'],
        ],
        [
            'row by row where heights go with every row',
            'start(X)',
            `${EDGES} start(X) <- edge(X, _).`,
            { heights: true },
            ['for new edge/2, row by row'],
        ],
        ['row by row where matches are handed out', '#F <- edge', `${EDGES} #F <- edge(X, X).`, {}, ['row by row']],
    ])('%s', (_, rule, text, options, expected) => {
        expect(executions(rule, text, options)).toEqual(expected);
    });

    test('together with another that begins alike', () => {
        const text = `${EDGES} node(1). a(X, Z) <- edge(X, Y), edge(Y, Z), node(X). b(X, Z) <- edge(X, Y), edge(Y, Z), not node(Z).`;
        expect(planned(text, without('join-order'))).toMatchInlineSnapshot(`
          "passes: shared-prefixes

          stratum 1
            a/2
            b/2
            a(X,Z) <- edge(X,Y), edge(Y,Z), node(X)
            b(X,Z) <- edge(X,Y), edge(Y,Z), not node(Z)
              in batches from 32 rows on, else row by row:
                each edge/2: 0→X, 1→Y
                  each edge/2 by index 0=Y: 1→Z
                    any node/1 with key (X)
                      add a/2 (X, Z)
                    no node/1 with key (Z)
                      add b/2 (X, Z)
          "
        `);
    });
});

describe('a stratum is executed', () => {
    const title = (text: string, options: Partial<RunOptions> = {}): string =>
        planned(text, options)
            .split('\n')
            .find(line => line.startsWith('stratum')) ?? '';
    test.each<[title: string, text: string, options: Partial<RunOptions>]>([
        ['stratum 1 (recursive, source by source)', CLOSURE, {}],
        ['stratum 1 (recursive, source by source)', REVERSED, {}],
        ['stratum 1 (recursive)', CLOSURE, without('parts')],
        ['stratum 1 (recursive, in parts)', `${EDGES} path(X, Y, 1) <- edge(X, Y). path(X, Z, N) <- path(X, Y, N), edge(Y, Z).`, {}],
        ['stratum 1 (recursive, by heights)', CLOSURE, { heights: true }],
        ['stratum 1', `${EDGES} a(X) <- edge(X, _). a(Y) <- edge(_, Y).`, {}],
        ['stratum 1 (each rule by itself)', `${EDGES} a(X) <- edge(X, _). a(Y) <- edge(_, Y).`, without('shared-prefixes')],
        ['stratum 1 (each rule by itself)', `${EDGES} a(X) <- edge(X, _). a(Y) <- edge(_, Y).`, { profile: true }],
    ])('%s: %s', (expected, text, options) => {
        expect(title(text, options)).toBe(expected);
    });

    test('without the rows that nobody looks at', () => {
        const text = `${EDGES} path(X, Y, 1) <- edge(X, Y). path(X, Z, N) <- path(X, Y, N), edge(Y, Z). end(Y) <- path(1, Y, _). @output("end").`;
        expect(title(text, { goalsOnly: true, ...without('magic-sets', 'dead-columns') })).toBe('stratum 1 (recursive, in parts)');
        const forgetting = `${EDGES} held(X, Y) <- edge(X, Y). held(X, Z) <- ctrl(X, Y), edge(Y, Z). ctrl(X, Y) <- held(X, Y), X < Y. @output("ctrl").`;
        expect(title(forgetting, { goalsOnly: true })).toBe('stratum 1 (recursive, in parts without keeping held/2)');
    });
});
