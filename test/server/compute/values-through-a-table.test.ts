import { afterAll, expect, test } from 'vitest';
import type { QueryInput } from '#engine/contracts/queries.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { sqlEngine } from '#server/compute/sql-engine.ts';
import { fc } from '../../support/fast-check.ts';
import { conformanceSeed } from '../../support/program-variations.ts';

const queries = sqlEngine({ memory: 512 * 2 ** 20, threads: 1 });
afterAll(() => queries.close());

/** Values of one type, made in a dictionary; `undefined` stands for an unknown one. */
interface Column {
    readonly type: Type;
    readonly values: readonly (((dictionary: Dictionary) => ValueId) | undefined)[];
}

const LONGS = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const DOUBLES = fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => (Object.is(value, -0) ? 0 : value));
/** What DuckDB has dates and instants for. */
const DAYS = fc.integer({ min: -700_000, max: 2_000_000 });
const MICROS = fc.bigInt({ min: -(2n ** 55n), max: 2n ** 57n });

type Maker = (dictionary: Dictionary) => ValueId;
const made: Readonly<Record<string, readonly [Type, fc.Arbitrary<Maker>]>> = {
    int: [
        { kind: 'int' },
        fc.integer().map(
            (value): Maker =>
                dictionary =>
                    dictionary.number(value),
        ),
    ],
    long: [
        { kind: 'long' },
        LONGS.map(
            (value): Maker =>
                dictionary =>
                    dictionary.bigint(value),
        ),
    ],
    double: [
        { kind: 'double' },
        DOUBLES.map(
            (value): Maker =>
                dictionary =>
                    dictionary.number(value),
        ),
    ],
    string: [
        { kind: 'string' },
        fc.string({ unit: 'binary', maxLength: 40, size: 'max' }).map(
            (value): Maker =>
                dictionary =>
                    dictionary.string(value),
        ),
    ],
    boolean: [
        { kind: 'boolean' },
        fc.boolean().map(
            (value): Maker =>
                dictionary =>
                    dictionary.boolean(value),
        ),
    ],
    date: [
        { kind: 'date' },
        DAYS.map(
            (value): Maker =>
                dictionary =>
                    dictionary.date(value),
        ),
    ],
    timestamp: [
        { kind: 'timestamp' },
        MICROS.map(
            (value): Maker =>
                dictionary =>
                    dictionary.timestamp(value),
        ),
    ],
    list: [
        { kind: 'list', element: { kind: 'string' } },
        fc.array(fc.string(), { maxLength: 4 }).map(
            (value): Maker =>
                dictionary =>
                    dictionary.list(value.map(one => dictionary.string(one))),
        ),
    ],
};

function columnOf(rows: number): fc.Arbitrary<Column> {
    return fc.oneof(
        ...Object.values(made).map(([type, value]) =>
            fc
                .array(fc.option(value, { nil: undefined, freq: 10 }), { minLength: rows, maxLength: rows })
                .map((values): Column => ({ type, values })),
        ),
    );
}

const table = fc
    .oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(2047, 2048, 2049, 4100))
    .chain(rows => fc.array(columnOf(rows), { minLength: 1, maxLength: 4 }));

test('every value comes back from a table as it was, and unknown ones as unknown ones of their own', async () => {
    await fc.assert(
        fc.asyncProperty(table, fc.boolean(), async (columns, isTyped) => {
            const dictionary = new Dictionary();
            const ids = columns.map(({ values }) => Int32Array.from(values, make => make?.(dictionary) ?? dictionary.freshNull('given')));
            const [count = 0] = ids.map(({ length }) => length);
            // Without a static type, the values of scalar columns say what they are; lists are texts then.
            const isScalar = columns.every(({ type }) => type.kind !== 'list');
            const input: QueryInput = {
                name: 't',
                relation: 't',
                columns: columns.map(({ type }, i) => ({ name: `t_${i}`, type: isTyped || !isScalar ? type : MIXED })),
                count,
                ids,
            };
            const found = ids.map(() => [] as ValueId[]);
            await queries.answer(
                { text: 'SELECT * FROM t', tables: [input], dictionary, parameter: () => ({ value: 0, type: MIXED }) },
                {
                    arity: columns.length,
                    addRows: (chunk, rows) => {
                        for (const [i, column] of chunk.entries()) found[i]?.push(...column.subarray(0, rows));
                    },
                    freshNull: () => dictionary.freshNull('found'),
                    checkpoint: () => undefined,
                },
            );
            for (const [i, column] of ids.entries()) {
                const back = found[i] ?? [];
                expect(back.length).toBe(count);
                for (const [row, id] of column.entries()) {
                    const other = back[row] ?? 0;
                    if (dictionary.isNull(id)) expect(dictionary.isNull(other) && other !== id).toBe(true);
                    else if (other !== id) throw new Error(`column ${i}, row ${row}: ${columns[i]?.type.kind}`);
                }
                const unknown = back.filter(id => dictionary.isNull(id));
                expect(new Set(unknown).size).toBe(unknown.length);
            }
        }),
        { seed: conformanceSeed(), numRuns: 60 },
    );
});
