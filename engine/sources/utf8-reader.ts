import { say } from '#language/program/say.ts';
import { type ReportContext, stop } from '../reports/reports.ts';
import type { ByteReader } from './source.ts';

type Decoder = InstanceType<typeof TextDecoder>;

/** Returns the decoder of an encoding; RT064 for an unknown one. */
export function requireEncoding(encoding: string, file: string, context: ReportContext): Decoder {
    const name = encoding.toLowerCase();
    const decoder = textDecoder(isUtf8(name) ? 'utf-8' : name === 'utf16' ? 'utf-16' : name);
    return decoder ?? stop('RT064', context, file, say`cannot be read: the encoding '${encoding}' is not known`);
}

/** Whether an encoding of this name, in small letters, needs no decoding. */
export function isUtf8(name: string): boolean {
    return name === 'utf-8' || name === 'utf8' || name === 'us-ascii' || name === 'ascii';
}

/** The bytes of a text source as UTF-8. Bytes that the encoding does not know end the run with RT064. */
export function utf8Reader(bytes: ByteReader, encoding: string, file: string, context: ReportContext): ByteReader {
    const name = encoding.toLowerCase();
    if (isUtf8(name)) return bytes;
    const first = new Uint8Array(2);
    let held = 0;
    for (let got = 1; held < 2 && got > 0; held += got) got = bytes.read(first.subarray(held));
    const isBigEndian = (name === 'utf-16' || name === 'utf16') && first[0] === 0xfe && first[1] === 0xff;
    const decoder = isBigEndian ? new TextDecoder('utf-16be', { fatal: true }) : requireEncoding(encoding, file, context);
    return transcoding(bytes, decoder, first.subarray(0, held), () =>
        stop('RT064', context, file, say`is not ${encoding}: some of its bytes have no meaning in this encoding`),
    );
}

function textDecoder(label: string): Decoder | undefined {
    try {
        return new TextDecoder(label, { fatal: true });
    } catch (error) {
        if (error instanceof RangeError) return undefined;
        throw error;
    }
}

function transcoding(bytes: ByteReader, decoder: Decoder, start: Uint8Array, broken: () => never): ByteReader {
    const encoder = new TextEncoder();
    const chunk = new Uint8Array(1 << 16);
    let pending = encoder.encode(decoded(decoder, start, broken));
    let ended = false;
    return {
        read: into => {
            while (pending.length === 0 && !ended) {
                const got = bytes.read(chunk);
                ended = got === 0;
                pending = encoder.encode(decoded(decoder, ended ? undefined : chunk.subarray(0, got), broken));
            }
            const taken = pending.subarray(0, into.length);
            into.set(taken);
            pending = pending.subarray(taken.length);
            return taken.length;
        },
    };
}

function decoded(decoder: Decoder, bytes: Uint8Array | undefined, broken: () => never): string {
    try {
        return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (error) {
        if (error instanceof TypeError) return broken();
        throw error;
    }
}

/** The offset of the first byte that is not part of well-formed UTF-8, or -1 (Unicode 15, table 3-7). */
export function invalidUtf8(bytes: Uint8Array, start: number, end: number): number {
    let i = start;
    while (i < end) {
        const lead = bytes[i]!;
        if (lead < 0x80) {
            i++;
            continue;
        }
        const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
        if (length === 0 || i + length > end) return i;
        const second = bytes[i + 1]!;
        const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
        const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
        if (second < lowest || second > highest) return i;
        for (let k = 2; k < length; k++) if ((bytes[i + k]! & 0xc0) !== 0x80) return i;
        i += length;
    }
    return -1;
}
