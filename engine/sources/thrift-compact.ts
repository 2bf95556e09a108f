/** A value of Thrift's compact protocol; whole numbers beyond 2^53 are rounded. */
export type ThriftValue = number | boolean | Uint8Array | readonly ThriftValue[] | ThriftStruct;

/** The fields of a struct by their numbers. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

const MOST_VALUES = 2_000_000;
const DEEPEST = 64;
const [STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
] as const;

/**
 * Reads the struct that the bytes start with, up to the field with the number `last`
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). Throws a `RangeError` for anything else.
 */
export function readThrift(bytes: Uint8Array, last: number): ThriftStruct {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    let count = 0;
    const byte = (): number => view.getUint8(at++);
    const unsigned = (): number => {
        let value = 0;
        let scale = 1;
        for (let i = 0; i < 10; i++, scale *= 128) {
            const part = byte();
            value += (part & 0x7f) * scale;
            if (part < 0x80) return value;
        }
        throw new RangeError('number');
    };
    const signed = (): number => {
        const value = unsigned();
        return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    };
    const taken = (length: number): Uint8Array => {
        if (length > bytes.length - at) throw new RangeError('length');
        at += length;
        return bytes.subarray(at - length, at);
    };
    const items = (depth: number): ThriftValue[] => {
        const header = byte();
        const size = header >> 4 === 15 ? unsigned() : header >> 4;
        const type = header & 15;
        if (size > bytes.length - at) throw new RangeError('size');
        return Array.from({ length: size }, () => (type === TRUE || type === FALSE ? byte() === TRUE : value(type, depth)));
    };
    const pairs = (depth: number): ThriftValue[] => {
        const size = unsigned();
        if (size > bytes.length - at) throw new RangeError('size');
        const types = size === 0 ? 0 : byte();
        return Array.from({ length: size }, () => [value(types >> 4, depth), value(types & 15, depth)]);
    };
    const value = (type: number, depth: number): ThriftValue => {
        if (++count > MOST_VALUES || depth > DEEPEST) throw new RangeError('values');
        switch (type) {
            case TRUE:
                return true;
            case FALSE:
                return false;
            case BYTE:
                return view.getInt8(at++);
            case I16:
            case I32:
            case I64:
                return signed();
            case DOUBLE:
                at += 8;
                return view.getFloat64(at - 8, true);
            case BINARY:
                return taken(unsigned());
            case LIST:
            case SET:
                return items(depth + 1);
            case MAP:
                return pairs(depth + 1);
            case STRUCT:
                return struct(Number.POSITIVE_INFINITY, depth + 1);
            case UUID:
                return taken(16);
            default:
                throw new RangeError('type');
        }
    };
    const struct = (lastField: number, depth: number): ThriftStruct => {
        const fields = new Map<number, ThriftValue>();
        let id = 0;
        for (let header = byte(); header !== STOP; header = byte()) {
            id = header >> 4 === 0 ? signed() : id + (header >> 4);
            if (id > lastField) break;
            fields.set(id, value(header & 15, depth));
        }
        return fields;
    };
    return struct(last, 0);
}
