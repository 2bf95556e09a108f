import { compareWithChase } from '../support/compare-with-chase.ts';
import { seededRandom } from '../support/program-variations.ts';
import { resolutionProgram } from '../support/resolution-program.ts';
import type { Search } from './search.ts';

/** What is asked about unknown values is answered as a plain chase says; tells whether the chase ends. */
export const chase: Search<'ends' | 'endless'> = {
    name: 'chase',
    text: seed => resolutionProgram(seededRandom(seed)).text,
    async check(text, seed) {
        // The oracle knows the facts of the program as it was made.
        if (resolutionProgram(seededRandom(seed)).text !== text) return undefined;
        return (await compareWithChase(seed)) ? 'ends' : 'endless';
    },
};
