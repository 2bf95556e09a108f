import type { DuckDBType, DuckDBValue, DuckDBVector } from '@duckdb/node-api';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Type } from '#language/program/types.ts';
import type { DuckDb } from './duckdb.ts';
import { knownType, pairsOf } from './known-type.ts';
import { textRows } from './text-rows.ts';
import { allValid, itemsOf, wordsOf } from './vector-memory.ts';

/** How the values of one type come into a database. */
export interface ValueWriter {
    readonly type: DuckDBType;
    /** NULL for labelled nulls. */
    readonly value: (id: ValueId) => DuckDBValue;
}

/** How the values of a column come into a table. */
export interface ColumnWriter extends ValueWriter {
    /** Writes the values of so many rows, from one on, into a vector that other values may have been written into before. */
    readonly write: (vector: DuckDBVector, ids: Int32Array, from: number, count: number) => void;
}

/** The writer of single values of a type. */
export function valueWriter(type: Type, id: ValueId, dictionary: Dictionary, duckdb: DuckDb): ValueWriter {
    const known = knownType(type, Int32Array.of(id), 1, dictionary);
    return nullable(scalarWriter(known, dictionary, duckdb), dictionary);
}

/** The writer of a column of this type; where its values are of several classes, of what they have in common. */
export function columnWriter(type: Type, ids: Int32Array, count: number, dictionary: Dictionary, duckdb: DuckDb): ColumnWriter {
    const known = knownType(type, ids, count, dictionary);
    const writer = nullable(scalarWriter(known, dictionary, duckdb), dictionary);
    if (writer.type === duckdb.VARCHAR) return { ...writer, write: textRows(writer.value, dictionary, duckdb) };
    return { ...writer, write: rowsWith(writer, dictionary, WRITERS[known.kind]) };
}

/** A column whose values are given to the database one by one. */
export function writtenSingly(writer: ValueWriter, dictionary: Dictionary): ColumnWriter {
    return { ...writer, write: rowsWith(writer, dictionary, undefined) };
}

function nullable({ type, value }: ValueWriter, dictionary: Dictionary): ValueWriter {
    return { type, value: id => (dictionary.isNull(id) ? null : value(id)) };
}

/** Writes the value of an entry or a small integer, never a null, into a place of a vector; undefined for a vector of another class. */
type ItemWriter = (vector: DuckDBVector, dictionary: Dictionary) => ((row: number, id: ValueId) => void) | undefined;

/** Values that are numbers to the database; those of other types are made and given one by one. */
const WRITERS: Partial<Record<Type['kind'], ItemWriter>> = {
    int: writeIntegers,
    long: writeIntegers,
    double: writeDoubles,
    float: writeDoubles,
};

function writeIntegers(vector: DuckDBVector, dictionary: Dictionary): ReturnType<ItemWriter> {
    const items = itemsOf(vector, BigInt64Array);
    const words = items && wordsOf(items);
    if (words === undefined) return undefined;
    return (row, id) => {
        if (id >= 0) {
            items![row] = dictionary.bigintOf(id);
            return;
        }
        const value = dictionary.numberOf(id);
        words[2 * row] = value;
        words[2 * row + 1] = value >> 31;
    };
}

function writeDoubles(vector: DuckDBVector, dictionary: Dictionary): ReturnType<ItemWriter> {
    const items = itemsOf(vector, Float64Array);
    return (
        items &&
        ((row, id) => {
            items[row] = dictionary.numberOf(id);
        })
    );
}

function rowsWith({ value }: ValueWriter, dictionary: Dictionary, items: ItemWriter | undefined): ColumnWriter['write'] {
    return (vector, ids, from, count) => {
        allValid(vector);
        const write = items?.(vector, dictionary);
        for (let row = 0; row < count; row++) {
            const id = ids[from + row]!;
            if (write !== undefined && !dictionary.isNull(id)) write(row, id);
            else vector.setItem(row, value(id));
        }
        vector.flush();
    };
}

function scalarWriter(type: Type, dictionary: Dictionary, duckdb: DuckDb): ValueWriter {
    const { BIGINT, DOUBLE, VARCHAR, BOOLEAN, DATE, TIMESTAMP, LIST, MAP, STRUCT, DuckDBDateValue, DuckDBTimestampValue, listValue } =
        duckdb;
    const inner = (of: Type): ValueWriter => nullable(scalarWriter(of, dictionary, duckdb), dictionary);
    switch (type.kind) {
        case 'int':
        case 'long':
            return { type: BIGINT, value: id => dictionary.bigintOf(id) };
        case 'double':
        case 'float':
            return { type: DOUBLE, value: id => dictionary.numberOf(id) };
        case 'boolean':
            return { type: BOOLEAN, value: id => id === 1 };
        case 'date':
            return { type: DATE, value: id => new DuckDBDateValue(dictionary.daysOf(id)) };
        case 'timestamp':
            return { type: TIMESTAMP, value: id => new DuckDBTimestampValue(dictionary.microsOf(id)) };
        case 'list':
        case 'set': {
            const element = inner(type.element);
            return { type: LIST(element.type), value: id => listValue(dictionary.membersOf(id).map(element.value)) };
        }
        case 'map': {
            const [key, value] = [inner(type.key), inner(type.value)];
            return {
                type: MAP(key.type, value.type),
                value: id => duckdb.mapValue(pairsOf(dictionary, id).map(([k, v]) => ({ key: key.value(k), value: value.value(v) }))),
            };
        }
        case 'struct': {
            const fields = (type.fields ?? []).map(field => ({ name: field.name, writer: inner(field.type) }));
            if (fields.length === 0) break;
            return {
                type: STRUCT(Object.fromEntries(fields.map(({ name, writer }) => [name, writer.type]))),
                value: id => {
                    const members = new Map(pairsOf(dictionary, id).map(([name, value]) => [dictionary.stringOf(name), value]));
                    const entries = fields.map(({ name, writer }) => {
                        const member = members.get(name);
                        return [name, member === undefined ? null : writer.value(member)] as const;
                    });
                    return duckdb.structValue(Object.fromEntries(entries));
                },
            };
        }
        default:
            break;
    }
    return {
        type: VARCHAR,
        value: id => (dictionary.kind(id) === 'string' ? dictionary.stringOf(id) : textOf(dictionary, id, type, String)),
    };
}
