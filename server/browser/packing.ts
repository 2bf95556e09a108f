import { deflateRaw, gzip } from 'pako';

/** Packs bytes, in the place of Node's `zlib`. */
export function gzipSync(bytes: Uint8Array): Uint8Array {
    return gzip(bytes);
}

export function deflateRawSync(bytes: Uint8Array): Uint8Array {
    return deflateRaw(bytes);
}

/** The polynomial of ZIP (PKWARE APPNOTE 4.4.7), its bits in the order in which they are sent. */
const POLYNOMIAL = 0xedb88320;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
    return rest;
});

export function crc32(bytes: Uint8Array, before = 0): number {
    let sum = ~before;
    for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8);
    return ~sum >>> 0;
}
