import { Decompress } from 'fzstd';
import { Inflate } from 'pako';
import type { Packing } from './packing.ts';

/** Gives whatever is there after each piece of input (zlib's `Z_SYNC_FLUSH`). */
const FLUSH = 2;
/** Window bits of zlib for gzip and nothing else. */
const GZIP = 31;

/** Takes packed bytes piece by piece; throws where they are not what they should be. */
interface Unpacker {
    push(bytes: Uint8Array): void;
    /** No more bytes follow. */
    end(): void;
}

/** Unpacks what is pushed, and gives it in pieces. */
export function unpackerOf(packing: Packing, give: (piece: Uint8Array) => void): Unpacker {
    return packing === 'gzip' ? gzipUnpacker(give) : zstdUnpacker(give);
}

/** A gzip file is a sequence of packed pieces, and zeros may fill its end. */
function gzipUnpacker(give: (piece: Uint8Array) => void): Unpacker {
    let inflate: Inflate | undefined;
    const begun = (): Inflate => {
        const next = new Inflate({ windowBits: GZIP });
        next.onData = give;
        next.onEnd = () => undefined;
        return next;
    };
    return {
        push: bytes => {
            if (inflate?.ended === true && bytes[0] === 0) return;
            if (inflate === undefined || inflate.ended) inflate = begun();
            inflate.push(bytes, FLUSH);
            if (inflate.err !== 0) throw new Error(inflate.msg);
        },
        end: () => {
            if (inflate?.ended !== true) throw new Error('unexpected end');
        },
    };
}

function zstdUnpacker(give: (piece: Uint8Array) => void): Unpacker {
    const decoder = new Decompress(give);
    return { push: bytes => decoder.push(bytes), end: () => decoder.push(new Uint8Array(0), true) };
}
