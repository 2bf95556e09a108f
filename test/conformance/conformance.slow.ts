import { describe, it, test } from 'vitest';
import { compareExecutions, type Executions, expectCompared, isExecuted } from '../support/compare-executions.ts';
import { conformancePrograms } from '../support/conformance.ts';
import { isAsked, passesLeftOut, questionRandom, RUN_QUESTIONS, TEXT_QUESTIONS } from '../support/conformance-questions.ts';
import { conformanceSeed } from '../support/program-variations.ts';

const seed = conformanceSeed();
const programs = conformancePrograms();
const executions: Executions[] = [];

/** Every question about every program; the naive evaluator takes part where the data are small. */
describe.each(programs.map((program, index) => [program.name, program, index] as const))('%s', (name, program, index) => {
    const questions = { ...TEXT_QUESTIONS, ...(program.expectation.problems.length === 0 ? RUN_QUESTIONS : {}) };
    const asked = Object.entries(questions).filter(([question]) => isAsked(question, program));
    const leftOut = passesLeftOut(
        asked.map(([question]) => question),
        questionRandom(seed, name, 'passes'),
    );
    // Before questions that have texts of their own, which are analysed anew.
    if (isExecuted(program))
        it('its rules are executed as their plan says', async () => {
            executions.push(await compareExecutions(program, index));
        });
    for (const [question, ask] of asked) {
        const without = leftOut.get(question) ?? new Set();
        const told = without.size === 0 ? '' : `, without ${[...without].join(', ')}`;
        it(`${question} (seed ${seed}${told})`, () => ask(program, questionRandom(seed, name, question), without));
    }
});

test('nearly all rules were executed as a plan showed', () => expectCompared(executions));
