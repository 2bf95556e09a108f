import type { DuckDBValue, DuckDBVector } from '@duckdb/node-api';
import { type Dictionary, smallInteger } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { DuckDb } from './duckdb.ts';

/** Puts the ids of the first `count` values of a vector into `ids`. */
export type VectorReader = (vector: DuckDBVector, count: number, ids: Int32Array) => void;

/** What vectors of DuckDB's package hold, which it hands out value by value, each as an object. */
interface RawVector {
    readonly validity?: { readonly data: BigUint64Array | null };
    readonly items?: BigInt64Array | Int32Array | Float64Array;
    readonly dataView?: DataView;
}

const BYTES_PER_TEXT = 16;
/** Longer texts lie elsewhere. */
const LONGEST_INLINE = 12;
const SMALL = 2 ** 30;
/** The largest upper half of an integer below 2^53. */
const EXACT_UPPER = 2 ** 21;

/**
 * Reads vectors without an object per value where that is possible: whole numbers, doubles, dates, instants and short texts, which are a
 * tenth of the work then. `read` takes every other value, `nullOf` gives what stands for NULL.
 */
export function vectorReader(
    sample: DuckDBVector,
    dictionary: Dictionary,
    duckdb: DuckDb,
    read: (value: DuckDBValue) => ValueId,
    nullOf: () => ValueId,
): VectorReader {
    const plain = plainReader(sample, dictionary, duckdb);
    if (plain === undefined) {
        return (vector, count, ids) => {
            for (let row = 0; row < count; row++) {
                const value = vector.getItem(row);
                ids[row] = value === null ? nullOf() : read(value);
            }
        };
    }
    return (vector, count, ids) => {
        const raw = vector as unknown as RawVector;
        const bits = raw.validity?.data;
        const valid = bits ? new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength) : undefined;
        plain(raw, vector, count, ids, read, valid);
        if (valid !== undefined) for (let row = 0; row < count; row++) if (isNull(valid, row)) ids[row] = nullOf();
    };
}

/** `valid` has a bit for each row, 0 for NULL; undefined without any. */
type PlainReader = (
    raw: RawVector,
    vector: DuckDBVector,
    count: number,
    ids: Int32Array,
    read: (value: DuckDBValue) => ValueId,
    valid: Uint8Array | undefined,
) => void;

function isNull(valid: Uint8Array, row: number): boolean {
    return ((valid[row >> 3] ?? 0) & (1 << (row & 7))) === 0;
}

/** Undefined for vectors of other kinds; values under NULL are of no matter. */
function plainReader(sample: DuckDBVector, dictionary: Dictionary, duckdb: DuckDb): PlainReader | undefined {
    if (sample instanceof duckdb.DuckDBBigIntVector)
        return longs(
            value => dictionary.number(value),
            value => dictionary.bigint(value),
        );
    if (sample instanceof duckdb.DuckDBTimestampVector || sample instanceof duckdb.DuckDBTimestampTZVector)
        return longs(
            value => dictionary.instant(value),
            value => dictionary.timestamp(value),
            false,
        );
    if (sample instanceof duckdb.DuckDBIntegerVector) {
        return ({ items }, _, count, ids) => {
            for (let row = 0; row < count; row++) ids[row] = dictionary.number(Number(items?.[row]));
        };
    }
    if (sample instanceof duckdb.DuckDBDateVector) {
        return ({ items }, _, count, ids) => {
            for (let row = 0; row < count; row++) ids[row] = dictionary.date(Number(items?.[row]));
        };
    }
    return sample instanceof duckdb.DuckDBVarCharVector ? texts(dictionary) : undefined;
}

function longs(near: (value: number) => ValueId, far: (value: bigint) => ValueId, mayBeSmall = true): PlainReader {
    return ({ items }, _, count, ids) => {
        const longs = items as BigInt64Array;
        const halves = new Int32Array(longs.buffer, longs.byteOffset, count * 2);
        for (let row = 0; row < count; row++) {
            const lower = halves[2 * row] ?? 0;
            const upper = halves[2 * row + 1] ?? 0;
            if (mayBeSmall && upper === lower >> 31 && lower >= -SMALL && lower < SMALL) ids[row] = smallInteger(lower);
            else if (upper >= -EXACT_UPPER && upper < EXACT_UPPER) ids[row] = near(upper * 2 ** 32 + (lower >>> 0));
            else ids[row] = far(longs[row] ?? 0n);
        }
    };
}

function texts(dictionary: Dictionary): PlainReader {
    return ({ dataView }, vector, count, ids, read, valid) => {
        if (dataView === undefined) return;
        const bytes = new Uint8Array(dataView.buffer, dataView.byteOffset, dataView.byteLength);
        for (let row = 0; row < count; row++) {
            if (valid !== undefined && isNull(valid, row)) continue;
            const at = row * BYTES_PER_TEXT;
            const length = dataView.getUint32(at, true);
            ids[row] = length <= LONGEST_INLINE ? dictionary.utf8(bytes, at + 4, at + 4 + length) : read(vector.getItem(row));
        }
    };
}
