import type { DuckDBBlobVector, DuckDBVector } from '@duckdb/node-api';
import { keepsLowestFirst } from '#engine/values/string-store.ts';
import type { DuckDb } from './duckdb.ts';

/** Private fields of the driver's vectors that are used here. */
interface VectorFields {
    readonly items?: unknown;
    readonly dataView?: unknown;
    readonly validity?: { data?: unknown };
    readonly vector?: unknown;
}

/**
 * The values of a vector as the array of numbers that they are; undefined where it is not of this class. The driver keeps it to itself,
 * and gives and takes values one by one, each checked and some as objects, at many times the cost.
 */
export function itemsOf<Items extends Int32Array | Uint32Array | Uint16Array | Uint8Array | BigInt64Array | Float64Array>(
    vector: DuckDBVector,
    kind: abstract new (...values: never[]) => Items,
): Items | undefined {
    const { items } = vector as VectorFields;
    return items instanceof kind ? items : undefined;
}

/** 64-bit integers as pairs of words, the lower one first; undefined where the machine has them in the other order. */
export function wordsOf(items: BigInt64Array | BigUint64Array): Int32Array | undefined {
    return keepsLowestFirst ? new Int32Array(items.buffer, items.byteOffset, 2 * items.length) : undefined;
}

/**
 * The sixteen bytes of each text of a vector: its length, and the text itself where it has up to `SHORT` bytes, else its first four bytes and
 * its address.
 */
export function textsOf(vector: DuckDBVector): DataView | undefined {
    const { dataView } = vector as VectorFields;
    return dataView instanceof DataView && keepsLowestFirst ? dataView : undefined;
}

export const SHORT = 12;

/** Texts of which some are long: their bytes, with some more behind them, and where each begins; -1 for others. */
export interface LongTexts {
    readonly bytes: Uint8Array;
    readonly starts: Int32Array;
}

/**
 * The texts of a vector that have more than `SHORT` bytes, fetched in as few pieces as they lie in: mostly one after another in one page of a
 * file or one heap, where the driver fetches each by itself. Undefined where they lie too far apart to be sorted.
 *
 * What lies between two texts of a piece is fetched and not looked at. It is less than a page of memory, so that it is in the pages of the two.
 */
export function longTextsOf(
    texts: DataView,
    count: number,
    isValid: (row: number) => boolean,
    { DuckDBBlobVector }: DuckDb,
): LongTexts | undefined {
    if (count > ROWS) return undefined;
    const addresses = new Float64Array(count);
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let row = 0; row < count; row++) {
        if (texts.getUint32(16 * row, true) <= SHORT || !isValid(row)) continue;
        const address = texts.getUint32(16 * row + 12, true) * WORD + texts.getUint32(16 * row + 8, true);
        addresses[row] = address;
        if (address < least) least = address;
        if (address > most) most = address;
    }
    if (most === 0) return NONE;
    if (most - least > FARTHEST) return undefined;
    // Addresses with the numbers of their rows in the lower digits.
    let long = 0;
    for (let row = 0; row < count; row++) if (addresses[row]! > 0) addresses[long++] = (addresses[row]! - least) * ROWS + row;
    const sorted = addresses.subarray(0, long).sort();
    const starts = new Int32Array(count).fill(-1);
    const pieces: Uint8Array[] = [];
    let size = 0;
    const entry = new DataView(new ArrayBuffer(16));
    const fetched = new DuckDBBlobVector(entry, VALID, NO_VECTOR, 0, 1);
    for (let i = 0; i < sorted.length; ) {
        const from = Math.floor(sorted[i]! / ROWS);
        let to = from;
        for (; i < sorted.length; i++) {
            const at = Math.floor(sorted[i]! / ROWS);
            if (at - to >= GAP) break;
            const row = sorted[i]! % ROWS;
            starts[row] = size + at - from;
            to = Math.max(to, at + texts.getUint32(16 * row, true));
        }
        entry.setUint32(0, to - from, true);
        entry.setUint32(8, (least + from) % WORD, true);
        entry.setUint32(12, Math.floor((least + from) / WORD), true);
        pieces.push(fetched.getItemBytes(0)!);
        size += to - from;
        if (size > LARGEST) return undefined;
    }
    const bytes = new Uint8Array(size + BEHIND);
    let at = 0;
    for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.length;
    }
    return { bytes, starts };
}

type BlobParts = ConstructorParameters<typeof DuckDBBlobVector>;

/** For an entry of our own. */
const VALID = { itemValid: () => true } as unknown as BlobParts[1];
const NO_VECTOR = undefined as unknown as BlobParts[2];

const NONE: LongTexts = { bytes: new Uint8Array(0), starts: new Int32Array(0) };
const WORD = 2 ** 32;
/** Bytes behind the texts that may be read with the last one. */
const BEHIND = 8;
/** More than the rows of a chunk. */
const ROWS = 4096;
const FARTHEST = 2 ** 40;
/** Less than a page of memory, which has 4,096 bytes or more; to fetch so much costs as much as to fetch anew. */
const GAP = 2048;
/** Longer ones are fetched one by one. */
const LARGEST = 1 << 28;

/** One bit per value, set where it is not NULL; undefined where none is. */
export function validityOf(vector: DuckDBVector): BigUint64Array | undefined {
    const data = (vector as VectorFields).validity?.data;
    return data instanceof BigUint64Array ? data : undefined;
}

export function allValid(vector: DuckDBVector): void {
    validityOf(vector)?.fill(ALL);
}

const ALL = 2n ** 64n - 1n;

type RawVector = Parameters<typeof DuckDBBlobVector.fromRawVector>[0];

/** The vector behind one of the driver's, which is a view of it. */
export function rawVector(vector: DuckDBVector): RawVector | undefined {
    return (vector as VectorFields).vector as RawVector | undefined;
}
