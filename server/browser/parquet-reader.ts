import { QueryFailed } from '#engine/queries.ts';
import { readParquetFooter } from '#engine/sources/parquet-footer.ts';
import { unpackedBytes } from '#engine/sources/unpacked-bytes.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import type { ClosedDatabase } from '#server/compute/closed-database.ts';
import type { ParquetScan, ScannedRows } from '#server/compute/parquet-reader.ts';
import { bytesUnder } from './file-system.ts';

/** Rows that are added at a time. */
const CHUNK = 2048;
const LEAST_LONG = -(2n ** 63n);
const MOST_LONG = 2n ** 63n - 1n;

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
    const names = wanted.map(column => columns[column]?.name ?? '');
    const readers = wanted.map((column, i) => valueReader(columns[column]?.type, dictionary, () => rows.nullFor(i)));
    const ids = wanted.map(() => new Int32Array(CHUNK));
    const give = (found: readonly (readonly unknown[])[]): void => {
        for (let from = 0; from < found.length; from += CHUNK) {
            const count = Math.min(CHUNK, found.length - from);
            for (const [i, column] of ids.entries()) {
                for (let row = 0; row < count; row++) column[row] = readers[i]?.(found[from + row]?.[i]) ?? 0;
            }
            rows.add(ids, count);
        }
    };
    const file = bytes.slice().buffer as ArrayBuffer;
    try {
        const metadata = parquetMetadata(file);
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

/** Turns what the file has in a column of a type into values of a run. */
function valueReader(type: Type | undefined, dictionary: Dictionary, freshNull: () => ValueId): (value: unknown) => ValueId {
    const inner = innerReader(type, dictionary, freshNull);
    return value => {
        switch (typeof value) {
            case 'string':
                return dictionary.string(value);
            case 'number':
                return Number.isFinite(value) ? dictionary.number(value) : freshNull();
            case 'bigint':
                if (value < LEAST_LONG || value > MOST_LONG) throw new QueryFailed(say`${value} is beyond 64 bits`);
                return dictionary.bigint(value);
            case 'boolean':
                return dictionary.boolean(value);
            case 'object':
                if (value instanceof Day) return dictionary.date(value.days);
                if (value instanceof Moment) return dictionary.timestamp(value.micros);
                return value === null ? freshNull() : inner(value);
            default:
                return freshNull();
        }
    };
}

/** The same for values that have others in them. */
function innerReader(type: Type | undefined, dictionary: Dictionary, freshNull: () => ValueId): (value: object) => ValueId {
    switch (type?.kind) {
        case 'list': {
            const element = valueReader(type.element, dictionary, freshNull);
            return value => dictionary.list(Array.isArray(value) ? value.map(element) : []);
        }
        case 'struct': {
            const fields = (type.fields ?? []).map(field => ({
                name: field.name,
                id: dictionary.string(field.name),
                read: valueReader(field.type, dictionary, freshNull),
            }));
            return value => dictionary.struct(fields.flatMap(({ name, id, read }) => [id, read((value as Record<string, unknown>)[name])]));
        }
        case 'map': {
            const read = valueReader(type.value, dictionary, freshNull);
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
