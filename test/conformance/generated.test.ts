import fc from 'fast-check';
import { it } from 'vitest';
import { compareGenerated } from '../support/compare-generated.ts';
import { compareOutputs } from '../support/compare-outputs.ts';
import { featureProgram } from '../support/feature-program.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { conformanceSeed } from '../support/program-variations.ts';

const seed = conformanceSeed();

it(`generated programs give the same facts however they are evaluated (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(generatedProgram, fc.nat(), compareGenerated), { seed, numRuns: 60 });
});

it(`some outputs of programs are the same where nobody looks at others (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(generatedProgram, featureProgram), fc.nat(), compareOutputs), { seed, numRuns: 30 });
});
