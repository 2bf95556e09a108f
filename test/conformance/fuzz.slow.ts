import fc from 'fast-check';
import { it } from 'vitest';
import { askEverything } from '../support/ask-everything.ts';
import { compareFeatures } from '../support/compare-features.ts';
import { compareOutputs } from '../support/compare-outputs.ts';
import { conformancePrograms } from '../support/conformance.ts';
import { featureProgram } from '../support/feature-program.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { mutatedProgram } from '../support/mutated-program.ts';
import { conformanceSeed } from '../support/program-variations.ts';
import { tries } from '../support/thorough.ts';

const seed = conformanceSeed();

/** Texts of the corpus without what they state. */
const texts = conformancePrograms()
    .map(({ text }) => text.replaceAll(/^%!.*\n?/gmu, ''))
    .filter(text => text.length < 5000);

/** Programs that chance, the clock or files take part in do not give the same twice; queries and scripts are answered by other programs. */
const DIFFERS =
    /math:rand|uniform|shuffle|monotonically|uuid|current_|@bind|@qbind|@input|@include|python:|(?:<-|:-|\(\s*")\s*(?:SELECT|WITH)\b/iu;

it(`programs that mix features give the same facts however they are evaluated (seed ${seed})`, async () => {
    await fc.assert(fc.asyncProperty(featureProgram, fc.nat(), compareFeatures), { seed, numRuns: tries(1000) });
});

it(`some outputs of programs are the same where nobody looks at others (seed ${seed})`, async () => {
    const programs = fc.oneof(generatedProgram, featureProgram);
    await fc.assert(fc.asyncProperty(programs, fc.nat(), compareOutputs), { seed, numRuns: tries(2000) });
});

it(`programs with a few tokens changed get an answer or a problem from everything (seed ${seed})`, async () => {
    const ask = ({ text, at }: { text: string; at: readonly number[] }): Promise<void> => askEverything(text, '.', at);
    await fc.assert(fc.asyncProperty(mutatedProgram(texts), ask), { seed, numRuns: tries(3000) });
});

it(`programs with a few tokens changed give the same facts however they are evaluated (seed ${seed})`, async () => {
    const settled = mutatedProgram(texts.filter(text => !DIFFERS.test(text))).filter(({ text }) => !DIFFERS.test(text));
    await fc.assert(
        fc.asyncProperty(settled, fc.nat(), ({ text }, choice) => compareFeatures(text, choice)),
        { seed, numRuns: tries(3000) },
    );
});

it(`any bytes get an answer or a problem from everything (seed ${seed})`, async () => {
    const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    const spoilt = fc
        .tuple(fc.constantFrom(...texts), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }))
        .map(([text, changes]) => {
            const bytes = new TextEncoder().encode(text);
            for (const [at, value] of changes) bytes[at % bytes.length] = value;
            return decoded(bytes);
        });
    const hostile = fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map(decoded),
        fc.string({ unit: 'binary', maxLength: 100 }),
        fc.string({ unit: fc.constantFrom(...'()[]{}<>"\'%@#?$.,:;|&~!=+-*/\\_aXx01eE \n\r\t\u0000'), maxLength: 60 }),
        spoilt,
    );
    const ask = (text: string): Promise<void> => askEverything(text, '.', [0, Math.floor(text.length / 2), text.length]);
    await fc.assert(fc.asyncProperty(hostile, ask), { seed, numRuns: tries(3000) });
});
