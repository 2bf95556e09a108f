import { endianness } from 'node:os';
import type { DuckDBVector } from '@duckdb/node-api';

/** What the driver's vectors have inside, as far as it is used here. */
interface VectorFields {
    readonly items?: unknown;
    readonly dataView?: unknown;
    readonly validity?: { data?: unknown };
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
    return isLittle ? new Int32Array(items.buffer, items.byteOffset, 2 * items.length) : undefined;
}

const isLittle = endianness() === 'LE';

/** The sixteen bytes of each text of a vector: its length, and the text itself where it has up to `SHORT` bytes. */
export function textsOf(vector: DuckDBVector): DataView | undefined {
    const { dataView } = vector as VectorFields;
    return dataView instanceof DataView && isLittle ? dataView : undefined;
}

export const SHORT = 12;

/** One bit per value, set where it is not NULL; undefined where none is. */
export function validityOf(vector: DuckDBVector): BigUint64Array | undefined {
    const data = (vector as VectorFields).validity?.data;
    return data instanceof BigUint64Array ? data : undefined;
}
