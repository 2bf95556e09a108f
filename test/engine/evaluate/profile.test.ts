import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import type { PassName } from '#engine/plan/program-passes.ts';
import { programOf, RUN_OPTIONS } from './run-program.ts';

// Paths: (1,2) (2,3) (3,4) (1,3), then (2,4) and (1,4). Each is the delta once: (1,2) gives (1,3) again, (2,3) gives (2,4),
// (1,3) gives (1,4), and nothing leaves 4.
const PATHS = `
edge(1, 2). edge(2, 3). edge(3, 4). edge(1, 3).
path(X, Y) <- edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z).
total(X, N) <- path(X, Y), N = mcount().
`;

describe('a profile counts exactly', () => {
    for (const disabled of [[], ['parts'], ['runs'], ['parts', 'runs', 'grouped-sets']] as PassName[][]) {
        test(`closure and groups without ${disabled.join(', ') || 'nothing'}`, async () => {
            expect(await counts(PATHS, disabled)).toEqual([
                'path(X,Y) <- edge(X,Y): 4 tried, 4 kept',
                'path(X,Z) <- path(X,Y), edge(Y,Z): 3 tried, 2 kept',
                'total(X,N) <- path(X,Y), N=mcount(): 6 tried, 3 kept',
            ]);
        });
    }

    test('conditions and negation come before what is tried', async () => {
        const text = 'a(1). a(2). a(3). b(2). b(7). keep(1) <- a(X), X < 3, not b(X). last(X, Y) <- a(X), a(Y), X < Y.';
        expect(await counts(text)).toEqual([
            'keep(1) <- a(X), X<3, not b(X): 1 tried, 1 kept',
            'last(X,Y) <- a(X), a(Y), X<Y: 3 tried, 3 kept',
        ]);
    });

    test('same generation, whose matches are collected before they are added', async () => {
        // Siblings: all pairs of (2,3) and (4,5), 8 in all; then children of pairs: (4|5) x (4|5) from (2,2), 4 more, all known.
        const text = `par(2, 1). par(3, 1). par(4, 2). par(5, 2).
            sg(X, Y) <- par(X, P), par(Y, P).
            sg(X, Y) <- sg(A, B), par(X, A), par(Y, B).`;
        expect(await counts(text)).toEqual([
            'sg(X,Y) <- par(X,P), par(Y,P): 8 tried, 8 kept',
            'sg(X,Y) <- sg(A,B), par(X,A), par(Y,B): 4 tried, 0 kept',
        ]);
    });
});

test('a rule has its place, its stratum, the order of its loops, and the rounds that had something for it', async () => {
    const rules = await profile(PATHS, ['parts']);
    const [first, closure, total] = rules;
    expect(rules.map(({ stratum, internal }) => [stratum, internal])).toEqual([
        [1, false],
        [1, false],
        [2, false],
    ]);
    expect(first?.variants.map(({ runs }) => runs)).toEqual([1]);
    expect(closure?.variants).toMatchObject([
        { delta: 'path/2', runs: 2, steps: ['each delta path/2: 0→X, 1→Y', '  each edge/2 by index 0=Y: 1→Z', '    add path/2 (X, Z)'] },
    ]);
    expect(total?.location.place.line).toBe(4);
});

test('time is that of the clock', async () => {
    let now = 0;
    const outcome = await evaluate(programOf('a(1). b(X) <- a(X).'), { ...RUN_OPTIONS, profile: true, clock: () => now++ });
    expect(outcome.ok && outcome.statistics.rules?.[0]?.variants[0]?.milliseconds).toBe(1);
});

test('without a profile there are no counts', async () => {
    const outcome = await evaluate(programOf(PATHS), RUN_OPTIONS);
    expect(outcome.ok && outcome.statistics).not.toHaveProperty('rules');
});

async function counts(text: string, disabled: readonly PassName[] = []): Promise<string[]> {
    const rules = (await profile(text, disabled)).filter(({ internal }) => !internal);
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
    return rules
        .map(
            ({ rule, variants }) =>
                `${rule}: ${sum(variants.map(one => one.tried))} tried, ${sum(variants.map(one => one.kept ?? 0))} kept`,
        )
        .sort();
}

async function profile(text: string, disabled: readonly PassName[]) {
    const outcome = await evaluate(programOf(text), { ...RUN_OPTIONS, profile: true, disabledPasses: new Set(disabled) });
    if (!outcome.ok) throw new Error(outcome.reports.map(({ message }) => message).join('\n'));
    return outcome.statistics.rules ?? [];
}
