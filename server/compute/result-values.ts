import type { DuckDBType, DuckDBValue, DuckDBVector } from '@duckdb/node-api';
import type { AnswerTarget } from '#engine/contracts/answer-target.ts';
import { QueryFailed } from '#engine/contracts/queries.ts';
import { dateText, daysOfPlainDate, isCalendarDay } from '#engine/values/calendar.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { hashOfText, textHash } from '#engine/values/string-store.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import type { DuckDb } from './duckdb.ts';
import { itemsOf, longTextsOf, SHORT, textsOf, validityOf, wordsOf } from './vector-memory.ts';

const LEAST_LONG = -(2n ** 63n);
const MOST_LONG = 2n ** 63n - 1n;
const MICROS_PER_DAY = 86_400_000_000n;
const FIRST_MOMENT = BigInt(daysOfPlainDate(1, 1, 1)) * MICROS_PER_DAY;
const END_OF_MOMENTS = BigInt(daysOfPlainDate(10_000, 1, 1)) * MICROS_PER_DAY;

interface Missing extends Pick<AnswerTarget, 'freshNull'> {
    /**
     * Returns a value for a text that is not one, with its row. Such are NaN and infinities, whole numbers beyond 64 bits, and days beyond
     * the calendar. If this is absent, the first are unknown, and such numbers an error.
     */
    readonly unread?: (text: string, row: number) => ValueId;
}

/** Puts the first values of a vector into a column, as values of a run: NULL as an unknown value of its own. */
export type ColumnReader = (vector: DuckDBVector, count: number, into: Int32Array) => void;

export function columnReader(dictionary: Dictionary, target: Missing, duckdb: DuckDb): ColumnReader {
    let at = 0;
    const { unread } = target;
    const gaps: Gaps = { freshNull: () => target.freshNull(), ...(unread && { unread: text => unread(text, at) }) };
    const readValue = valueReader(dictionary, gaps, duckdb);
    const readTexts = textsReader(dictionary, duckdb);
    return (vector, count, into) => {
        const valid = validityOf(vector);
        const words = valid && wordsOf(valid);
        const isValid = (row: number): boolean =>
            words === undefined ? valid === undefined || vector.getItem(row) !== null : (words[row >> 5]! & (1 << row)) !== 0;
        if (vector instanceof duckdb.DuckDBVarCharVector && readTexts(vector, count, isValid, into)) {
            for (let row = 0; row < count; row++) if (!isValid(row)) into[row] = target.freshNull();
            return;
        }
        const read = itemReader(vector, dictionary, gaps, duckdb) ?? (row => readValue(vector.getItem(row) as DuckDBValue));
        for (at = 0; at < count; at++) into[at] = isValid(at) ? read(at) : target.freshNull();
    };
}

/** As `Missing`, of the row under way. */
interface Gaps extends Pick<AnswerTarget, 'freshNull'> {
    readonly unread?: (text: string) => ValueId;
}

