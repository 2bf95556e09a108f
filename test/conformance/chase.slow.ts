import { expect, it } from 'vitest';
import { compareWithChase } from '../support/compare-with-chase.ts';
import { conformanceSeed } from '../support/program-variations.ts';

const seed = conformanceSeed();
const PROGRAMS = Number(process.env.CHASE_PROGRAMS ?? 200);

it(`${PROGRAMS} programs about unknown values give what a plain chase gives (seed ${seed})`, async () => {
    let complete = 0;
    for (let i = 0; i < PROGRAMS; i++) if (await compareWithChase(seed + 1_000_000 + i)) complete++;
    expect(complete).toBeGreaterThan(PROGRAMS / 3);
});
