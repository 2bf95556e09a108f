import type { DuckDBValue, DuckDBVector } from '@duckdb/node-api';
import type { AnswerTarget } from '#engine/answer-target.ts';
import { QueryFailed } from '#engine/queries.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import type { DuckDb } from './duckdb.ts';
import { itemsOf, SHORT, textsOf, validityOf, wordsOf } from './vector-memory.ts';

const LEAST_LONG = -(2n ** 63n);
const MOST_LONG = 2n ** 63n - 1n;

type FreshNulls = Pick<AnswerTarget, 'freshNull'>;

/** Puts the first values of a vector into a column, as values of a run: NULL as an unknown value of its own. */
export type ColumnReader = (vector: DuckDBVector, count: number, into: Int32Array) => void;

export function columnReader(dictionary: Dictionary, target: FreshNulls, duckdb: DuckDb): ColumnReader {
    const readValue = valueReader(dictionary, target, duckdb);
    return (vector, count, into) => {
        const read = itemReader(vector, dictionary, target, duckdb) ?? (row => readValue(vector.getItem(row) as DuckDBValue));
        const valid = validityOf(vector);
        const words = valid && wordsOf(valid);
        for (let row = 0; row < count; row++) {
            const isNull =
                words === undefined ? valid !== undefined && vector.getItem(row) === null : (words[row >> 5]! & (1 << row)) === 0;
            into[row] = isNull ? target.freshNull() : read(row);
        }
    };
}

/** Reads values that are not NULL where the database keeps them; undefined where they are to be asked for. */
function itemReader(
    vector: DuckDBVector,
    dictionary: Dictionary,
    target: FreshNulls,
    duckdb: DuckDb,
): ((row: number) => ValueId) | undefined {
    if (vector instanceof duckdb.DuckDBVarCharVector) return textReader(vector, dictionary);
    if (vector instanceof duckdb.DuckDBIntegerVector) {
        const items = itemsOf(vector, Int32Array);
        return items && (row => dictionary.number(items[row]!));
    }
    if (vector instanceof duckdb.DuckDBDoubleVector) {
        const items = itemsOf(vector, Float64Array);
        return items && (row => numberOrNull(items[row]!, dictionary, target));
    }
    if (vector instanceof duckdb.DuckDBDateVector) {
        const items = itemsOf(vector, Int32Array);
        return items && (row => dictionary.date(items[row]!));
    }
    if (vector instanceof duckdb.DuckDBBigIntVector)
        return longReader(
            vector,
            value => dictionary.number(value),
            value => dictionary.bigint(value),
        );
    if (vector instanceof duckdb.DuckDBTimestampVector || vector instanceof duckdb.DuckDBTimestampTZVector)
        return longReader(
            vector,
            value => dictionary.instant(value),
            value => dictionary.timestamp(value),
        );
    return undefined;
}

/** Integers of 64 bits: `near` takes those below 2^53, `far` all others. */
function longReader(
    vector: DuckDBVector,
    near: (value: number) => ValueId,
    far: (value: bigint) => ValueId,
): ((row: number) => ValueId) | undefined {
    const items = itemsOf(vector, BigInt64Array);
    const words = items && wordsOf(items);
    if (words === undefined) return undefined;
    return row => {
        const high = words[2 * row + 1]!;
        const isNear = high >= -EXACT_HIGH && high < EXACT_HIGH;
        return isNear ? near(high * 2 ** 32 + (words[2 * row]! >>> 0)) : far(items![row]!);
    };
}

/** The least upper half of an integer that a double does not hold. */
const EXACT_HIGH = 2 ** 21;

/** Infinities and what is no number have no value of their own. */
function numberOrNull(value: number, dictionary: Dictionary, { freshNull }: FreshNulls): ValueId {
    return Number.isFinite(value) ? dictionary.number(value) : freshNull();
}

/** Short texts stand in the vector; long ones are asked for. */
function textReader(vector: DuckDBVector, dictionary: Dictionary): ((row: number) => ValueId) | undefined {
    const texts = textsOf(vector);
    if (texts === undefined) return undefined;
    const bytes = new Uint8Array(texts.buffer, texts.byteOffset, texts.byteLength);
    return row => {
        const at = 16 * row;
        const length = texts.getUint32(at, true);
        return length <= SHORT ? dictionary.utf8(bytes, at + 4, at + 4 + length) : dictionary.string(vector.getItem(row) as string);
    };
}

/** Turns the values of a result's column into values of a run: NULL into an unknown value of its own. */
function valueReader(dictionary: Dictionary, target: FreshNulls, duckdb: DuckDb): (value: DuckDBValue) => ValueId {
    const read = (value: DuckDBValue): ValueId => {
        switch (typeof value) {
            case 'string':
                return dictionary.string(value);
            case 'number':
                return numberOrNull(value, dictionary, target);
            case 'bigint':
                if (value < LEAST_LONG || value > MOST_LONG) throw new QueryFailed(say`${value} is beyond 64 bits`);
                return dictionary.bigint(value);
            case 'boolean':
                return dictionary.boolean(value);
            default:
                return value === null ? target.freshNull() : readObject(value);
        }
    };
    const readObject = (value: object): ValueId => {
        if (value instanceof duckdb.DuckDBDateValue) return dictionary.date(value.days);
        if (value instanceof duckdb.DuckDBTimestampValue || value instanceof duckdb.DuckDBTimestampTZValue)
            return dictionary.timestamp(value.micros);
        if (value instanceof duckdb.DuckDBTimestampSecondsValue) return dictionary.timestamp(value.seconds * 1_000_000n);
        if (value instanceof duckdb.DuckDBTimestampMillisecondsValue) return dictionary.timestamp(value.millis * 1_000n);
        if (value instanceof duckdb.DuckDBTimestampNanosecondsValue) return dictionary.timestamp(value.nanos / 1_000n);
        if (value instanceof duckdb.DuckDBDecimalValue) return dictionary.number(value.toDouble());
        if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue)
            return dictionary.list(value.items.map(read));
        if (value instanceof duckdb.DuckDBStructValue)
            return dictionary.struct(Object.entries(value.entries).flatMap(([name, member]) => [dictionary.string(name), read(member)]));
        if (value instanceof duckdb.DuckDBMapValue)
            return dictionary.map(value.entries.flatMap(entry => [read(entry.key), read(entry.value)]));
        return dictionary.string(String(value));
    };
    return read;
}
