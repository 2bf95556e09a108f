/** MurmurHash3_x86_32 of Austin Appleby (SMHasher, public domain), as a signed number of 32 bits. */
export function murmur3(bytes: Uint8Array, seed: number): number {
    const blocks = bytes.length & ~3;
    let hash = seed | 0;
    for (let i = 0; i < blocks; i += 4) {
        hash ^= scrambled(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
        hash = (hash << 13) | (hash >>> 19);
        hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
    }
    let rest = 0;
    for (let i = bytes.length - 1; i >= blocks; i--) rest = (rest << 8) | bytes[i]!;
    hash ^= scrambled(rest) ^ bytes.length;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return hash ^ (hash >>> 16);
}

function scrambled(block: number): number {
    const mixed = Math.imul(block, 0xcc9e2d51);
    return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
