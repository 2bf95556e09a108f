import { it } from 'vitest';
import { chase } from '../fuzz/chase.ts';
import { equalities, features, generated, outputs } from '../fuzz/generated.ts';
import { anyBytes, mutatedAnswers, mutatedPrograms } from '../fuzz/mutated.ts';
import { searched } from '../fuzz/search.ts';

/** A share of what `npm run fuzz` goes on with. */
const SHARES = [
    { search: generated, cases: 18 },
    { search: equalities, cases: 18 },
    { search: features, cases: 15 },
    { search: outputs, cases: 35 },
    { search: mutatedAnswers, cases: 45 },
    { search: mutatedPrograms, cases: 75 },
    { search: anyBytes, cases: 75 },
    { search: chase, cases: 18 },
];

it.each(SHARES)('$search.name', async ({ search, cases }) => {
    await searched<unknown>(search, 1_020_777, cases);
});
