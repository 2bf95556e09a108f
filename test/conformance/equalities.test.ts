import fc from 'fast-check';
import { it } from 'vitest';
import { compareGenerated } from '../support/compare-generated.ts';
import { equalityProgram } from '../support/equality-program.ts';
import { conformanceSeed } from '../support/program-variations.ts';

const seed = conformanceSeed();

it(`programs with equality heads give the same facts however they are evaluated (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(equalityProgram, fc.nat(), compareGenerated), { seed, numRuns: 60 });
});
