import fc from 'fast-check';
import { it } from 'vitest';
import { compareGenerated } from '../support/compare-generated.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { conformanceSeed } from '../support/program-variations.ts';

const seed = conformanceSeed();

it(`generated programs give the same facts however they are evaluated (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(generatedProgram, fc.nat(), compareGenerated), { seed, numRuns: 60 });
});
