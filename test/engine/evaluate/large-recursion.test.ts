import { describe, expect, test } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { PASSES } from '#engine/plan/program-passes.ts';
import { run } from './run-program.ts';

/** Large enough for grouped sets, runs of rows and parts to matter. */
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
        ${edges('e', 2600, 6000)}
        p(X, Y) <- e(X, Y), X > 300.
        p(X, Z) <- p(X, Y), e(Y, Z), Z != X.`,
    'several rules that pass the first column, with values far apart': `
        ${edges('e', 420, 120, 1_000_003)} ${edges('f', 180, 120, 1_000_003)} ${edges('g', 60, 120, 1_000_003)}
        p(X, Y) <- e(X, Y).
        p(X, X) <- f(X, _).
        p(X, Z) <- p(X, Y), e(Y, Z), Z != X.
        p(X, Z) <- f(Y, Z), p(X, Y), not g(X, Z).
        p(X, Y) <- p(X, Y), g(X, _).`,
    'the last column of triples passed between two predicates': `
        ${edges('e', 400, 120)} ${edges('f', 250, 120)}
        p(N, Y, X) <- e(X, Y), N = 0.
        q(Y, N, X) <- p(N, Y, X), f(Y, _).
        p(M, Z, X) <- q(Y, N, X), e(Y, Z), M = (N + 1) % 7.`,
    'sums of contributors by the first column': `
        ${Array.from({ length: 500 }, (_, i) => `own(${mixed(i, 130)}, ${mixed(i * 5 + 3, 130)}, ${5 + mixed(i * 7, 60)}).`).join(' ')}
        held(X, X, Y, Q) <- own(X, Y, Q), X != Y.
        held(X, Z, Y, Q) <- ctrl(X, Z), own(Z, Y, Q), X != Y.
        total(X, Y, S) <- held(X, Z, Y, Q), S = msum(Q, <Z>).
        ctrl(X, Y) <- total(X, Y, S), S > 50.`,
    'an aggregate inside a recursive rule, and its largest results': `
        ${Array.from({ length: 420 }, (_, i) => `own(${mixed(i, 100)}, ${mixed(i * 5 + 3, 100)}, ${5 + mixed(i * 7, 60)}).`).join(' ')}
        ctrl(X, X) <- own(X, _, _).
        ctrl(X, Y) <- ctrl(X, Z), own(Z, Y, Q), S = msum(Q, <Z>), S > 50.
        far(X, Y, D) <- own(X, Y, _), D = mmin(1).
        far(X, Z, D) <- far(X, Y, E), own(Y, Z, _), D = mmin(E + 1).`,
    'right recursion in several rules': `
        ${edges('e', 300, 120)} ${edges('f', 60, 120)}
        p(X, Y) <- e(X, Y).
        p(X, Z) <- e(X, Y), p(Y, Z).
        p(X, Z) <- p(Y, Z), f(Y, X), X != Z.
        p(Z, Z) <- p(_, Z), f(Z, _).`,
    'right recursion with facts of its own': `
        ${edges('e', 300, 150)} ${edges('p', 400, 150)}
        p(X, Z) <- e(X, Y), p(Y, Z).`,
    'values that are far apart': `
        ${edges('e', 200, 100, 1_000_003)}
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
        for (const pass of ['grouped-sets', 'runs', 'parts', 'helper-relations'] as const) {
            expect([pass, (await answers(text, { disabledPasses: new Set([pass]) })) === plain]).toEqual([pass, true]);
        }
        expect((await answers(text, { heights: true })).replaceAll(/ @\d+/g, '') === plain).toBe(true);
    });
});
