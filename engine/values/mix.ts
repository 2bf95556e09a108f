/** The full mix that linear probing needs (the finaliser of MurmurHash3). */
export function mix(hash: number): number {
    let h = hash;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return h ^ (h >>> 16);
}
