import fc from 'fast-check';
import { askEverything } from '../support/ask-everything.ts';
import { compareFeatures } from '../support/compare-features.ts';
import { conformancePrograms } from '../support/conformance.ts';
import { mutatedProgram } from '../support/mutated-program.ts';
import { seededRandom } from '../support/program-variations.ts';
import { sampled } from './sampled.ts';
import type { Search } from './search.ts';

/** Texts of the corpus without what they state. */
const texts = conformancePrograms()
    .map(({ text }) => text.replaceAll(/^%!.*\n?/gmu, ''))
    .filter(text => text.length < 5000);

/** Programs that chance, the clock or files take part in do not give the same twice; queries and scripts are answered by other programs. */
const DIFFERS =
    /math:rand|uniform|shuffle|monotonically|uuid|current_|@bind|@qbind|@input|@include|python:|(?:<-|:-|\(\s*")\s*(?:SELECT|WITH)\b/iu;

/** Asks everything at a few places, and at the ends. */
async function askAnywhere(text: string, seed: number): Promise<true> {
    const random = seededRandom(seed);
    const places = Array.from({ length: 3 }, () => Math.floor(random() * (text.length + 1)));
    await askEverything(text, '.', [0, ...places, text.length]);
    return true;
}

/** Programs with a few tokens changed get an answer or a problem from everything. */
export const mutatedAnswers: Search<true> = {
    name: 'mutated-answers',
    text: sampled(mutatedProgram(texts).map(({ text }) => text)),
    check: askAnywhere,
};

/** Programs with a few tokens changed give the same facts however they are evaluated. */
export const mutatedPrograms: Search<true> = {
    name: 'mutated-programs',
    text: sampled(mutatedProgram(texts.filter(text => !DIFFERS.test(text))).map(({ text }) => text)),
    async check(text, seed) {
        if (DIFFERS.test(text)) return undefined;
        await compareFeatures(text, seed);
        return true;
    },
};

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const spoilt = fc
    .tuple(fc.constantFrom(...texts), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }))
    .map(([text, changes]) => {
        const bytes = new TextEncoder().encode(text);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return decoded(bytes);
    });

/** Any bytes get an answer or a problem from everything. */
export const anyBytes: Search<true> = {
    name: 'any-bytes',
    text: sampled(
        fc.oneof(
            fc.uint8Array({ maxLength: 200 }).map(decoded),
            fc.string({ unit: 'binary', maxLength: 100 }),
            fc.string({ unit: fc.constantFrom(...'()[]{}<>"\'%@#?$.,:;|&~!=+-*/\\_aXx01eE \n\r\t\u0000'), maxLength: 60 }),
            spoilt,
        ),
    ),
    check: askAnywhere,
};
