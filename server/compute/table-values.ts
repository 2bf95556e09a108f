import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Dictionary, ValueKind } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Type } from '#language/program/types.ts';
import type { DuckDb } from './duckdb.ts';

/** How the values of a column come into a table. */
export interface ColumnWriter {
    readonly type: DuckDBType;
    /** NULL for labelled nulls. */
    readonly value: (id: ValueId) => DuckDBValue;
}

/** The writer of a column of this type; where its values are of several classes, of what they have in common. */
export function columnWriter(type: Type, ids: Int32Array, count: number, dictionary: Dictionary, duckdb: DuckDb): ColumnWriter {
    const known = type.kind === 'mixed' || type.kind === 'unknown' ? commonType(ids, count, dictionary) : type;
    const scalar = scalarWriter(known, dictionary, duckdb);
    if (known.kind === 'string' && dictionary.size < MOST_REMEMBERED) return { type: scalar.type, value: remembered(scalar, dictionary) };
    return { type: scalar.type, value: id => (dictionary.isNull(id) ? null : scalar.value(id)) };
}

/** Texts are remembered where the dictionary has fewer entries. */
const MOST_REMEMBERED = 1 << 22;

/** The values of a column in which a text may stand in many rows: each is made once. */
function remembered({ value }: ColumnWriter, dictionary: Dictionary): ColumnWriter['value'] {
    const known = new Array<DuckDBValue | undefined>(dictionary.size);
    return id => {
        if (id < 0) return value(id);
        let text = known[id];
        if (text === undefined) {
            text = dictionary.isNull(id) ? null : value(id);
            known[id] = text;
        }
        return text;
    };
}

function scalarWriter(type: Type, dictionary: Dictionary, duckdb: DuckDb): ColumnWriter {
    const { BIGINT, DOUBLE, VARCHAR, BOOLEAN, DATE, TIMESTAMP, LIST, MAP, STRUCT, DuckDBDateValue, DuckDBTimestampValue, listValue } =
        duckdb;
    const inner = (of: Type): ColumnWriter => {
        const writer = scalarWriter(of, dictionary, duckdb);
        return { type: writer.type, value: id => (dictionary.isNull(id) ? null : writer.value(id)) };
    };
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

function pairsOf(dictionary: Dictionary, id: ValueId): (readonly [ValueId, ValueId])[] {
    const members = dictionary.membersOf(id);
    return Array.from({ length: members.length / 2 }, (_, i) => [members[2 * i] ?? 0, members[2 * i + 1] ?? 0] as const);
}

/** The type that all values of a column have; text where they have none. */
function commonType(ids: Int32Array, count: number, dictionary: Dictionary): Type {
    const kinds = new Set<ValueKind>();
    let isWhole = true;
    for (let row = 0; row < count; row++) {
        const id = ids[row] ?? 0;
        const kind = dictionary.kind(id);
        if (kind === 'null') continue;
        kinds.add(kind);
        if (kind === 'number' && isWhole) isWhole = id < 0 || Number.isInteger(dictionary.numberOf(id));
    }
    const only = kinds.size === 1 ? [...kinds][0] : undefined;
    if (only === 'number') return { kind: isWhole ? 'long' : 'double' };
    if (only === 'boolean' || only === 'date' || only === 'timestamp') return { kind: only };
    return kinds.size === 2 && kinds.has('date') && kinds.has('timestamp') ? { kind: 'timestamp' } : { kind: 'string' };
}
