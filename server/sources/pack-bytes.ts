import { gzipSync } from 'node:zlib';
import type { Packing } from '#engine/sources/packing.ts';

/** Packs pieces, each by itself: a file of either kind is a sequence of them (RFC 1952, RFC 8878). */
export async function packer(packing: Packing): Promise<(piece: Uint8Array) => Uint8Array> {
    if (packing === 'gzip') return piece => gzipSync(piece);
    const { Zstd } = await import('@hpcc-js/wasm-zstd');
    const zstd = await Zstd.load();
    return piece => zstd.compress(piece);
}
