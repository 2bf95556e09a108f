import { describe, it } from 'vitest';
import { conformancePrograms } from '../support/conformance.ts';
import { checkExpectation, isAsked, questionRandom, RUN_QUESTIONS, TEXT_QUESTIONS } from '../support/conformance-questions.ts';
import { conformanceSeed } from '../support/program-variations.ts';

/** The share of the programs that each question is asked about here; `npm run test:all` asks everything. */
const SHARE = 0.15;

const programs = conformancePrograms();
const seed = conformanceSeed();

describe('the facts that the program states', () => {
    it.each(programs.map(program => [program.name, program] as const))('%s', (_, program) => checkExpectation(program));
});

const small = programs.filter(({ name, expectation }) => expectation.problems.length === 0 && !name.startsWith('samples'));

describe.each(Object.entries({ ...TEXT_QUESTIONS, ...RUN_QUESTIONS }))('%s', (question, ask) => {
    const asked = question in TEXT_QUESTIONS ? programs : small;
    const sample = asked.filter(program => isAsked(question, program) && questionRandom(seed, program.name, question)() < SHARE);
    it.each(sample.map(program => [program.name, program] as const))(`%s (seed ${seed})`, (name, program) =>
        ask(program, questionRandom(seed, name, question)),
    );
});
