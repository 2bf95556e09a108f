import { describe, expect, test } from 'vitest';
import { PASSES, type RunOptions } from '#engine/run-options.ts';
import { run } from './run-program.ts';

/** Large enough for grouped sets, runs of rows and chunks of seeds to matter. */
function edges(name: string, count: number, nodes: number, step = 1): string {
    const facts = Array.from(
        { length: count },
        (_, i) => `${name}(${mixed(i + count, nodes) * step}, ${mixed(i * 3 + nodes, nodes) * step}).`,
    );
    return [...new Set(facts)].join(' ');
}

function mixed(number: number, limit: number): number {
    const hash = Math.imul(number ^ (number >>> 3), 0x85ebca6b);
    return ((hash ^ (hash >>> 13)) >>> 0) % limit;
}

const PROGRAMS = {
    'left recursion from many seeds': `
        ${edges('e', 3500, 8000)}
        p(X, Y) <- e(X, Y), X > 300.
        p(X, Z) <- p(X, Y), e(Y, Z), Z != X.`,
    'right recursion with facts of its own': `
        ${edges('e', 300, 150)} ${edges('p', 400, 150)}
        p(X, Z) <- e(X, Y), p(Y, Z).`,
    'values that are far apart': `
        ${edges('e', 300, 150, 1_000_003)}
        p(X, Y) <- e(X, Y).
        p(X, Z) <- p(X, Y), p(Y, Z).`,
    'same generation': `
        ${edges('par', 260, 120)}
        sg(X, Y) <- par(X, P), par(Y, P).
        sg(X, Y) <- sg(A, B), par(X, A), par(Y, B).
        both(X, Y) <- sg(X, Y), sg(Y, X).`,
    'triples and pairs that feed each other': `
        ${edges('alloc', 150, 70)} ${edges('move', 180, 70)}
        ${Array.from({ length: 60 }, (_, i) => `load(${mixed(i, 70)}, ${mixed(i + 99, 70)}, ${i % 4}). store(${mixed(i + 7, 70)}, ${i % 3}, ${mixed(i + 5, 70)}).`).join(' ')}
        v(X, O) <- alloc(X, O).
        v(X, O) <- move(X, Y), v(Y, O).
        h(P, F, O) <- store(X, F, Y), v(X, P), v(Y, O).
        v(X, O) <- load(X, Y, F), v(Y, P), h(P, F, O).`,
};

async function answers(text: string, options: Partial<RunOptions>): Promise<string> {
    const { outcome, facts } = await run(text, options);
    if (!outcome.ok) throw new Error(outcome.reports.map(({ message }) => message).join('\n'));
    return [...outcome.database.program.predicates.values()].map(({ name }) => `${name}: ${facts(name).join('; ')}`).join('\n');
}

describe.each(Object.entries(PROGRAMS))('%s', (_, text) => {
    test('means the same with and without each way of being fast', async () => {
        const plain = await answers(text, { disabledPasses: new Set(PASSES) });
        expect(plain.length).toBeGreaterThan(10_000);
        expect((await answers(text, {})) === plain).toBe(true);
        for (const pass of ['grouped-sets', 'runs', 'chunks', 'helper-relations'] as const) {
            expect([pass, (await answers(text, { disabledPasses: new Set([pass]) })) === plain]).toEqual([pass, true]);
        }
        expect((await answers(text, { heights: true })).replaceAll(/ @\d+/g, '') === plain).toBe(true);
    });
});
