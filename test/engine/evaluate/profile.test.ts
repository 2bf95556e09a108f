import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { atomProfiles, profileReports } from '#engine/explain/profile-reports.ts';
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

describe('what comes to each atom and goes on', () => {
    const ROWS = Array.from({ length: 60 }, (_, i) => `e(${i % 12}, ${i % 7}). f(${i % 7}, ${i % 5}).`).join(' ');
    const JOINS = `${ROWS}
        two(X, Z) <- e(X, Y), f(Y, Z), not f(X, Z), X > 1.
        three(X, Y, Z) <- e(X, Y), e(Y, Z), e(X, Z).
        far(X, Y) <- e(X, Y).
        far(X, Z) <- far(X, Y), e(Y, Z).
        same(X, Y) <- f(X, P), f(Y, P).
        same(X, Y) <- same(A, B), e(X, A), e(Y, B).
        count(X, N) <- e(X, Y), f(Y, _), N = mcount().`;

    test('is the same however the loops are run', async () => {
        const rowByRow = atoms(await profile(JOINS, ['runs', 'batches', 'parts']));
        expect(rowByRow).toEqual(
            expect.arrayContaining(['f(Y, Z): 35 rows', 'e(X, Y): 35 → 300', 'f(X, Z): 250 → 125', 'e(Y, Z): 84 → 420']),
        );
        expect(atoms(await profile(JOINS, ['runs', 'parts']))).toEqual(rowByRow);
        // In runs, the values that one literal has for many rows are collected before the other one is read.
        const collected = ['e(X, A): 144 → 720', 'e(Y, B): 720 → 3600'];
        expect(rowByRow.slice(-2)).toEqual(collected);
        const inRuns = [...rowByRow.slice(0, -2), 'e(Y, B): 144 → 720', 'e(X, A): 720 → 3600'];
        expect(atoms(await profile(JOINS, ['batches', 'parts']))).toEqual(inRuns);
        expect(atoms(await profile(JOINS, ['parts']))).toEqual(inRuns);
    });

    test('in a closure: the rows that are new, and their successors', async () => {
        const found = atoms(await profile(PATHS, ['parts']));
        expect(found).toEqual(['edge(X, Y): 4 rows', 'path(X, Y): 6 rows', 'edge(Y, Z): 6 → 3', 'path(X, Y): 6 rows']);
        expect(atoms(await profile(PATHS, []))).toEqual(found);
    });

    test('stands behind the loops that are printed', async () => {
        const [first] = await profile('a(1). a(2). a(3). b(2). keep(X) <- a(X), X < 3, not b(X).', []);
        expect(first?.variants.map(({ steps, matches }) => steps.map((step, i) => `${step.trim()}: ${matches[i]}`))).toEqual([
            ['each a/1: 0→X: 3', 'if X < 3: 2', 'no b/1 with key (X): 1', 'add keep/1 (X): undefined'],
        ]);
    });
});

describe('what a profile finds', () => {
    const NUMBERS = Array.from({ length: 1001 }, (_, i) => `n(${i}).`).join(' ');

    test('a join that multiplies, and none that reads a relation once', async () => {
        expect(await findings(`${NUMBERS} pairs(X, Y) <- n(X), n(Y), X < Y.`)).toEqual([
            'RT100 n(Y) makes 1,002,001 matches of 1,001, 1,001 of each',
        ]);
        expect(await findings(`${NUMBERS} one(1). all(X, Y) <- one(X), n(Y).`)).toEqual([]);
    });

    test('what stops a rule, and the atom that nothing meets', async () => {
        const text = `a(1). a(2). b(3). b(4). b(5).
            met(X) <- a(X), b(X).
            high(X) <- a(X), X > 2.
            rest(X) <- a(X), not a(_), X > 0.
            next(X) <- high(X).
            fires(X) <- a(X), b(Y), X < Y.`;
        expect(await findings(text)).toEqual([
            'RT102 This rule never fired: no row meets b(X) beside the 2 matches before it',
            'RT101 No row of 3 meets b(X) beside the 2 matches before it',
            'RT102 This rule never fired: X > 2 holds for none of the 2 matches before it',
            'RT102 This rule never fired: a(_) has rows',
            'RT102 This rule never fired: high(X) has no rows',
        ]);
    });

    test('behind groups and helper relations, which are no atoms of the program', async () => {
        const text = `a(1, 2). b(7).
            total(X, N) <- a(X, Y), b(Y), N = msum(Y).
            @output("total").`;
        expect(await findings(text)).toEqual([
            expect.stringMatching(/^RT102 This rule never fired: no row meets [ab]\(/u),
            expect.stringMatching(/^RT101 No row of 1 meets [ab]\(/u),
        ]);
    });
});

function atoms(rules: Awaited<ReturnType<typeof profile>>): string[] {
    return atomProfiles(rules).map(({ text, read, from, to }) => {
        const began = read === undefined ? [] : [`${read} rows`];
        return `${text}: ${[...began, ...(from === undefined ? [] : [`${from} → ${to}`])].join(', ')}`;
    });
}

async function findings(text: string): Promise<string[]> {
    const outcome = await evaluate(programOf(text), { ...RUN_OPTIONS, profile: true });
    if (!outcome.ok) throw new Error(outcome.reports.map(({ message }) => message).join('\n'));
    const { database, statistics } = outcome;
    return profileReports(statistics.rules ?? [], key => database.relation(key)?.count).map(({ code, message }) => `${code} ${message}`);
}
