import type { DuckDBValue } from '@duckdb/node-api';
import { QueryFailed, type QueryTarget } from '#engine/queries.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import type { DuckDb } from './duckdb.ts';

const LEAST_LONG = -(2n ** 63n);
const MOST_LONG = 2n ** 63n - 1n;

/** Turns the values of a result's column into values of a run: NULL into an unknown value of its own. */
export function valueReader(
    dictionary: Dictionary,
    { freshNull }: Pick<QueryTarget, 'freshNull'>,
    duckdb: DuckDb,
): (value: DuckDBValue) => ValueId {
    const read = (value: DuckDBValue): ValueId => {
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
            default:
                return value === null ? freshNull() : readObject(value);
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
