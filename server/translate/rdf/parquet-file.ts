/** A column of a Parquet file; no value is unknown. */
export interface ParquetColumn {
    readonly name: string;
    readonly values:
        | { readonly kind: 'string'; readonly all: readonly string[] }
        | { readonly kind: 'long'; readonly all: readonly bigint[] }
        | { readonly kind: 'double'; readonly all: readonly number[] }
        | { readonly kind: 'boolean'; readonly all: readonly boolean[] }
        /** Days since 1970. */
        | { readonly kind: 'date'; readonly all: readonly number[] }
        /** Microseconds since 1970. */
        | { readonly kind: 'timestamp'; readonly all: readonly bigint[] };
}

type Kind = ParquetColumn['values']['kind'];

/** Numbers of the format's types and of what they stand for (apache/parquet-format, parquet.thrift). */
const TYPES: Readonly<Record<Kind, { readonly physical: number; readonly converted?: number }>> = {
    string: { physical: 6, converted: 0 },
    long: { physical: 2 },
    double: { physical: 5 },
    boolean: { physical: 0 },
    date: { physical: 1, converted: 6 },
    timestamp: { physical: 2, converted: 10 },
};
const MAGIC = Buffer.from('PAR1');
const [VERSION, REQUIRED, PLAIN, RLE, UNCOMPRESSED] = [1, 0, 0, 3, 0];

/** The bytes of a Parquet file of some rows: one group, one plain page for each column, not compressed. */
export function parquetFile(columns: readonly ParquetColumn[], rows: number): Uint8Array {
    const pieces: Uint8Array[] = [MAGIC];
    let offset = MAGIC.length;
    const chunks = columns.map(({ name, values }) => {
        const page = plainValues(values);
        const header = struct(
            int32(1, 0),
            int32(2, page.length),
            int32(3, page.length),
            nested(5, struct(int32(1, rows), int32(2, PLAIN), int32(3, RLE), int32(4, RLE))),
        );
        const size = header.length + page.length;
        const metadata = struct(
            int32(1, TYPES[values.kind].physical),
            list(2, INT32, [varint(zigzag(PLAIN))]),
            list(3, BINARY, [binary(name)]),
            int32(4, UNCOMPRESSED),
            int64(5, rows),
            int64(6, size),
            int64(7, size),
            int64(9, offset),
        );
        const chunk = struct(int64(2, offset), nested(3, metadata));
        pieces.push(header, page);
        offset += size;
        return { chunk, size };
    });
    const root = struct(text(4, 'schema'), int32(5, columns.length));
    const fields = columns.map(({ name, values }) => {
        const { physical, converted } = TYPES[values.kind];
        return struct(int32(1, physical), int32(3, REQUIRED), text(4, name), ...(converted === undefined ? [] : [int32(6, converted)]));
    });
    const total = chunks.reduce((sum, { size }) => sum + size, 0);
    const group = struct(
        list(
            1,
            STRUCT,
            chunks.map(({ chunk }) => chunk),
        ),
        int64(2, total),
        int64(3, rows),
    );
    const footer = struct(
        int32(1, VERSION),
        list(2, STRUCT, [root, ...fields]),
        int64(3, rows),
        list(4, STRUCT, [group]),
        text(6, 'rulelang'),
    );
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    return Buffer.concat([...pieces, footer, length, MAGIC]);
}

function plainValues(values: ParquetColumn['values']): Uint8Array {
    switch (values.kind) {
        case 'string':
            return Buffer.concat(
                values.all.flatMap(value => {
                    const bytes = Buffer.from(value);
                    const length = Buffer.alloc(4);
                    length.writeUInt32LE(bytes.length);
                    return [length, bytes];
                }),
            );
        case 'long':
        case 'timestamp':
            return new Uint8Array(BigInt64Array.from(values.all).buffer);
        case 'double':
            return new Uint8Array(Float64Array.from(values.all).buffer);
        case 'date':
            return new Uint8Array(Int32Array.from(values.all).buffer);
        case 'boolean': {
            const bits = new Uint8Array(Math.ceil(values.all.length / 8));
            for (const [i, value] of values.all.entries()) if (value) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
            return bits;
        }
    }
}

/** A field of a struct in Thrift's compact protocol. */
interface Field {
    readonly id: number;
    readonly type: number;
    readonly bytes: Uint8Array;
}

const [INT32, INT64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12] as const;

function struct(...fields: readonly Field[]): Uint8Array {
    let last = 0;
    const pieces = fields.flatMap(({ id, type, bytes }) => {
        const header = Uint8Array.of(((id - last) << 4) | type);
        last = id;
        return [header, bytes];
    });
    return Buffer.concat([...pieces, Uint8Array.of(0)]);
}

function int32(id: number, value: number): Field {
    return { id, type: INT32, bytes: varint(zigzag(value)) };
}

function int64(id: number, value: number): Field {
    return { id, type: INT64, bytes: varint(zigzag(value)) };
}

function text(id: number, value: string): Field {
    return { id, type: BINARY, bytes: binary(value) };
}

function nested(id: number, bytes: Uint8Array): Field {
    return { id, type: STRUCT, bytes };
}

function list(id: number, type: number, elements: readonly Uint8Array[]): Field {
    const count = elements.length;
    const header = count < 15 ? Uint8Array.of((count << 4) | type) : Buffer.concat([Uint8Array.of(0xf0 | type), varint(BigInt(count))]);
    return { id, type: LIST, bytes: Buffer.concat([header, ...elements]) };
}

function binary(value: string): Uint8Array {
    const bytes = Buffer.from(value);
    return Buffer.concat([varint(BigInt(bytes.length)), bytes]);
}

function zigzag(value: number): bigint {
    return BigInt(value) * (value < 0 ? -2n : 2n) - (value < 0 ? 1n : 0n);
}

function varint(value: bigint): Uint8Array {
    const bytes: number[] = [];
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    return Uint8Array.from([...bytes, Number(rest)]);
}
