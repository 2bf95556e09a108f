import { test } from 'vitest';
import { FoundFault, type Search, searched, shrunk } from './search.ts';
import { SEARCHES } from './searches.ts';

const { FUZZ_MINUTES, FUZZ_SEED, FUZZ_ONLY } = process.env;
const seed = Number(FUZZ_SEED);
const end = performance.now() + Number(FUZZ_MINUTES) * 60_000;
const chosen = SEARCHES.filter(({ name }) => FUZZ_ONLY === undefined || name === FUZZ_ONLY);

/** Tries one case from a seed on; what is wrong is told with the smallest case that is found. */
async function findsNothing(search: Search, seed: number): Promise<boolean> {
    try {
        await searched(search, seed, 1);
        return true;
    } catch (error) {
        if (!(error instanceof FoundFault)) throw error;
        console.log((await shrunk(search, error)).message);
        return false;
    }
}

/** Each in turn; one that has found something stops. */
test('searches with ever new seeds find nothing', async () => {
    if (chosen.length === 0) throw new Error(`There is no search '${FUZZ_ONLY}'; there are ${SEARCHES.map(({ name }) => name).join(', ')}`);
    const going = new Set(chosen);
    let cases = 0;
    for (let round = 0; round === 0 || performance.now() < end; round++) {
        for (const search of going) {
            if (round > 0 && performance.now() >= end) break;
            cases++;
            if (!(await findsNothing(search, seed + round))) going.delete(search);
        }
        if (going.size === 0) break;
    }
    console.log(`${cases} cases from seed ${seed}`);
    const found = chosen.filter(search => !going.has(search));
    if (found.length > 0) throw new Error(`Something was found by ${found.map(({ name }) => name).join(', ')}`);
});
