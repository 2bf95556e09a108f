import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { type ReportContext, RunStopped, stop } from '../reports/reports.ts';
import type { Packing } from './packing.ts';
import type { ByteReader } from './source.ts';
import { unpackerOf } from './unpacker.ts';

/** A packed file as reports name it. */
export interface PackedFile {
    readonly file: string;
    readonly context: ReportContext;
    /** Only the front of the file is there, so that it may end anywhere. */
    readonly isFront: boolean;
}

/** The largest number of bytes that a packed file may hold. */
const BYTES_LIMIT = 2 ** 36;
/** How many times its own size a packed file may hold, once that is more than so many bytes. */
const RATIO_LIMIT = 200;
const RATIO_FROM = 2 ** 24;

const PIECE = 1 << 14;

/** The bytes that a packed file holds, unpacked as they are asked for. RT064 for what is cut off or broken, and for more than a data file holds. */
export function unpackedBytes(packed: ByteReader, packing: Packing, { file, context, isFront }: PackedFile): ByteReader {
    const pieces: Uint8Array[] = [];
    let got = 0;
    let given = 0;
    let isEnded = false;
    const fail = (reason: string): never => stop('RT064', context, file, reason);
    const give = (piece: Uint8Array): void => {
        given += piece.length;
        if (given > BYTES_LIMIT) fail(say`holds more than ${countText(BYTES_LIMIT)} bytes, which is as much as is unpacked`);
        if (given > RATIO_FROM && given > got * RATIO_LIMIT)
            fail(
                say`holds more than ${RATIO_LIMIT} times its size, as files do that are made to fill memory; unpack it before if it is no such file`,
            );
        if (piece.length > 0) pieces.push(piece);
    };
    const unpacker = unpackerOf(packing, give);
    const chunk = new Uint8Array(PIECE);
    const unpackMore = (): void => {
        const count = packed.read(chunk);
        got += count;
        isEnded = count === 0;
        try {
            if (!isEnded) unpacker.push(chunk.slice(0, count));
            else if (!isFront) unpacker.end();
        } catch (error) {
            if (error instanceof RunStopped || !(error instanceof Error)) throw error;
            fail(
                isEnded
                    ? say`ends within its ${packing} data: a part of the file is missing`
                    : say`cannot be unpacked as ${packing}: ${error.message}; compression='none' reads a file that is not packed`,
            );
        }
    };
    return {
        read: into => {
            while (pieces.length === 0 && !isEnded) unpackMore();
            const [piece] = pieces;
            if (piece === undefined) return 0;
            const taken = piece.subarray(0, into.length);
            into.set(taken);
            if (taken.length === piece.length) pieces.shift();
            else pieces[0] = piece.subarray(taken.length);
            return taken.length;
        },
    };
}
