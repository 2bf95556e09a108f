import { mix } from '../values/mix.ts';

/** The seed of the hash of three or more ids. */
export const HASH_SEED = 0x2c1b3c6d;

/** One more id for the hash of several; `mix` of the result of the last step is the hash. */
export function hashStep(hash: number, id: number): number {
    return (Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) + id) | 0;
}

/** Hashes of one to four and of more ids. Ids are dense, so that linear probing needs the full mix. */
export function hash1(a: number): number {
    return mix(a);
}

export function hash2(a: number, b: number): number {
    return mix((Math.imul(a, 0x9e3779b1) + b) | 0);
}

export function hash3(a: number, b: number, c: number): number {
    return mix(hashStep(hashStep(hashStep(HASH_SEED, a), b), c));
}

export function hash4(a: number, b: number, c: number, d: number): number {
    return mix(hashStep(hashStep(hashStep(hashStep(HASH_SEED, a), b), c), d));
}

/** The hash of the first `length` ids of `values`; agrees with those of so many ids. */
export function hashOf(values: ArrayLike<number>, length: number): number {
    if (length === 1) return hash1(values[0]!);
    if (length === 2) return hash2(values[0]!, values[1]!);
    let hash = HASH_SEED;
    for (let i = 0; i < length; i++) hash = hashStep(hash, values[i]!);
    return mix(hash);
}
