import fc from 'fast-check';
import { evaluate } from '#engine/engine.ts';
import { compareFeatures } from '../support/compare-features.ts';
import { compareGenerated } from '../support/compare-generated.ts';
import { compareOutputs } from '../support/compare-outputs.ts';
import { differences } from '../support/compare-variations.ts';
import { check, runOptions } from '../support/conformance.ts';
import { equalityProgram, recursiveEqualityProgram } from '../support/equality-program.ts';
import { featureProgram } from '../support/feature-program.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { expectExplanations } from '../support/well-founded.ts';
import { sampled } from './sampled.ts';
import type { Search } from './search.ts';

/** Programs of a kind, of which those without errors are compared. */
function comparing(name: string, programs: fc.Arbitrary<string>, compare: (text: string, seed: number) => Promise<unknown>): Search<true> {
    return {
        name,
        text: sampled(programs),
        async check(text, seed) {
            if (check(text).errors.length > 0) return undefined;
            await compare(text, seed);
            return true;
        },
    };
}

/** The facts are the same however a program is evaluated. */
export const generated = comparing('generated', generatedProgram, compareGenerated);

export const equalities = comparing('equalities', equalityProgram, compareGenerated);

/** Equality heads over nulls of a recursion. */
export const recursiveEqualities = comparing('recursive-equalities', recursiveEqualityProgram, compareGenerated);

/** Every fact has an explanation, whatever equality heads have replaced. */
export const equalityExplanations = comparing('equality-explanations', fc.oneof(equalityProgram, recursiveEqualityProgram), async text => {
    const outcome = await evaluate(check(text).program, { ...runOptions('.'), heights: true });
    if (outcome.ok && !outcome.reports.some(({ code }) => code === 'RT050')) expectExplanations(outcome.database, 10);
});

/** Programs that mix features. */
export const features = comparing('features', featureProgram, compareFeatures);

/** Some outputs are the same where nobody looks at others. */
export const outputs = comparing('outputs', fc.oneof(generatedProgram, featureProgram), compareOutputs);

/** The facts are the same however a program is written: shuffled, renamed, in modules, with facts in files. */
export const variations = comparing('variations', fc.oneof(generatedProgram, featureProgram), async (text, seed) => {
    const [difference] = await differences(text, seed);
    if (difference !== undefined) throw new Error(difference);
});
