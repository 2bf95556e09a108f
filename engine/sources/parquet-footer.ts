import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { readThrift, type ThriftStruct, type ThriftValue } from './thrift-compact.ts';

/** Facts about the rows of a Parquet file from its end. */
export interface ParquetFooter {
    readonly columns: readonly ParquetColumn[];
    readonly rows: number;
}

export interface ParquetColumn {
    readonly name: string;
    /** Undefined where the language has no such values. */
    readonly type: Type | undefined;
    /** The type does not hold all its values: whole numbers beyond 64 bits, or all digits of decimal numbers with a fraction. */
    readonly excess?: 'whole' | 'fraction';
    /** Of decimal numbers. */
    readonly scale?: number;
}

/** A file of which any part can be read. */
export interface ReadableParts {
    readonly size: number;
    /** Gives how many bytes there were from `position` on. */
    readAt(into: Uint8Array, position: number): number;
}

/** Bytes of the largest footer that is read. */
const FOOTER_LIMIT = 1 << 26;
const COLUMN_LIMIT = 10_000;
const DEEPEST = 64;
const MAGIC = 4;
const TAIL = 8;
const LAST_FIELD = 3;

const decoder = new TextDecoder();

/**
 * Reads the columns of a Parquet file from its end alone (https://github.com/apache/parquet-format). `fail` hears what a file is that is
 * none.
 */
export function readParquetFooter(file: ReadableParts, fail: (reason: string) => never): ParquetFooter {
    const noParquet = (): never => fail(say`is no Parquet file, or a part of it is missing`);
    if (file.size < MAGIC + TAIL) noParquet();
    const tail = partOf(file, file.size - TAIL, TAIL, noParquet);
    const word = decoder.decode(tail.subarray(MAGIC));
    if (word === 'PARE') fail(say`is encrypted, and encrypted Parquet files are not read`);
    const length = new DataView(tail.buffer).getUint32(0, true);
    if (word !== 'PAR1' || length > file.size - MAGIC - TAIL) noParquet();
    if (length > FOOTER_LIMIT) fail(say`describes its columns in more than ${countText(FOOTER_LIMIT)} bytes`);
    const bytes = partOf(file, file.size - TAIL - length, length, noParquet);
    try {
        const footer = readThrift(bytes, LAST_FIELD);
        const elements = listOf(footer.get(2)).map(elementOf);
        const tree = treeOf(elements);
        if (tree.length > COLUMN_LIMIT) fail(say`has more than ${countText(COLUMN_LIMIT)} columns`);
        return { columns: tree.map(columnOf), rows: numberOf(footer.get(3)) };
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return noParquet();
    }
}

function partOf(file: ReadableParts, position: number, length: number, missing: () => never): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
        const got = file.readAt(bytes.subarray(done), position + done);
        if (got === 0) missing();
        done += got;
    }
    return bytes;
}

/** One line of the schema, which lists a tree from its root on. */
interface Element {
    readonly name: string;
    readonly physical: number;
    readonly isRepeated: boolean;
    readonly children: number;
    /** The numbers that the format has for the meaning of the bytes: of the older list, and of the newer. */
    readonly converted: number;
    readonly logical: number;
    /** For whole numbers. */
    readonly bits: number;
    readonly isSigned: boolean;
    /** For decimal numbers. */
    readonly scale: number;
    readonly precision: number;
}

interface Node {
    readonly element: Element;
    readonly children: readonly Node[];
}

const NONE = -1;
const REPEATED = 2;

function elementOf(value: ThriftValue): Element {
    const fields = structOf(value);
    const [logical, details] = [...(fields.has(10) ? structOf(fields.get(10)) : new Map<number, ThriftValue>())][0] ?? [NONE, undefined];
    const integer = logical === LOGICAL.integer ? structOf(details) : undefined;
    const decimal = logical === LOGICAL.decimal ? structOf(details) : undefined;
    return {
        name: textOf(fields.get(4)),
        physical: numberOf(fields.get(1) ?? NONE),
        isRepeated: fields.get(3) === REPEATED,
        children: numberOf(fields.get(5) ?? 0),
        converted: numberOf(fields.get(6) ?? NONE),
        logical,
        bits: numberOf(integer?.get(1) ?? NONE),
        isSigned: integer?.get(2) !== false,
        scale: numberOf(decimal?.get(1) ?? fields.get(7) ?? 0),
        precision: numberOf(decimal?.get(2) ?? fields.get(8) ?? 0),
    };
}

/** The columns below the root. */
function treeOf(elements: readonly Element[]): readonly Node[] {
    let at = 0;
    const node = (depth: number): Node => {
        const element = elements[at++];
        if (element === undefined || depth > DEEPEST || element.children > elements.length) throw new RangeError('schema');
        return { element, children: Array.from({ length: element.children }, () => node(depth + 1)) };
    };
    const { children } = node(0);
    if (at !== elements.length) throw new RangeError('schema');
    return children;
}

