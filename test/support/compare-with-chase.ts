import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { check, outcomeOf, runOptions } from './conformance.ts';
import { factsText, sameFacts } from './expected-facts.ts';
import { seededRandom, shuffledProgram } from './program-variations.ts';
import { resolutionProgram } from './resolution-program.ts';

/** Both evaluators agree with the chase of the oracle about the program of a seed, however its clauses stand; true when it ends. */
export async function compareWithChase(seed: number): Promise<boolean> {
    const random = seededRandom(seed);
    const { text, facts } = resolutionProgram(random);
    for (const [words, written, evaluator] of [
        ['as written', text, evaluate],
        ['naive', text, evaluateNaive],
        ['shuffled', shuffledProgram(text, random), evaluate],
    ] as const) {
        const label = `${words}, seed ${seed}\n${written}`;
        const { program, errors } = check(written);
        expect(errors, label).toEqual([]);
        expect(program.problems.map(({ code }) => code).includes('RL2303'), label).toBe(false);
        const outcome = await evaluator(program, runOptions('.'));
        if (facts === undefined) {
            expect(
                outcome.reports.map(({ code }) => code),
                label,
            ).toContain('RT040');
            continue;
        }
        expect(outcome.ok, `${label}\n${outcome.reports.map(({ message }) => message).join('\n')}`).toBe(true);
        const { facts: observed } = outcomeOf(outcome);
        if (!sameFacts(observed, facts)) expect(factsText(observed), label).toBe(factsText(facts));
    }
    return facts !== undefined;
}
