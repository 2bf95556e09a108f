import { test } from 'vitest';
import { fuzz } from './fuzz.ts';

test.each(Array.from({ length: 4 }, (_, i) => 100 + i))('2,000 changes: seed %i', seed => {
    fuzz(seed, 2_000);
});
