import type { DuckDBValue, DuckDBVector } from '@duckdb/node-api';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { DuckDb } from './duckdb.ts';
import { allValid, rawVector, SHORT, textsOf } from './vector-memory.ts';

/**
 * Writes texts into vectors as DuckDB has them there, and the long ones of a vector in one piece that it points into: the driver gives each
 * by itself, at several times the cost. What a vector points to stays until the next one is written; appended rows are copies.
 */
export function textRows(
    value: (id: ValueId) => DuckDBValue,
    dictionary: Dictionary,
    duckdb: DuckDb,
): (vector: DuckDBVector, ids: Int32Array, from: number, count: number) => void {
    const encoder = new TextEncoder();
    const heap = duckdb.DuckDBDataChunk.create([duckdb.BLOB], 1);
    /** The texts, each at a word of its own and filled up with zeros. */
    let words = new Int32Array(1 << 14);
    let lengths = new Int32Array(0);
    /** The vector that was written last, and a view of it as values of sixteen bytes. */
    let written: { readonly vector: DuckDBVector; readonly rows: DuckDBVector | undefined } | undefined;

    /** The vectors of a chunk are the same ones again and again, and a view is a copy. */
    const viewOf = (vector: DuckDBVector, count: number): DuckDBVector | undefined => {
        if (written?.vector !== vector) {
            const raw = rawVector(vector);
            written = { vector, rows: raw && duckdb.DuckDBHugeIntVector.fromRawVector(raw, count) };
        }
        return written.rows;
    };

    const reserve = (least: number, used: number): void => {
        if (least <= words.length) return;
        const longer = new Int32Array(Math.max(2 * words.length, least));
        longer.set(words.subarray(0, used));
        words = longer;
    };

    /** Puts a text at a word, and says how many bytes it has. */
    const put = (id: ValueId, at: number): number => {
        if (dictionary.kind(id) === 'string') {
            const length = dictionary.copyWords(id, words, at);
            if (at + wordsOf(length) <= words.length) return length;
            reserve(at + wordsOf(length), at);
            return dictionary.copyWords(id, words, at);
        }
        const encoded = encoder.encode(String(value(id)));
        const count = wordsOf(encoded.length);
        reserve(at + count, at);
        words.fill(0, at, at + count);
        new Uint8Array(words.buffer).set(encoded, at * 4);
        return encoded.length;
    };

    /** Returns the address of DuckDB's copy of the words. */
    const addressOf = (used: number): { readonly low: number; readonly high: number } => {
        heap.reset();
        heap.rowCount = 1;
        const blob = heap.getColumnVector(0);
        blob.setItem(0, new duckdb.DuckDBBlobValue(new Uint8Array(words.buffer, 0, used * 4)));
        blob.flush();
        const entry = textsOf(duckdb.DuckDBBlobVector.fromRawVector(rawVector(blob)!, 1))!;
        return { low: entry.getUint32(8, true), high: entry.getUint32(12, true) };
    };

    return (vector, ids, from, count) => {
        if (lengths.length < count) lengths = new Int32Array(count);
        let used = 0;
        let longest = 0;
        for (let row = 0; row < count && used < LARGEST; row++) {
            const id = ids[from + row]!;
            const length = dictionary.isNull(id) ? NULL : put(id, used);
            lengths[row] = length;
            if (length > longest) longest = length;
            used += wordsOf(length);
        }
        const rows = viewOf(vector, count);
        const texts = rows && textsOf(rows);
        if (rows === undefined || texts === undefined || used >= LARGEST) {
            for (let row = 0; row < count; row++) vector.setItem(row, value(ids[from + row]!));
            vector.flush();
            return;
        }
        const { low, high } = longest > SHORT ? addressOf(used) : NOWHERE;
        const entries = new Int32Array(texts.buffer, texts.byteOffset, 4 * count);
        allValid(rows);
        let at = 0;
        for (let row = 0; row < count; row++) {
            const length = lengths[row]!;
            const entry = 4 * row;
            if (length === NULL) {
                rows.setItem(row, null);
                continue;
            }
            entries[entry] = length;
            entries[entry + 1] = length > 0 ? words[at]! : 0;
            if (length > SHORT) {
                const address = low + at * 4;
                entries[entry + 2] = address;
                entries[entry + 3] = high + (address < 2 ** 32 ? 0 : 1);
            } else {
                entries[entry + 2] = length > 4 ? words[at + 1]! : 0;
                entries[entry + 3] = length > 8 ? words[at + 2]! : 0;
            }
            at += wordsOf(length);
        }
        rows.flush();
    };
}

function wordsOf(length: number): number {
    return (length + 3) >> 2;
}

/** In place of the length of a text: rounded up, it takes no words. */
const NULL = -1;
const NOWHERE = { low: 0, high: 0 };
/** Words of the texts of a vector that are put in one piece. */
const LARGEST = 1 << 26;
