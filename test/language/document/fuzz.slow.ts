import { test } from 'vitest';
import { fuzz } from './fuzz.ts';

test.each(Array.from({ length: 10 }, (_, i) => 100 + i))('20,000 changes in ten runs: seed %i', seed => {
    fuzz(seed, 2_000);
});
