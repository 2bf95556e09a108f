import fc from 'fast-check';
import { it } from 'vitest';
import { compareGenerated } from '../support/compare-generated.ts';
import { check } from '../support/conformance.ts';
import { equalityProgram, recursiveEqualityProgram } from '../support/equality-program.ts';
import { conformanceSeed } from '../support/program-variations.ts';

const seed = conformanceSeed();

it(`programs with equality heads give the same facts however they are evaluated (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(equalityProgram, fc.nat(), compareGenerated), { seed, numRuns: 60 });
});

it(`equality heads over nulls of a recursion give the same facts however they are evaluated (seed ${seed})`, async () => {
    const accepted = recursiveEqualityProgram.filter(text => check(text).errors.length === 0);
    await fc.assert(fc.asyncProperty(accepted, fc.nat(), compareGenerated), { seed, numRuns: 40 });
});
