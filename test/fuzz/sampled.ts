import fc from 'fast-check';

/** What a seed makes of an arbitrary; neighbouring seeds have nothing in common. */
export function sampled<T>(arbitrary: fc.Arbitrary<T>): (seed: number) => T {
    return seed => fc.sample(arbitrary, { seed: Math.imul(seed, 0x9e3779b1), numRuns: 1 })[0] as T;
}
