import type { SchemaElement } from 'hyparquet';
import { QueryFailed } from '#engine/contracts/queries.ts';
import { readParquetFooter } from '#engine/sources/parquet-footer.ts';
import { unpackedBytes } from '#engine/sources/unpacked-bytes.ts';
import { dateText, isCalendarDay } from '#engine/values/calendar.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import type { ClosedDatabase } from '#server/compute/closed-database.ts';
import type { ParquetScan, ScannedRows, WantedColumn } from '#server/compute/parquet-reader.ts';
import { bytesUnder } from './file-system.ts';

/** Rows that are added at a time. */
const CHUNK = 2048;
const LEAST_LONG = -(2n ** 63n);
const MOST_LONG = 2n ** 63n - 1n;
const MICROS_PER_DAY = 86_400_000_000n;

/** A day, and a moment, as a file has them: what stands for them elsewhere is less exact. */
class Day {
    readonly days: number;
    constructor(days: number) {
        this.days = days;
    }
}
class Moment {
    readonly micros: bigint;
    constructor(micros: bigint) {
        this.micros = micros;
    }
}

const decoder = new TextDecoder();
const PARSERS = {
    // Asked for decimal numbers, which keep their digits.
    geometryFromBytes: (value: unknown) => value,
    dateFromDays: (days: number | undefined) => (days === undefined ? undefined : new Day(days)),
    timestampFromMilliseconds: (millis: bigint | undefined) => (millis === undefined ? undefined : new Moment(millis * 1000n)),
    timestampFromMicroseconds: (micros: bigint | undefined) => (micros === undefined ? undefined : new Moment(micros)),
    timestampFromNanoseconds: (nanos: bigint | undefined) => (nanos === undefined ? undefined : new Moment(nanos / 1000n)),
    jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
};
const COMPRESSORS = {
    GZIP: (bytes: Uint8Array, length: number) => unpacked(bytes, length, 'gzip'),
    ZSTD: (bytes: Uint8Array, length: number) => unpacked(bytes, length, 'zstd'),
};

/** Reads a Parquet file of the page, as DuckDB reads it elsewhere. All rows are given, whatever is needed of them. */
export async function readParquet(
    _: ClosedDatabase,
    { path, wanted }: Pick<ParquetScan, 'path' | 'wanted'>,
    dictionary: Dictionary,
    rows: ScannedRows,
): Promise<void> {
    // A page loads it for programs that read such files.
    const { parquetMetadata, parquetRead } = await import('hyparquet');
    const bytes = bytesUnder(path);
    const reason = (text: string): never => {
        throw new QueryFailed(text);
    };
    const { columns } = readParquetFooter({ size: bytes.length, readAt: (into, position) => copied(bytes, into, position) }, reason);
    const names = wanted.map(({ at }) => columns[at]?.name ?? '');
    let unreadAt = 0;
    const readers = wanted.map(({ at, as }, i) => {
        const gaps = { freshNull: () => rows.nullFor(i), unread: (text: string) => rows.unread(i, text, unreadAt) };
        const { type, scale, excess } = columns[at] ?? {};
        if (excess === undefined && scale === undefined) return valueReader(type, dictionary, gaps);
        return numberReader(scale ?? 0, as, dictionary, gaps);
    });
    const ids = wanted.map(() => new Int32Array(CHUNK));
    const give = (found: readonly (readonly unknown[])[]): void => {
        for (let from = 0; from < found.length; from += CHUNK) {
            const count = Math.min(CHUNK, found.length - from);
            for (const [i, column] of ids.entries()) {
                for (let row = 0; row < count; row++) {
                    unreadAt = row;
                    column[row] = readers[i]?.(found[from + row]?.[i]) ?? 0;
                }
            }
            rows.add(ids, count);
        }
    };
    const file = bytes.slice().buffer as ArrayBuffer;
    try {
        const metadata = parquetMetadata(file);
        keepDigits(metadata.schema);
        let rowStart = 0;
        for (const { num_rows: count } of metadata.row_groups) {
            const rowEnd = rowStart + Number(count);
            let group: unknown[][] = Array.from({ length: Number(count) }, () => []);
            const onComplete = (found: unknown[][]): void => {
                group = found;
            };
            if (names.length > 0)
                await parquetRead({
                    file,
                    metadata,
                    columns: names,
                    rowStart,
                    rowEnd,
                    parsers: PARSERS,
                    compressors: COMPRESSORS,
                    geoparquet: false,
                    onComplete,
                });
            give(group);
            rowStart = rowEnd;
        }
    } catch (error) {
        if (!(error instanceof Error) || error.constructor !== Error) throw error;
        throw new QueryFailed(error.message);
    }
}

