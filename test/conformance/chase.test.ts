import { expect, it } from 'vitest';
import { compareWithChase } from '../support/compare-with-chase.ts';
import { conformanceSeed } from '../support/program-variations.ts';

const seed = conformanceSeed();

it(`what is asked about unknown values is answered when all that can be is known, as a plain chase says (seed ${seed})`, async () => {
    let complete = 0;
    for (let i = 0; i < 25; i++) if (await compareWithChase(seed + i)) complete++;
    expect(complete).toBeGreaterThan(10);
});
