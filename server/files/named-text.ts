import { stop } from '#engine/reports/reports.ts';
import type { ByteReader } from '#engine/sources/source.ts';
import { say } from '#language/program/say.ts';
import { joinedBytes } from './joined-bytes.ts';
import { openNamed, openStandardInput } from './open-granted.ts';

/** A text file that the user named. */
export interface NamedText {
    readonly text: string;
    /** The file starts with a byte-order mark, which `text` leaves out. */
    readonly marked: boolean;
}

/** The largest text in bytes: more than any program, less than a string can hold. */
const LIMIT = 256 * 1024 * 1024;
const CHUNK = 1 << 18;

/** The name that stands for standard input. */
export const STANDARD_INPUT = '-';

/** Reads a file, or standard input, as UTF-8; RT064 where it cannot be read. */
export function readNamedText(file: string): NamedText {
    if (file === STANDARD_INPUT) return readText(openStandardInput(), say`standard input`);
    const opened = openNamed(file);
    try {
        return readText(opened, file);
    } finally {
        opened.close();
    }
}

/** Reads all of a text; RT064 where it is not UTF-8 or does not end. */
export function readText(bytes: ByteReader, file: string): NamedText {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
        const chunk = new Uint8Array(CHUNK);
        const got = bytes.read(chunk);
        if (got === 0) break;
        chunks.push(chunk.subarray(0, got));
        length += got;
        if (length > LIMIT) stop('RT064', { source: { file } }, file, say`is larger than ${LIMIT / 1024 / 1024} MiB`);
    }
    const whole = joinedBytes(chunks);
    try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(whole);
        return text.startsWith('\ufeff') ? { text: text.slice(1), marked: true } : { text, marked: false };
    } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return stop('RT064', { source: { file } }, file, say`is not UTF-8`);
    }
}
