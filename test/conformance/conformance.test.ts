import { describe, it } from 'vitest';
import { conformancePrograms } from '../support/conformance.ts';
import { checkExpectation, RUN_QUESTIONS, TEXT_QUESTIONS } from '../support/conformance-questions.ts';
import { conformanceSeed, seededRandom } from '../support/program-variations.ts';

const programs = conformancePrograms();
const seed = conformanceSeed();

describe('the facts that the program states', () => {
    it.each(programs.map(program => [program.name, program] as const))('%s', (_, program) => checkExpectation(program));
});

describe.each(Object.entries(TEXT_QUESTIONS))('%s', (_, question) => {
    it.each(programs.map(program => [program.name, program] as const))(`%s (seed ${seed})`, (name, program) =>
        question(program, seededRandom(seed + hash(name))),
    );
});

/** Samples are large for the naive evaluator: they take part in `npm run test:all`. */
const small = programs.filter(program => program.expectation.problems.length === 0 && !program.name.startsWith('samples'));

describe.each(Object.entries(RUN_QUESTIONS))('%s', (_, question) => {
    it.each(small.map(program => [program.name, program] as const))(`%s (seed ${seed})`, (name, program) =>
        question(program, seededRandom(seed + hash(name))),
    );
});

function hash(text: string): number {
    return [...text].reduce((sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0, 0);
}
