import { describe, it } from 'vitest';
import { conformancePrograms } from '../support/conformance.ts';
import {
    checkExpectation,
    isAsked,
    type Question,
    questionRandom,
    RUN_QUESTIONS,
    SOME_PASSES,
    TEXT_QUESTIONS,
} from '../support/conformance-questions.ts';
import { conformanceSeed } from '../support/program-variations.ts';

/** The share of the programs that each question is asked about here; `npm run test:all` asks everything. */
const SHARE = 0.05;
const SHARE_OF_PASSES = 0.3;

const seed = conformanceSeed();
const programs = conformancePrograms();

/** What is asked about a program, with which chance. */
const QUESTIONS: readonly (readonly [question: string, ask: Question, share: number])[] = [
    ...Object.entries({ ...TEXT_QUESTIONS, ...RUN_QUESTIONS }).map(([question, ask]) => [question, ask, SHARE] as const),
    ...Object.entries(SOME_PASSES).map(([question, ask]) => [question, ask, SHARE_OF_PASSES] as const),
];

describe.each(programs.map(program => [program.name, program] as const))('%s', (name, program) => {
    it('gives the facts that it states', () => checkExpectation(program));

    const runs = program.expectation.problems.length === 0 && !name.startsWith('samples');
    for (const [question, ask, share] of QUESTIONS) {
        if (!(question in TEXT_QUESTIONS || runs) || !isAsked(question, program)) continue;
        if (questionRandom(seed, name, question)() >= share) continue;
        it(`${question} (seed ${seed})`, () => ask(program, questionRandom(seed, name, question)));
    }
});
