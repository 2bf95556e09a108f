import fc from 'fast-check';
import { describe, it } from 'vitest';
import { compareGenerated } from '../support/compare-generated.ts';
import { conformancePrograms } from '../support/conformance.ts';
import { isAsked, questionRandom, RUN_QUESTIONS, TEXT_QUESTIONS } from '../support/conformance-questions.ts';
import { equalityProgram } from '../support/equality-program.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { conformanceSeed } from '../support/program-variations.ts';
import { tries } from '../support/thorough.ts';

const seed = conformanceSeed();
const programs = conformancePrograms();
const running = programs.filter(program => program.expectation.problems.length === 0);
const NAIVE = 'the naive evaluator gives the same';

/** Every question about every program; the naive evaluator takes part where the data are small. */
describe.each(Object.entries({ ...TEXT_QUESTIONS, ...RUN_QUESTIONS }))('%s', (question, ask) => {
    const asked = (question in TEXT_QUESTIONS ? programs : running).filter(
        program => isAsked(question, program) && (question !== NAIVE || !program.name.startsWith('samples')),
    );
    it.each(asked.map(program => [program.name, program] as const))(`%s (seed ${seed})`, (name, program) =>
        ask(program, questionRandom(seed, name, question)),
    );
});

it(`many generated programs give the same facts however they are evaluated (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(generatedProgram, fc.nat(), compareGenerated), { seed, numRuns: tries(1500) });
});

it(`many programs with equality heads give the same facts however they are evaluated (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(equalityProgram, fc.nat(), compareGenerated), { seed, numRuns: tries(800) });
});
