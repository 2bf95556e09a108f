import { CsvCells } from './csv-cells.ts';
import type { CsvOptions } from './csv-options.ts';
import { type CsvInput, openText } from './csv-reader.ts';

/** Bytes at the front of a text that show how it is laid out. */
const FRONT = 1 << 16;
const [QUOTE, LF, CR] = [0x22, 0x0a, 0x0d];
/** The first line that Excel reads and writes to name the sign between cells. */
const SEPARATOR_LINE = /^\ufeff?sep=([^"\r\n])(?:\r?\n|\r|$)/iu;

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Whether the first line, of a CSV text the first one that ends outside quotes, ends with CRLF. */
export function endsWithCrLf(input: FrontInput, isCsv: boolean): boolean {
    const front = frontOf(input);
    let isQuoted = false;
    for (const [at, byte] of front.entries()) {
        if (byte === QUOTE && isCsv) isQuoted = !isQuoted;
        if (byte === LF && !isQuoted) return front[at - 1] === CR;
    }
    return false;
}

/** The options of a bind, with what the front of the text says of its layout besides. */
export function csvLayout({ options, ...input }: Omit<CsvInput, 'predicate'>): CsvOptions {
    const front = frontOf({ ...input, options });
    const [line, sign] = SEPARATOR_LINE.exec(decoder.decode(front.subarray(0, 16))) ?? [];
    const laidOut: CsvOptions = {
        ...options,
        ...(sign !== undefined && { namesDelimiter: true, ...(options.delimiter === ',' && { delimiter: sign }) }),
        ...(options.recordSeparator === undefined && endsAtCr(front) && { recordSeparator: '\r' }),
    };
    const body = line === undefined ? front : front.subarray(new TextEncoder().encode(line).length);
    return options.nullString === '' && isOneColumn(body, laidOut) ? { ...laidOut, hasBlankRows: true } : laidOut;
}

/** A text whose front is looked at. */
interface FrontInput extends Pick<CsvInput, 'bytes' | 'file' | 'context'> {
    readonly options: Pick<CsvOptions, 'packing' | 'encoding'>;
}

function frontOf(input: FrontInput): Uint8Array {
    const text = openText({ ...input, isFront: true });
    const front = new Uint8Array(FRONT);
    let length = 0;
    for (let got = -1; got !== 0 && length < FRONT; length += got) got = text.read(front.subarray(length));
    return front.subarray(0, length);
}

/** Lines end with CR alone: no other end is there, and a CR stands outside quotes. */
function endsAtCr(front: Uint8Array): boolean {
    let isQuoted = false;
    let found = false;
    for (const byte of front) {
        if (byte === LF) return false;
        if (byte === QUOTE) isQuoted = !isQuoted;
        if (byte === CR && !isQuoted) found = true;
    }
    return found;
}

/** The first record has one cell. A text of empty lines alone has no other. */
function isOneColumn(front: Uint8Array, options: CsvOptions): boolean {
    let at = 0;
    const bytes = {
        read: (into: Uint8Array): number => {
            const piece = front.subarray(at, at + into.length);
            into.set(piece);
            at += piece.length;
            return piece.length;
        },
    };
    try {
        const cells = new CsvCells(bytes, options, { fail: unfinished, checkpoint: () => undefined }, FRONT);
        return !cells.next() || cells.endsRecord;
    } catch (error) {
        if (error instanceof Unfinished) return false;
        throw error;
    }
}

/** A quote that is not closed in the front. */
class Unfinished extends Error {}

function unfinished(): never {
    throw new Unfinished();
}