/** Columns of decimal numbers are read as the bytes or whole numbers that the file has; those within others are rounded to doubles. */
function keepDigits(schema: SchemaElement[]): void {
    let at = 1;
    const pass = (): void => {
        const children = schema[at++]?.num_children ?? 0;
        for (let i = 0; i < children; i++) pass();
    };
    while (at < schema.length) {
        const element = schema[at];
        const isDecimal = element?.converted_type === 'DECIMAL' || element?.logical_type?.type === 'DECIMAL';
        if (element !== undefined && isDecimal && element.repetition_type !== 'REPEATED') {
            const { converted_type: _, ...rest } = element;
            schema[at] = { ...rest, logical_type: { type: 'GEOMETRY' } };
        }
        pass();
    }
}

interface Gaps {
    readonly freshNull: () => ValueId;
    /** Returns a value for a text that is not a value of its column. */
    readonly unread: (text: string) => ValueId;
}

/** Reads whole numbers, and decimal ones with so many digits behind the point, as the reader elsewhere does. */
function numberReader(
    scale: number,
    as: WantedColumn['as'],
    dictionary: Dictionary,
    { freshNull, unread }: Gaps,
): (value: unknown) => ValueId {
    return value => {
        if (value === null || value === undefined) return freshNull();
        const whole = value instanceof Uint8Array ? integerOf(value) : BigInt(value as number | bigint);
        const text = decimalText(whole, scale);
        if (as === 'digits') return dictionary.string(text);
        if (as === 'double' || scale > 0) return dictionary.number(Number(text));
        return whole < LEAST_LONG || whole > MOST_LONG ? unread(text) : dictionary.bigint(whole);
    };
}

/** A number of any size, highest byte first. */
function integerOf(bytes: Uint8Array): bigint {
    const unsigned = bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
    return BigInt.asIntN(bytes.length * 8, unsigned);
}

function decimalText(whole: bigint, scale: number): string {
    if (scale === 0) return String(whole);
    const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
    return `${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Turns what the file has in a column of a type into values of a run. */
function valueReader(type: Type | undefined, dictionary: Dictionary, gaps: Gaps): (value: unknown) => ValueId {
    const { freshNull, unread } = gaps;
    const inner = innerReader(type, dictionary, gaps);
    const moment = ({ micros }: Moment): ValueId => {
        const days = Number(micros / MICROS_PER_DAY);
        return isCalendarDay(days) ? dictionary.timestamp(micros) : unread(dateText(days));
    };
    return value => {
        switch (typeof value) {
            case 'string':
                return dictionary.string(value);
            case 'number':
                return Number.isFinite(value) && (type?.kind !== 'long' || Number.isSafeInteger(value))
                    ? dictionary.number(value)
                    : unread(String(value));
            case 'bigint':
                return value < LEAST_LONG || value > MOST_LONG ? unread(String(value)) : dictionary.bigint(value);
            case 'boolean':
                return dictionary.boolean(value);
            case 'object':
                if (value instanceof Day) return isCalendarDay(value.days) ? dictionary.date(value.days) : unread(dateText(value.days));
                if (value instanceof Moment) return moment(value);
                return value === null ? freshNull() : inner(value);
            default:
                return freshNull();
        }
    };
}

/** The same for values that have others in them. */
function innerReader(type: Type | undefined, dictionary: Dictionary, gaps: Gaps): (value: object) => ValueId {
    switch (type?.kind) {
        case 'list': {
            const element = valueReader(type.element, dictionary, gaps);
            return value => dictionary.list(Array.isArray(value) ? value.map(element) : []);
        }
        case 'struct': {
            const fields = (type.fields ?? []).map(field => ({
                name: field.name,
                id: dictionary.string(field.name),
                read: valueReader(field.type, dictionary, gaps),
            }));
            return value => dictionary.struct(fields.flatMap(({ name, id, read }) => [id, read((value as Record<string, unknown>)[name])]));
        }
        case 'map': {
            const read = valueReader(type.value, dictionary, gaps);
            if (type.key.kind !== 'string') throw new QueryFailed(say`a page in a browser reads no maps whose keys are no texts`);
            return value => dictionary.map(Object.entries(value).flatMap(([key, of]) => [dictionary.string(key), read(of)]));
        }
        default:
            return value => dictionary.string(String(value));
    }
}

function unpacked(bytes: Uint8Array, length: number, packing: 'gzip' | 'zstd'): Uint8Array {
    let at = 0;
    const packed = {
        read: (into: Uint8Array): number => {
            const count = copied(bytes, into, at);
            at += count;
            return count;
        },
    };
    const reader = unpackedBytes(packed, packing, { file: '', context: {}, isFront: false });
    const all = new Uint8Array(length);
    for (let done = 0; done < length; ) {
        const count = reader.read(all.subarray(done));
        if (count === 0) throw new QueryFailed(say`a part of it is missing`);
        done += count;
    }
    return all;
}

function copied(bytes: Uint8Array, into: Uint8Array, position: number): number {
    const piece = bytes.subarray(position, position + into.length);
    into.set(piece);
    return piece.length;
}
