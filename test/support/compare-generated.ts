import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { check, observe } from './conformance.ts';
import { factsText, readExpectation, sameFacts } from './expected-facts.ts';
import { seededRandom, shuffledProgram } from './program-variations.ts';

const program = { folder: '.', expectation: readExpectation('') };

/** The naive evaluator, the planner with all passes and without some, and shuffled clauses agree on a program. */
export async function compareGenerated(text: string, choice: number): Promise<void> {
    expect(check(text).errors, text).toEqual([]);
    const random = seededRandom(choice);
    const disabled = new Set<PassName>(PASSES.filter(() => random() < 0.3));
    const expected = await observe(program, text, evaluateNaive);
    const compare = async (words: string, changed: string, without: ReadonlySet<PassName>): Promise<void> => {
        const observed = await observe(program, changed, evaluate, without);
        if (sameFacts(observed.facts, expected.facts)) return;
        expect(factsText(observed.facts), `${words}\n${changed}`).toBe(factsText(expected.facts));
    };
    await compare('as written', text, new Set());
    await compare(`without ${[...disabled].join(', ')}`, text, disabled);
    await compare('shuffled', shuffledProgram(text, random), new Set());
}
