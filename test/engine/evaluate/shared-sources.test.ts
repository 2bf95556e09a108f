import { expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import type { FollowedBlock, RunTeam } from '#engine/contracts/team.ts';
import { followBlocks, SourceFollower } from '#engine/evaluate/follow-sources.ts';
import { fc } from '../../support/fast-check.ts';
import { run } from './run-program.ts';

/** A team whose threads have done their blocks before the first is taken; says how many blocks there were. */
function doneBefore(shares: readonly boolean[], shared: { blocks: number }): RunTeam {
    return {
        much: 1,
        follow: work => {
            const follower = new SourceFollower(structuredClone(work));
            const found = Array.from({ length: followBlocks(work) }, (_, block): FollowedBlock | undefined =>
                shares[block % shares.length] === true ? structuredClone(follower.follow(block)) : undefined,
            );
            shared.blocks += found.length;
            return {
                take: block => {
                    const result = found[block];
                    return Promise.resolve(result && { thread: 1, result });
                },
                end: () => Promise.resolve(),
            };
        },
    };
}

const RULES = [
    'p(X, Z) <- p(X, Y), e(Y, Z).',
    'p(X, Z) <- p(X, Y), f(Y, Z).',
    'p(X, Z) <- p(X, Y), e(Z, Y).',
    'p(X, Z) <- g(_, Y, Z), p(X, Y).',
    'p(Z, Y) <- p(X, Y), e(Z, X).',
];
const STARTS = ['p(X, Y) <- e(X, Y).', 'p(X, Y) <- f(X, Y), not e(X, X).', 'p(X, X) <- e(X, _).', 'p(X, Z) <- e(X, Y), f(Y, Z).'];

const value = fc.integer({ min: 0, max: 25 });
const pairs = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 60 });
const program = fc.record({
    e: pairs,
    f: pairs,
    recursive: fc.subarray(RULES.slice(0, 4), { minLength: 1 }),
    reversed: fc.boolean(),
    starts: fc.subarray(STARTS, { minLength: 1 }),
    reads: fc.boolean(),
});

test('a recursion that is followed by several threads has the same rows in the same order', async () => {
    const shared = { blocks: 0 };
    await fc.assert(
        fc.asyncProperty(
            program,
            fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
            fc.boolean(),
            async ({ e, f, recursive, reversed, starts, reads }, shares, goalsOnly) => {
                const facts = (name: string, rows: readonly (readonly [number, number])[]): string =>
                    rows.map(([a, b]) => `${name}(${a}, "v${b % 3 === 0 ? a : b}").`).join(' ');
                const numbers = (name: string, rows: readonly (readonly [number, number])[]): string =>
                    rows.map(([a, b]) => `${name}(${a}, ${b}).`).join(' ');
                const text = `${numbers('e', e)} ${numbers('f', f)} ${facts('label', e)}
                    g(1, X, Y) <- e(X, Y), f(Y, X).
                    ${starts.join('\n')}
                    ${(reversed ? RULES.slice(4) : recursive).join('\n')}
                    last(X, Y) <- p(X, Y), X < Y.
                    @output("${reads ? 'last' : 'p'}"). @output("label").`;
                const rowsOf = async (options: Partial<RunOptions>): Promise<unknown> => {
                    const { outcome } = await run(text, { ...options, goalsOnly });
                    if (!outcome.ok) return outcome.reports;
                    const { program: analysed, relation } = outcome.database;
                    return [...analysed.predicates.values()].map(({ key, name }) => {
                        const rows = relation(key);
                        return [name, rows?.columns.map(column => [...column.subarray(0, rows.count)])];
                    });
                };
                expect(await rowsOf({ team: doneBefore(shares, shared) })).toEqual(await rowsOf({}));
            },
        ),
        { numRuns: 20 },
    );
    expect(shared.blocks).toBeGreaterThan(40);
});

test('values that lead to thousands are followed as well', async () => {
    const edges = Array.from({ length: 2500 }, (_, i) => `e(${(i * i) % 351}, ${(i * 7) % 1201}).`).join(' ');
    const text = `${edges} p(X, Y) <- e(X, Y). p(X, Z) <- p(X, Y), e(Y, Z). @output("p").`;
    const shared = { blocks: 0 };
    const alone = (await run(text)).facts('p');
    expect((await run(text, { team: doneBefore([true], shared) })).facts('p')).toEqual(alone);
    expect([shared.blocks > 10, alone.length > 50_000]).toEqual([true, true]);
});

test('a profiled run is followed by one thread, whose figures are whole', async () => {
    const edges = Array.from({ length: 2500 }, (_, i) => `e(${(i * i) % 351}, ${(i * 7) % 1201}).`).join(' ');
    const text = `${edges} p(X, Y) <- e(X, Y). p(X, Z) <- p(X, Y), e(Y, Z). @output("p").`;
    const shared = { blocks: 0 };
    const { outcome } = await run(text, { team: doneBefore([true], shared), profile: true });
    const { outcome: alone } = await run(text, { profile: true });
    const triedIn = (one: typeof outcome) =>
        one.ok ? one.statistics.rules?.flatMap(({ variants }) => variants.map(({ tried }) => tried)) : undefined;
    expect(triedIn(outcome)?.length).toBeGreaterThan(1);
    expect(triedIn(outcome)).toEqual(triedIn(alone));
    expect(shared.blocks).toBe(0);
});
