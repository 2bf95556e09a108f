import { describe, expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { planOf } from '#engine/engine.ts';
import { printPlan } from '#engine/plan/print-plan.ts';
import { programOf, run } from '../evaluate/run-program.ts';

function titles(text: string, options: Partial<RunOptions> = {}): string[] {
    const plan = printPlan(planOf(programOf(text), options), options.disabledPasses);
    return plan.split('\n').filter(line => line.startsWith('stratum'));
}

const LINEAR = 'edge(2, 3). edge(3, 4). edge(6, 7). path(X, Z) <- path(X, Y), edge(Y, Z).';
const FACTS = 'path(1, 2). path(5, 6). path(2, 3).';

describe('a recursive predicate that has facts of its own', () => {
    test('is evaluated in parts, which start from its facts too', () => {
        const text = `${FACTS} ${LINEAR} path(X, Y) <- edge(X, Y).`;
        expect(`\n${printPlan(planOf(programOf(text)))}`).toMatchInlineSnapshot(`
          "
          passes: parts

          stratum 1 (recursive, source by source)
            path/2
            path(X,Y) <- edge(X,Y)
              in batches from 32 rows on, else row by row:
                each edge/2: 0→X
                  add parts of path/2 (X)
            the facts of path/2
              in batches from 32 rows on, else row by row:
                each facts of path/2: 0→$0
                  add parts of path/2 ($0)
            path(X,Z) <- path(X,Y), edge(Y,Z)
              for new path/2, in runs of Z from clusters of edge/2, following path/2:
                each delta path/2: 0→X, 1→Y
                  each edge/2 by index 0=Y: 1→Z
                    add path/2 (X, Z)
            path(X,Y) <- edge(X,Y)
              for new parts of path/2, in runs of Y from clusters of edge/2:
                each delta parts of path/2: 0→X
                  each edge/2 by index 0=X: 1→Y
                    add path/2 (X, Y)
            the facts of path/2
              for new parts of path/2, in runs of $1 from clusters of facts of path/2:
                each delta parts of path/2: 0→$0
                  each facts of path/2 by index 0=$0: 1→$1
                    add path/2 ($0, $1)
          "
        `);
    });

    test.each<[string, string, Partial<RunOptions>]>([
        ['the value passes through no rule', `${FACTS} edge(2, 3). path(X, Z) <- path(X, Y), path(Y, Z).`, {}],
        ['a model casts its values', `@model("path", "['from:int', 'to:int']"). ${FACTS} ${LINEAR}`, {}],
        ['heights are kept, which facts and rows have where they are', `${FACTS} ${LINEAR}`, { heights: true }],
        ['the pass is switched off', `${FACTS} ${LINEAR}`, { disabledPasses: new Set(['parts'] as const) }],
    ])('has them in its relation where %s', (_, text, options) => {
        const plan = printPlan(planOf(programOf(text), options), options.disabledPasses);
        expect(plan).not.toContain('facts of path');
    });

    test('has the same facts, counted once', async () => {
        const text = `${FACTS} path(2, 3). ${LINEAR} path(X, X) <- edge(X, 4). ends(Y) <- path(_, Y), not edge(Y, _).`;
        const apart = await run(text);
        const whole = await run(text, { disabledPasses: new Set(['parts']) });
        expect(titles(text)[0]).toBe('stratum 1 (recursive, source by source)');
        expect(apart.facts('path')).toEqual(whole.facts('path'));
        expect(apart.facts('ends')).toEqual(['4', '7']);
        expect(apart.codes).toEqual(whole.codes);
        if (!apart.outcome.ok || !whole.outcome.ok) throw new Error('The run failed');
        expect(apart.outcome.statistics.facts).toBe(whole.outcome.statistics.facts);
    });
});
