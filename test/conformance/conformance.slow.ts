import { describe, it, test } from 'vitest';
import { compareExecutions } from '../support/compare-executions.ts';
import { conformancePrograms } from '../support/conformance.ts';
import { EACH_PASS, isAsked, questionRandom, RUN_QUESTIONS, TEXT_QUESTIONS } from '../support/conformance-questions.ts';
import { conformanceSeed } from '../support/program-variations.ts';

const seed = conformanceSeed();
const programs = conformancePrograms();
const running = programs.filter(program => program.expectation.problems.length === 0);
const NAIVE = 'the naive evaluator gives the same';

/** Every question about every program; the naive evaluator takes part where the data are small. */
describe.each(programs.map(program => [program.name, program] as const))('%s', (name, program) => {
    const questions = { ...TEXT_QUESTIONS, ...(program.expectation.problems.length === 0 ? { ...RUN_QUESTIONS, ...EACH_PASS } : {}) };
    const asked = Object.entries(questions).filter(
        ([question]) => isAsked(question, program) && (question !== NAIVE || !name.startsWith('samples')),
    );
    it.each(asked)(`%s (seed ${seed})`, (question, ask) => ask(program, questionRandom(seed, name, question)));
});

test('rules are executed as their plan says', () => compareExecutions(running));
