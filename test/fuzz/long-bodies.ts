import { expect } from 'vitest';
import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { termText } from '#engine/values/text.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import { hasErrors, programOf, RUN_OPTIONS } from '../engine/evaluate/run-program.ts';
import { evaluateNaive } from '../naive/naive.ts';
import type { Search } from './search.ts';

const VARIANTS: readonly Partial<RunOptions>[] = [{}, { heights: true }, { disabledPasses: new Set(['first-match', 'join-order']) }];

/** Rules with more recursive atoms than are planned one by one mean what the reference evaluator says; tells how many facts there are. */
export const longBodies: Search<number> = {
    name: 'long-bodies',
    text: longProgram,
    async check(text) {
        const program = programOf(text);
        if (hasErrors(program)) return undefined;
        const expected = answer(program, await evaluateNaive(program, RUN_OPTIONS));
        for (const variant of VARIANTS) {
            const found = answer(program, await evaluate(program, { ...RUN_OPTIONS, ...variant }));
            expect({ variant, found }).toEqual({ variant, found: expected });
        }
        return expected.length;
    },
};

/** Few different atoms, some of them again and again until a body has 140. */
function longProgram(seed: number): string {
    let state = seed;
    const below = (count: number): number => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return (state >>> 16) % count;
    };
    const variable = (): string => 'XYZ'.charAt(below(3));
    const atom = (): string => `${'pqe'.charAt(below(3))}(${variable()}, ${variable()})`;
    const body = (): string => {
        const atoms = ['p(X, Y)', `${'pq'.charAt(below(2))}(Y, Z)`, atom()];
        return Array.from({ length: 140 }, (_, i) => atoms[i] ?? atoms[below(3)]).join(', ');
    };
    const ends = ['', ', X != Z', ', not f(X, Z)', ', W = X + 1, W < 6, e(W, _)'];
    const facts = Array.from({ length: 7 }, () => `e(${below(5)}, ${below(5)}). f(${below(5)}, ${below(5)}).`);
    const heads = ['p(X, Z)', 'q(Z, X)', 'p(Z, Y), q(X, X)'];
    const rules = heads.map(head => `${head} <- ${body()}${ends[below(ends.length)]}.`);
    return [...facts, 'p(X, Y) <- e(X, Y).', 'q(X, Y) <- e(Y, X).', ...rules].join('\n');
}

function answer(program: AnalysedProgram, outcome: RunOutcome): string[] {
    if (!outcome.ok) return outcome.reports.map(({ code }) => code);
    const { dictionary } = outcome.database;
    return [...program.predicates.keys()].flatMap(key => {
        const relation = outcome.database.relation(key);
        const cells = (row: number): string[] =>
            (relation?.columns ?? []).map(column => termText(dictionary, column[row] ?? 0, MIXED, () => 'z'));
        return Array.from({ length: relation?.count ?? 0 }, (_, row) => `${key}(${cells(row).join(', ')})`).sort();
    });
}
