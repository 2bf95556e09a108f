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
describe.each(Object.entries({ ...TEXT_QUESTIONS, ...RUN_QUESTIONS, ...EACH_PASS }))('%s', (question, ask) => {
    const asked = (question in TEXT_QUESTIONS ? programs : running).filter(
        program => isAsked(question, program) && (question !== NAIVE || !program.name.startsWith('samples')),
    );
    it.each(asked.map(program => [program.name, program] as const))(`%s (seed ${seed})`, (name, program) =>
        ask(program, questionRandom(seed, name, question)),
    );
});

test('rules are executed as their plan says', () => compareExecutions(running));