const LOGICAL = {
    text: 1,
    map: 2,
    list: 3,
    word: 4,
    decimal: 5,
    date: 6,
    timestamp: 8,
    integer: 10,
    none: 11,
    json: 12,
    uuid: 14,
    half: 15,
};
const CONVERTED = {
    text: 0,
    map: 1,
    list: 3,
    word: 4,
    decimal: 5,
    date: 6,
    timestamps: [9, 10],
    unsigned: [11, 12, 13, 14],
    signed: [15, 16, 17, 18],
    json: 19,
};
const PHYSICAL = { boolean: 0, int: 1, long: 2, instant: 3, float: 4, double: 5, bytes: 6, fixed: 7 };

/** All decimal numbers of fewer digits fit 64 bits. */
const LONG_DIGITS = 19;

function columnOf(node: Node): ParquetColumn {
    const { element } = node;
    const { logical, converted, isSigned, bits, precision, scale } = element;
    const isUnsigned = (logical === LOGICAL.integer && !isSigned && bits === 64) || converted === CONVERTED.unsigned[3];
    const excess = isDecimal(element) ? (scale > 0 ? 'fraction' : precision >= LONG_DIGITS && 'whole') : isUnsigned && 'whole';
    const column = { name: element.name, type: columnType(node) };
    if (element.children > 0 || element.isRepeated) return column;
    return { ...column, ...(excess !== false && { excess }), ...(isDecimal(element) && { scale }) };
}

function isDecimal({ logical, converted }: Element): boolean {
    return logical === LOGICAL.decimal || converted === CONVERTED.decimal;
}

function columnType(node: Node): Type | undefined {
    const { element } = node;
    const type = element.children > 0 ? groupType(node) : valueType(element);
    return type !== undefined && element.isRepeated ? { kind: 'list', element: type } : type;
}

function groupType({ element: { logical, converted }, children }: Node): Type | undefined {
    const [only] = children;
    if (only !== undefined && children.length === 1 && only.element.isRepeated) {
        if (logical === LOGICAL.list || converted === CONVERTED.list) return listType(only);
        const [key, value] = only.children;
        if ((logical === LOGICAL.map || converted === CONVERTED.map) && key !== undefined && value !== undefined) {
            const types = [columnType(key), columnType(value)];
            return types[0] && types[1] && { kind: 'map', key: types[0], value: types[1] };
        }
    }
    return structType(children);
}

/** Older writers leave out the level between a list and its elements. */
function listType({ element, children }: Node): Type | undefined {
    const [only] = children;
    const isPlain = children.length !== 1 || only === undefined || element.name === 'array' || element.name.endsWith('_tuple');
    const inner = isPlain ? (children.length === 0 ? valueType(element) : structType(children)) : columnType(only);
    return inner && { kind: 'list', element: inner };
}

function structType(children: readonly Node[]): Type | undefined {
    const fields = children.flatMap(child => {
        const type = columnType(child);
        return type === undefined ? [] : [{ name: child.element.name, type }];
    });
    return fields.length === children.length ? { kind: 'struct', fields } : undefined;
}

function valueType(element: Element): Type | undefined {
    const { physical, logical, converted, bits, isSigned, scale } = element;
    if (isDecimal(element)) return { kind: scale > 0 ? 'double' : 'long' };
    switch (physical) {
        case PHYSICAL.boolean:
            return { kind: 'boolean' };
        case PHYSICAL.int:
            if (logical === LOGICAL.date || converted === CONVERTED.date) return { kind: 'date' };
            if (logical === LOGICAL.integer) return { kind: isSigned || bits < 32 ? 'int' : 'long' };
            if (logical === LOGICAL.none) return { kind: 'unknown' };
            if (converted === CONVERTED.unsigned[2]) return { kind: 'long' };
            return logical === NONE && !isTime(converted) ? { kind: 'int' } : undefined;
        case PHYSICAL.long:
            if (logical === LOGICAL.timestamp || CONVERTED.timestamps.includes(converted)) return { kind: 'timestamp' };
            if (logical === LOGICAL.integer) return { kind: 'long' };
            return logical === NONE && !isTime(converted) ? { kind: 'long' } : undefined;
        case PHYSICAL.instant:
            return { kind: 'timestamp' };
        case PHYSICAL.float:
            return { kind: 'float' };
        case PHYSICAL.double:
            return { kind: 'double' };
        case PHYSICAL.bytes: {
            const isText = [LOGICAL.text, LOGICAL.word, LOGICAL.json].includes(logical);
            return isText || [CONVERTED.text, CONVERTED.word, CONVERTED.json].includes(converted) ? { kind: 'string' } : undefined;
        }
        case PHYSICAL.fixed:
            if (logical === LOGICAL.uuid) return { kind: 'string' };
            return logical === LOGICAL.half ? { kind: 'float' } : undefined;
        default:
            return undefined;
    }
}

/** A time of day, which has no day. */
function isTime(converted: number): boolean {
    return converted === 7 || converted === 8;
}

function numberOf(value: ThriftValue | undefined): number {
    if (typeof value !== 'number') throw new RangeError('number');
    return value;
}

function textOf(value: ThriftValue | undefined): string {
    if (!(value instanceof Uint8Array)) throw new RangeError('text');
    return decoder.decode(value);
}

function listOf(value: ThriftValue | undefined): readonly ThriftValue[] {
    if (!Array.isArray(value)) throw new RangeError('list');
    return value;
}

function structOf(value: ThriftValue | undefined): ThriftStruct {
    if (!(value instanceof Map)) throw new RangeError('struct');
    return value;
}
