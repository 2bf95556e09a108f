import type { OutputRows } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { fromJson, jsonSource } from '#engine/values/from-json.ts';
import { readJson } from '#engine/values/json.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED, type Type, UNKNOWN } from '#language/program/types.ts';
import { jsonOf } from '#server/protocol/json-text.ts';

/** Rows as the platform API answers them. */
export interface GivenRows {
    readonly columns: readonly string[];
    /** `INT`, `STRING`… for each column. */
    readonly types: readonly string[];
    readonly rows: readonly (readonly unknown[])[];
}

const TYPES: ReadonlyMap<string, Type> = new Map<string, Type>([
    ['INT', { kind: 'long' }],
    ['DOUBLE', { kind: 'double' }],
    ['STRING', { kind: 'string' }],
    ['BOOLEAN', { kind: 'boolean' }],
    ['DATE', { kind: 'date' }],
    ['DATETIME', { kind: 'timestamp' }],
    ['LIST', { kind: 'list', element: MIXED }],
    ['SET', { kind: 'set', element: MIXED }],
    ['STRUCT', { kind: 'struct' }],
    ['NULL', UNKNOWN],
]);

/** The rows as values of the language, which tables and CSV files are written from. Labels of nulls are texts; missing values are nulls. */
export function valueRows(given: GivenRows): OutputRows {
    const gathered = gatherRows(given);
    gathered.add(given.rows);
    return gathered.rows();
}

/** Rows that come piece by piece, held once. */
export interface GatheredValues {
    add(rows: GivenRows['rows']): void;
    /** The rows so far. */
    rows(): OutputRows;
}

/** `known` says what a text stands for that is not itself. */
export function gatherRows(
    { columns, types }: Pick<GivenRows, 'columns' | 'types'>,
    known: (text: string, dictionary: Dictionary) => ValueId | undefined = () => undefined,
): GatheredValues {
    const dictionary = new Dictionary();
    const missing = dictionary.freshNull('missing');
    const described = columns.map((name, at) => ({ name, type: TYPES.get(types[at] ?? '') ?? MIXED, cast: false }));
    const values: ValueId[][] = columns.map(() => []);
    let count = 0;
    return {
        add(rows) {
            for (const row of rows)
                for (const [at, { type }] of described.entries()) {
                    const cell = row[at];
                    const found = typeof cell === 'string' ? known(cell, dictionary) : undefined;
                    values[at]?.push(found ?? cellOf(dictionary, cell, type, missing));
                }
            count += rows.length;
        },
        rows: () => ({ dictionary, columns: described, count, at: (row, column) => values[column]?.[row] ?? missing }),
    };
}

function cellOf(dictionary: Dictionary, value: unknown, type: Type, missing: ValueId): ValueId {
    const json = readJson(jsonOf(value ?? null));
    if (json === undefined) return dictionary.string(jsonOf(value));
    return fromJson(dictionary, json, type, {
        absent: () => missing,
        // A whole number beyond 64 bits is a double of this program, as it writes it.
        unreadable: (one, of) =>
            one.kind === 'number' && of.kind === 'mixed'
                ? dictionary.number(Number(one.text))
                : dictionary.string(one.kind === 'string' ? one.text : jsonSource(one)),
    });
}
