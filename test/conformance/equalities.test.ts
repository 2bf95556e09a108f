import fc from 'fast-check';
import { it } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { compareGenerated } from '../support/compare-generated.ts';
import { check, runOptions } from '../support/conformance.ts';
import { equalityProgram, recursiveEqualityProgram } from '../support/equality-program.ts';
import { conformanceSeed } from '../support/program-variations.ts';
import { expectExplanations } from '../support/well-founded.ts';

const seed = conformanceSeed();

it(`programs with equality heads give the same facts however they are evaluated (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(equalityProgram, fc.nat(), compareGenerated), { seed, numRuns: 60 });
});

it(`equality heads over nulls of a recursion give the same facts however they are evaluated (seed ${seed})`, async () => {
    const accepted = recursiveEqualityProgram.filter(text => check(text).errors.length === 0);
    await fc.assert(fc.asyncProperty(accepted, fc.nat(), compareGenerated), { seed, numRuns: 40 });
});

it(`every fact has an explanation, whatever equality heads have replaced (seed ${seed})`, async () => {
    const accepted = fc.oneof(equalityProgram, recursiveEqualityProgram).filter(text => check(text).errors.length === 0);
    const explains = async (text: string): Promise<void> => {
        const outcome = await evaluate(check(text).program, { ...runOptions('.'), heights: true });
        if (outcome.ok && !outcome.reports.some(({ code }) => code === 'RT050')) expectExplanations(outcome.database, 10);
    };
    await fc.assert(fc.asyncProperty(accepted, explains), { seed, numRuns: 80 });
});
