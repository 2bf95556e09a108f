import { QueryFailed } from '#engine/contracts/queries.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';

/** A column of an answer: how it is asked for so that its values come whole, and what they are. */
export interface AskedColumn {
    /** The expression in the place of a name. */
    readonly asked: (name: string) => string;
    /** Undefined where the language has no such values. */
    readonly type: Type | undefined;
    readonly read: (value: unknown) => ValueId;
}

/** The type of a column in Arrow. */
export interface ArrowType {
    readonly typeId: number;
    readonly children?: readonly { readonly name: string; readonly type: ArrowType }[] | null;
}

const ARROW = { date: 8, timestamp: 10, list: 12, struct: 13, fixedList: 16, map: 17 } as const;
const LEAST_LONG = -(2n ** 63n);
const MOST_LONG = 2n ** 63n - 1n;
const DAY = 86_400_000;

/** How a column of a type of DuckDB is read; `arrow` is what its values come as. */
export function askedColumn(duckType: string, arrow: ArrowType, dictionary: Dictionary, freshNull: () => ValueId): AskedColumn {
    const plain = (name: string): string => name;
    const read = (of: (value: never) => ValueId) => (value: unknown) =>
        value === null || value === undefined ? freshNull() : of(value as never);
    const number = (value: number): ValueId => (Number.isFinite(value) ? dictionary.number(value) : freshNull());
    switch (duckType) {
        case 'BOOLEAN':
            return { asked: plain, type: { kind: 'boolean' }, read: read((value: boolean) => dictionary.boolean(value)) };
        case 'TINYINT':
        case 'SMALLINT':
        case 'INTEGER':
        case 'UTINYINT':
        case 'USMALLINT':
            return { asked: plain, type: { kind: 'int' }, read: read(number) };
        case 'UINTEGER':
            return { asked: plain, type: { kind: 'long' }, read: read(number) };
        case 'BIGINT':
            return { asked: plain, type: { kind: 'long' }, read: read((value: bigint) => dictionary.bigint(value)) };
        case 'UBIGINT':
        case 'HUGEINT':
        case 'UHUGEINT':
            return { asked: asText, type: { kind: 'long' }, read: read((value: string) => long(BigInt(value), dictionary)) };
        case 'FLOAT':
        case 'DOUBLE':
            return { asked: plain, type: { kind: 'double' }, read: read(number) };
        case 'DATE':
            return {
                asked: name => `CAST(${name} - DATE '1970-01-01' AS INTEGER)`,
                type: { kind: 'date' },
                read: read((value: number) => dictionary.date(value)),
            };
        case 'TIMESTAMP':
        case 'TIMESTAMP_S':
        case 'TIMESTAMP_MS':
        case 'TIMESTAMP_NS':
        case 'TIMESTAMP WITH TIME ZONE':
            return {
                asked: name => `epoch_us(${name})`,
                type: { kind: 'timestamp' },
                read: read((value: bigint) => dictionary.timestamp(value)),
            };
        case 'VARCHAR':
        case 'UUID':
            return { asked: asText, type: { kind: 'string' }, read: read((value: string) => dictionary.string(value)) };
        default:
            break;
    }
    if (/^DECIMAL\(\d+,\s*\d+\)$/u.test(duckType))
        return { asked: name => `CAST(${name} AS DOUBLE)`, type: { kind: 'double' }, read: read(number) };
    if (duckType.startsWith('ENUM('))
        return { asked: asText, type: { kind: 'string' }, read: read((value: string) => dictionary.string(value)) };
    if (!/[\])]$/u.test(duckType)) return { asked: asText, type: undefined, read: read((value: string) => dictionary.string(value)) };
    return {
        asked: name =>
            `CAST(${name} AS ${duckType.replaceAll(/DECIMAL\(\d+,\s*\d+\)/gu, 'DOUBLE').replaceAll(/U?HUGEINT|UBIGINT/gu, 'BIGINT')})`,
        type: undefined,
        read: nestedReader(arrow, dictionary, freshNull),
    };
}

function asText(name: string): string {
    return `CAST(${name} AS VARCHAR)`;
}

function long(value: bigint, dictionary: Dictionary): ValueId {
    if (value < LEAST_LONG || value > MOST_LONG) throw new QueryFailed(say`${value} is beyond 64 bits`);
    return dictionary.bigint(value);
}

/** Reads values that have others in them, and these. */
function nestedReader({ typeId, children }: ArrowType, dictionary: Dictionary, freshNull: () => ValueId): (value: unknown) => ValueId {
    const inner = (children ?? []).map(({ name, type }) => ({ name, read: nestedReader(type, dictionary, freshNull) }));
    const first = inner[0]?.read ?? freshNull;
    return value => {
        if (value === null || value === undefined) return freshNull();
        switch (typeId) {
            case ARROW.list:
            case ARROW.fixedList:
                return dictionary.list([...(value as Iterable<unknown>)].map(first));
            case ARROW.struct:
                return dictionary.struct(
                    inner.flatMap(({ name, read }) => [dictionary.string(name), read((value as Record<string, unknown>)[name])]),
                );
            case ARROW.map: {
                const [key, of] = (children?.[0]?.type.children ?? []).map(({ type }) => nestedReader(type, dictionary, freshNull));
                const entries = [...(value as Iterable<readonly [unknown, unknown]>)];
                return dictionary.map(entries.flatMap(([k, v]) => [key?.(k) ?? freshNull(), of?.(v) ?? freshNull()]));
            }
            case ARROW.date:
                return dictionary.date(Math.round(Number(value) / DAY));
            case ARROW.timestamp:
                return dictionary.timestamp(BigInt(Math.round(Number(value) * 1000)));
            default:
                break;
        }
        switch (typeof value) {
            case 'string':
                return dictionary.string(value);
            case 'number':
                return Number.isFinite(value) ? dictionary.number(value) : freshNull();
            case 'bigint':
                return long(value, dictionary);
            case 'boolean':
                return dictionary.boolean(value);
            default:
                return dictionary.string(String(value));
        }
    };
}
