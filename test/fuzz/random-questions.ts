import { expect } from 'vitest';
import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { termText } from '#engine/values/text.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import { Picks, randomProgram } from '../engine/evaluate/random-program.ts';
import { hasErrors, programOf, RUN_OPTIONS } from '../engine/evaluate/run-program.ts';
import { evaluateNaive } from '../naive/naive.ts';
import type { Search } from './search.ts';

const OPTIONS: RunOptions = { ...RUN_OPTIONS, limits: { ...RUN_OPTIONS.limits, maxRounds: 60 } };

/** With everything, with heights, without one of the passes, and with questions alone. */
function variants(seed: number): Partial<RunOptions>[] {
    const without = (passes: readonly PassName[]): Partial<RunOptions> => ({ disabledPasses: new Set(passes) });
    return [
        {},
        { heights: true },
        { goalsOnly: true },
        without(PASSES.filter((_, i) => i === seed % PASSES.length)),
        without(PASSES.filter(pass => pass !== 'magic-sets')),
    ];
}

/** Random programs answer questions as the reference evaluator does; tells of which less was derived than all there is. */
export const randomQuestions: Search<'restricted' | 'whole'> = {
    name: 'random-questions',
    text: seed => withQuestions(randomProgram(seed), seed),
    async check(text, seed) {
        const program = programOf(text);
        if (hasErrors(program)) return undefined;
        const whole = await evaluate(program, { ...OPTIONS, disabledPasses: new Set(PASSES) });
        const expected = answer(program, whole);
        // What a limit ends as a whole may end where less is asked.
        if (!whole.ok) return undefined;
        const isReport = (line: string): boolean => line.startsWith('RT');
        const naive = answer(program, await evaluateNaive(program, OPTIONS)).filter(line => !isReport(line));
        expect(expected.filter(line => !isReport(line))).toEqual(naive);
        let restricted = false;
        for (const [index, variant] of variants(seed).entries()) {
            const outcome = await evaluate(program, { ...OPTIONS, ...variant });
            expect({ variant, answer: answer(program, outcome) }).toEqual({ variant, answer: expected });
            if (index === 0) restricted = isRestricted(program, outcome);
        }
        return restricted ? 'restricted' : 'whole';
    },
};

/** A program with a few facts of what rules define, and with rules that ask for some rows; nothing else is wanted. */
function withQuestions(text: string, seed: number): string {
    const picks = new Picks(seed);
    const heads = [...text.matchAll(/^([a-z]+)\(([^)]*)\) <-/gmu)].map(
        ([, name = '', terms = '']) => [name, terms.split(',').length] as const,
    );
    const questions = Array.from({ length: 1 + picks.below(2) }, () => {
        const [name, arity] = picks.one(heads);
        const bound = picks.below(arity);
        const terms = Array.from({ length: arity }, (_, i) => (i === bound || picks.chance(0.2) ? String(picks.below(4)) : `V${i}`));
        const atom = `${name}(${terms.join(', ')})`;
        return picks.one([
            `ans(0) <- ${atom}.`,
            `ans(${terms[0]}) <- ${atom}.`,
            `ans(Q) <- n(Q), ${atom.replace(terms[bound] ?? '', 'Q')}, Q == ${picks.below(4)}.`,
            `ans(Q) <- e(1, Q), ${atom.replace(terms[bound] ?? '', 'Q')}.`,
            `ans(Q) <- e(${picks.below(4)}, Q), not ${name}(${terms.map((_, i) => (i === bound ? 'Q' : '_')).join(', ')}).`,
            `mid(${terms[(bound + 1) % arity]}, W) <- ${name}(${terms.map((term, i) => (i === bound ? 'W' : term)).join(', ')}). ans(Z) <- mid(Z, ${picks.below(4)}).`,
        ]);
    });
    const facts = heads.flatMap(([name, arity]) => {
        if (!picks.chance(0.2) || ['a', 'w'].includes(name)) return [];
        return [`${name}(${Array.from({ length: arity }, () => picks.below(4)).join(', ')}).`];
    });
    return [text, ...facts, ...questions, '@output("ans").'].join('\n');
}

function isRestricted(program: AnalysedProgram, outcome: RunOutcome): boolean {
    return outcome.ok && [...program.predicates.keys()].some(key => outcome.database.relation(key) === undefined);
}

/** The rows that were asked for, and what was reported. */
function answer(program: AnalysedProgram, outcome: RunOutcome): string[] {
    const codes = [...new Set(outcome.reports.map(({ code }) => code))].filter(code => code !== 'RT020').sort();
    if (!outcome.ok) return codes;
    const { dictionary } = outcome.database;
    const rows = program.outputs.flatMap(key => {
        const relation = outcome.database.relation(key);
        return Array.from({ length: relation?.count ?? 0 }, (_, row) =>
            (relation?.columns ?? []).map(column => termText(dictionary, column[row] ?? 0, MIXED, String)).join(','),
        );
    });
    return [...codes, ...rows.sort()];
}