/** Reads values that are not NULL where the database keeps them; undefined where they are to be asked for. */
function itemReader(vector: DuckDBVector, dictionary: Dictionary, gaps: Gaps, duckdb: DuckDb): ((row: number) => ValueId) | undefined {
    if (vector instanceof duckdb.DuckDBIntegerVector) {
        const items = itemsOf(vector, Int32Array);
        return items && (row => dictionary.number(items[row]!));
    }
    if (vector instanceof duckdb.DuckDBDoubleVector) {
        const items = itemsOf(vector, Float64Array);
        return items && (row => numberOrNull(items[row]!, dictionary, gaps));
    }
    if (vector instanceof duckdb.DuckDBDateVector) {
        const items = itemsOf(vector, Int32Array);
        return items && (row => dateOrNull(items[row]!, dictionary, gaps));
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
            // Within three centuries of 1970.
            value => dictionary.instant(value),
            value => momentOrNull(value, gaps) ?? dictionary.timestamp(value),
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

/** Infinities and NaN have no value of their own. */
function numberOrNull(value: number, dictionary: Dictionary, { freshNull, unread = freshNull }: Gaps): ValueId {
    return Number.isFinite(value) ? dictionary.number(value) : unread(String(value));
}

function integerOrNull(value: bigint, dictionary: Dictionary, { unread = beyondLong }: Gaps): ValueId {
    return value >= LEAST_LONG && value <= MOST_LONG ? dictionary.bigint(value) : unread(String(value));
}

function beyondLong(text: string): never {
    throw new QueryFailed(say`${text} is beyond 64 bits`);
}

function dateOrNull(days: number, dictionary: Dictionary, { unread }: Gaps): ValueId {
    return unread === undefined || isCalendarDay(days) ? dictionary.date(days) : unread(dayText(days));
}

/** Returns the value for a moment beyond the calendar; undefined for any other. */
function momentOrNull(micros: bigint, { unread }: Gaps): ValueId | undefined {
    if (unread === undefined || (micros >= FIRST_MOMENT && micros < END_OF_MOMENTS)) return undefined;
    return unread(dayText(Number(micros / MICROS_PER_DAY)));
}

/** DuckDB has days of any size, and infinity for the last. */
function dayText(days: number): string {
    const text = dateText(days);
    return text.includes('NaN') ? (days < 0 ? '-infinity' : 'infinity') : text;
}

/**
 * Puts the texts of a vector into a column, all short ones at once and all long ones at once: those stand in the vector, and these elsewhere.
 * False, with any values in the column, where they are to be asked for.
 */
function textsReader(
    dictionary: Dictionary,
    duckdb: DuckDb,
): (vector: DuckDBVector, count: number, isValid: (row: number) => boolean, into: Int32Array) => boolean {
    let [starts, hashes] = [new Int32Array(0), new Int32Array(0)];
    return (vector, count, isValid, into) => {
        const texts = textsOf(vector);
        const long = texts && longTextsOf(texts, count, isValid, duckdb);
        if (texts === undefined || long === undefined) return false;
        if (starts.length < count) [starts, hashes] = [new Int32Array(count), new Int32Array(count)];
        const enter = (bytes: Uint8Array, startOf: (row: number, length: number) => number): void => {
            const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
            for (let row = 0; row < count; row++) {
                const length = texts.getUint32(16 * row, true);
                const start = isValid(row) ? startOf(row, length) : -1;
                starts[row] = start;
                if (start < 0) continue;
                into[row] = length;
                hashes[row] = textHash(hashOfText(view, start, start + length), length);
            }
            dictionary.utf8All(bytes, view, starts, into, hashes, 0, count);
        };
        const own = new Uint8Array(texts.buffer, texts.byteOffset, texts.byteLength);
        enter(own, (row, length) => (length <= SHORT ? 16 * row + 4 : -1));
        if (long.bytes.length > 0) enter(long.bytes, row => long.starts[row]!);
        return true;
    };
}

/** Turns the values of a result's column into values of a run: NULL into an unknown value of its own. */
function valueReader(dictionary: Dictionary, gaps: Gaps, duckdb: DuckDb): (value: DuckDBValue) => ValueId {
    const read = (value: DuckDBValue): ValueId => {
        switch (typeof value) {
            case 'string':
                return dictionary.string(value);
            case 'number':
                return numberOrNull(value, dictionary, gaps);
            case 'bigint':
                return integerOrNull(value, dictionary, gaps);
            case 'boolean':
                return dictionary.boolean(value);
            default:
                return value === null ? gaps.freshNull() : readObject(value);
        }
    };
    const moment = (micros: bigint): ValueId => momentOrNull(micros, gaps) ?? dictionary.timestamp(micros);
    const readObject = (value: object): ValueId => {
        if (value instanceof duckdb.DuckDBDateValue) return dateOrNull(value.days, dictionary, gaps);
        if (value instanceof duckdb.DuckDBTimestampValue || value instanceof duckdb.DuckDBTimestampTZValue) return moment(value.micros);
        if (value instanceof duckdb.DuckDBTimestampSecondsValue) return moment(value.seconds * 1_000_000n);
        if (value instanceof duckdb.DuckDBTimestampMillisecondsValue) return moment(value.millis * 1_000n);
        if (value instanceof duckdb.DuckDBTimestampNanosecondsValue) return moment(value.nanos / 1_000n);
        if (value instanceof duckdb.DuckDBDecimalValue)
            return value.scale === 0 ? integerOrNull(value.value, dictionary, gaps) : dictionary.number(value.toDouble());
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

/** The type of the values that are read from a column of an answer; undefined where the language has no such values. */
export function typeOfAnswer(type: DuckDBType, duckdb: DuckDb): Type | undefined {
    const { DuckDBTypeId: id } = duckdb;
    switch (type.typeId) {
        case id.BOOLEAN:
            return { kind: 'boolean' };
        case id.TINYINT:
        case id.SMALLINT:
        case id.INTEGER:
        case id.UTINYINT:
        case id.USMALLINT:
            return { kind: 'int' };
        case id.BIGINT:
        case id.HUGEINT:
        case id.UINTEGER:
        case id.UBIGINT:
        case id.UHUGEINT:
            return { kind: 'long' };
        case id.FLOAT:
        case id.DOUBLE:
            return { kind: 'double' };
        case id.DECIMAL:
            return { kind: type instanceof duckdb.DuckDBDecimalType && type.scale === 0 ? 'long' : 'double' };
        case id.DATE:
            return { kind: 'date' };
        case id.TIMESTAMP:
        case id.TIMESTAMP_S:
        case id.TIMESTAMP_MS:
        case id.TIMESTAMP_NS:
        case id.TIMESTAMP_TZ:
            return { kind: 'timestamp' };
        case id.VARCHAR:
        case id.ENUM:
        case id.UUID:
            return { kind: 'string' };
        default:
            return typeOfCollection(type, duckdb);
    }
}

function typeOfCollection(type: DuckDBType, duckdb: DuckDb): Type | undefined {
    const inner = (item: DuckDBType): Type => typeOfAnswer(item, duckdb) ?? MIXED;
    if (type instanceof duckdb.DuckDBListType || type instanceof duckdb.DuckDBArrayType)
        return { kind: 'list', element: inner(type.valueType) };
    if (type instanceof duckdb.DuckDBMapType) return { kind: 'map', key: inner(type.keyType), value: inner(type.valueType) };
    if (type instanceof duckdb.DuckDBStructType)
        return { kind: 'struct', fields: type.entryNames.map((name, i) => ({ name, type: inner(type.entryTypes[i]!) })) };
    return undefined;
}
