import type { Packing } from '#engine/sources/packing.ts';
import type { WrittenFile } from './bound-file.ts';
import type { MaybePromise } from './connector.ts';
import { packer } from './pack-bytes.ts';

/** Bytes that are packed together. */
const PIECE = 1 << 20;

/** Has the target written, packed where its file is. */
export function writePacked(packing: Packing | undefined, target: WrittenFile, write: (target: WrittenFile) => void): MaybePromise<void> {
    if (packing === undefined) return write(target);
    return packer(packing).then(pack => {
        const buffer = new Uint8Array(PIECE);
        let length = 0;
        let isEmpty = true;
        const flush = (): void => {
            target.write(pack(buffer.subarray(0, length)));
            length = 0;
            isEmpty = false;
        };
        const gather = (bytes: Uint8Array): void => {
            for (let at = 0; at < bytes.length; ) {
                const taken = bytes.subarray(at, at + PIECE - length);
                buffer.set(taken, length);
                length += taken.length;
                at += taken.length;
                if (length === PIECE) flush();
            }
        };
        write({ ...target, write: gather });
        if (length > 0 || isEmpty) flush();
    });
}
