import { it } from 'vitest';
import { chase } from '../fuzz/chase.ts';
import { equalities, features, generated, outputs } from '../fuzz/generated.ts';
import { anyBytes, mutatedAnswers, mutatedPrograms } from '../fuzz/mutated.ts';
import { searched } from '../fuzz/search.ts';

/** A share of what `npm run fuzz` goes on with. */
const SHARES = [
    { search: generated, cases: 36 },
    { search: equalities, cases: 35 },
    { search: features, cases: 30 },
    { search: outputs, cases: 70 },
    { search: mutatedAnswers, cases: 90 },
    { search: mutatedPrograms, cases: 150 },
    { search: anyBytes, cases: 150 },
    { search: chase, cases: 35 },
];

it.each(SHARES)('$search.name', async ({ search, cases }) => {
    await searched<unknown>(search, 1_020_777, cases);
});
