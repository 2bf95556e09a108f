import { expect, test } from 'vitest';
import { castText } from '#engine/values/cast.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { termText } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { type ScalarKind, UNKNOWN } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { peekSource, runConnectors } from '#server/sources/connectors.ts';
import { reportOf, rowsOf } from './describe-source.ts';

export type EdgeSource = 'csv' | 'json' | 'parquet' | 'excel' | 'sqlite' | 'postgresql' | 'mariadb';

/** A value at the edge of what a source or the language holds. */
interface Edge {
    readonly value: string;
    /** How it is stored, by type of source; as `type of the column: literal` in databases. */
    readonly stored: Partial<Record<EdgeSource, string | readonly string[]>>;
    /** What a model says; without it texts of CSV are of the type that `csv` names. */
    readonly model?: ScalarKind;
    readonly csv?: ScalarKind;
    /** The term that it is; `told` for an unknown value that RT021 counts. */
    readonly is: string;
}

const LONGEST = '12345678901234567890123456789012345678';

const EDGES: readonly Edge[] = [
    {
        value: 'a whole number that no double holds',
        csv: 'long',
        stored: {
            csv: '9007199254740993',
            json: '9007199254740993',
            parquet: ['9007199254740993::BIGINT', '9007199254740993::DECIMAL(18, 0)', '9007199254740993::DECIMAL(38, 0)'],
            sqlite: ['INTEGER: 9007199254740993', 'NUMERIC: 9007199254740993', ': 9007199254740993'],
            postgresql: ['bigint: 9007199254740993', 'numeric(20, 0): 9007199254740993', 'numeric: 9007199254740993'],
            mariadb: ['bigint: 9007199254740993', 'decimal(20, 0): 9007199254740993', 'bigint unsigned: 9007199254740993'],
        },
        is: '9007199254740993',
    },
    {
        value: 'the least long',
        csv: 'long',
        stored: {
            csv: '-9223372036854775808',
            json: '-9223372036854775808',
            parquet: ['(-9223372036854775808)::BIGINT', '(-9223372036854775808)::DECIMAL(38, 0)'],
            sqlite: ['INTEGER: -9223372036854775808'],
            postgresql: ['bigint: -9223372036854775808', 'numeric(19, 0): -9223372036854775808'],
            mariadb: ['bigint: -9223372036854775808', 'decimal(19, 0): -9223372036854775808'],
        },
        is: '-9223372036854775808',
    },
    {
        value: 'one more than the greatest long',
        csv: 'long',
        stored: {
            csv: '9223372036854775808',
            json: ['9223372036854775808', '[9223372036854775808]', '{"a": 9223372036854775808}'],
            parquet: ['9223372036854775808::UBIGINT', '9223372036854775808::DECIMAL(19, 0)'],
            postgresql: [
                'numeric(19, 0): 9223372036854775808',
                'numeric: 9223372036854775808',
                "jsonb: '9223372036854775808'",
                "jsonb: '[9223372036854775808]'",
                "numeric[]: '{9223372036854775808}'",
            ],
            mariadb: ['decimal(19, 0): 9223372036854775808', 'bigint unsigned: 9223372036854775808', "json: '[9223372036854775808]'"],
        },
        is: 'told',
    },
    {
        value: 'more digits than any number has',
        csv: 'long',
        stored: {
            csv: LONGEST,
            json: LONGEST,
            parquet: `${LONGEST}::DECIMAL(38, 0)`,
            postgresql: [`numeric: ${LONGEST}`, `numeric(38, 0): ${LONGEST}`],
            mariadb: `decimal(38, 0): ${LONGEST}`,
        },
        is: 'told',
    },
    {
        value: 'the same digits, as text',
        model: 'string',
        stored: {
            csv: LONGEST,
            json: LONGEST,
            parquet: `${LONGEST}::DECIMAL(38, 0)`,
            postgresql: [`numeric: ${LONGEST}`, `numeric(38, 0): ${LONGEST}`],
            mariadb: `decimal(38, 0): ${LONGEST}`,
        },
        is: `"${LONGEST}"`,
    },
    {
        value: 'the same digits, rounded',
        model: 'double',
        stored: {
            csv: LONGEST,
            json: LONGEST,
            parquet: `${LONGEST}::DECIMAL(38, 0)`,
            postgresql: [`numeric: ${LONGEST}`, `numeric(38, 0): ${LONGEST}`],
            mariadb: `decimal(38, 0): ${LONGEST}`,
        },
        is: '1.2345678901234568E37',
    },
    {
        value: 'a whole number that is the shortest of its double',
        csv: 'double',
        stored: {
            csv: '123456789012345680000',
            json: '123456789012345680000',
            parquet: '123456789012345680000::DOUBLE',
            postgresql: ['numeric: 123456789012345680000', 'double precision: 123456789012345680000', "jsonb: '123456789012345680000'"],
            mariadb: ['double: 123456789012345680000', "json: '123456789012345680000'"],
        },
        is: '123456789012345680000.0',
    },
    {
        value: 'a fraction with an end of 0, as text',
        model: 'string',
        stored: {
            csv: '0.10',
            json: '0.10',
            parquet: '0.10::DECIMAL(10, 2)',
            postgresql: ['numeric(10, 2): 0.10', "jsonb: '0.10'"],
            mariadb: 'decimal(10, 2): 0.10',
        },
        is: '"0.10"',
    },
    {
        value: 'a whole number, as text',
        model: 'string',
        stored: {
            csv: '1',
            json: '1',
            parquet: ['1::DECIMAL(10, 0)', '1::DECIMAL(38, 0)', '1::UBIGINT'],
            excel: '<x:c><x:v>1</x:v></x:c>',
            sqlite: 'INTEGER: 1',
            postgresql: 'numeric(10, 0): 1',
            mariadb: 'decimal(10, 0): 1',
        },
        is: '"1"',
    },
    {
        value: 'a decimal number with a fraction',
        csv: 'double',
        stored: {
            csv: '1.50',
            json: '1.50',
            parquet: ['1.50::DECIMAL(10, 2)', '1.5::FLOAT'],
            excel: '<x:c><x:v>1.5</x:v></x:c>',
            sqlite: ['NUMERIC: 1.5', 'REAL: 1.5', ': 1.5'],
            postgresql: ['numeric(10, 2): 1.50', 'numeric: 1.5'],
            mariadb: ['decimal(10, 2): 1.50', 'float(10, 2): 1.50'],
        },
        is: '1.5',
    },
    {
        value: 'a fraction in a column of whole numbers',
        stored: { sqlite: ['INTEGER: 2.5', 'BIGINT: 1e300'] },
        is: 'told',
    },
    {
        value: 'the smallest double',
        csv: 'double',
        stored: {
            csv: '5e-324',
            json: '5e-324',
            parquet: '5e-324::DOUBLE',
            excel: '<x:c><x:v>5E-324</x:v></x:c>',
            sqlite: 'REAL: 5e-324',
            postgresql: 'double precision: 5e-324',
        },
        is: '5.0E-324',
    },
    {
        value: 'a number of binary32 with more than six digits',
        stored: {
            mariadb: ['float: 123456.78125', 'double: 123456.78125'],
            postgresql: 'float8: 123456.78125',
        },
        is: '123456.78125',
    },
    {
        value: 'the shortest digits of binary32, in a column of such numbers',
        stored: { parquet: ['123456.78125::FLOAT', '123456.78::FLOAT'] },
        is: '123456.78',
    },
    {
        value: 'a whole number of binary32',
        csv: 'double',
        stored: {
            csv: '16777216',
            parquet: '16777216::FLOAT',
            mariadb: 'float: 16777216',
            postgresql: 'real: 16777216',
            sqlite: 'REAL: 16777216',
        },
        is: '16777216.0',
    },
    {
        value: 'no number',
        csv: 'double',
        stored: {
            csv: 'NaN',
            parquet: ["'nan'::DOUBLE", "'nan'::FLOAT", "['nan'::DOUBLE]"],
            postgresql: ["double precision: 'NaN'", "numeric: 'NaN'", "numeric(5, 0): 'NaN'", "real[]: '{NaN}'"],
        },
        is: 'told',
    },
    {
        value: 'infinity',
        csv: 'double',
        stored: {
            csv: ['inf', '-Infinity'],
            parquet: ["'inf'::DOUBLE", "'-inf'::FLOAT"],
            sqlite: ['REAL: 9e999', ': -9e999', 'INTEGER: 9e999'],
            postgresql: ["double precision: 'infinity'", "real: '-infinity'", "numeric: 'infinity'"],
        },
        is: 'told',
    },
    {
        value: 'the first day',
        csv: 'date',
        stored: {
            csv: '0001-01-01',
            parquet: "DATE '0001-01-01'",
            sqlite: "DATE: '0001-01-01'",
            postgresql: "date: '0001-01-01'",
            mariadb: "date: '0001-01-01'",
        },
        is: '0001-01-01',
    },
    {
        value: 'the last day',
        csv: 'date',
        stored: {
            csv: '9999-12-31',
            parquet: "DATE '9999-12-31'",
            excel: '<x:c s="1"><x:v>2958465</x:v></x:c>',
            sqlite: "DATE: '9999-12-31'",
            postgresql: "date: '9999-12-31'",
            mariadb: "date: '9999-12-31'",
        },
        is: '9999-12-31',
    },
    {
        value: 'a day beyond the calendar',
        csv: 'date',
        stored: {
            csv: ['10000-01-01', '2031-02-29'],
            parquet: ["DATE '10000-01-01'", "DATE '0044-03-15 (BC)'", "DATE 'infinity'", "[DATE '10000-01-01']"],
            excel: '<x:c s="1"><x:v>60</x:v></x:c>',
            sqlite: ["DATE: '10000-01-01'"],
            postgresql: ["date: '10000-01-01'", "date: '0044-03-15 BC'", "date: '-infinity'", "date[]: '{10000-01-01}'"],
            mariadb: "date: '0000-00-00'",
        },
        is: 'told',
    },
    {
        value: 'a moment beyond the calendar',
        csv: 'timestamp',
        stored: {
            csv: '10000-01-01 00:00:00',
            parquet: ["TIMESTAMP '10000-01-01 00:00:00'", "TIMESTAMP_S '10000-01-01 00:00:00'", "TIMESTAMPTZ 'infinity'"],
            sqlite: "TIMESTAMP: '10000-01-01 00:00:00'",
            postgresql: ["timestamp: '10000-01-01'", "timestamptz: '0044-03-15 12:00:00 BC'", "timestamp: 'infinity'"],
        },
        is: 'told',
    },
    {
        value: 'a moment to the microsecond',
        csv: 'timestamp',
        stored: {
            csv: '9999-12-31 23:59:59.999999',
            parquet: "TIMESTAMP '9999-12-31 23:59:59.999999'",
            sqlite: "TIMESTAMP: '9999-12-31 23:59:59.999999'",
            postgresql: "timestamp(6): '9999-12-31 23:59:59.999999'",
            mariadb: "datetime(6): '9999-12-31 23:59:59.999999'",
        },
        is: '9999-12-31 23:59:59.999999',
    },
];

/** One value of an edge, as one column of a table. */
export interface StoredEdge {
    readonly name: string;
    readonly literal: string;
}

export interface EdgeTable {
    readonly source: EdgeSource;
    /** What a bind to the table says. */
    readonly bind: { readonly source: string; readonly outer: string; readonly inner: string };
    readonly access: (folder: string) => SourceAccess;
    readonly folder: () => string;
    /** Stores a table of one row with these columns, in ascending order of their names. */
    readonly put: (folder: string, edges: readonly StoredEdge[]) => void | Promise<void>;
}

/** What every source type must do with the values that it can hold: hand them on whole, or count them as unknown. */
export function describeEdges({ source, bind, access, folder: makeFolder, put }: EdgeTable): void {
    const edges = EDGES.flatMap(edge => [edge.stored[source] ?? []].flat().map(literal => ({ ...edge, literal }))).map((edge, i) => ({
        ...edge,
        name: `c${String(i).padStart(2, '0')}`,
    }));

    test(`${source}: a value arrives whole, or is counted as unknown`, async () => {
        const folder = makeFolder();
        await put(folder, edges);
        const found = bindOf(bind);
        const schema = await peekSource(found, access(folder));
        const columns = edges.map(({ name, model, csv }, at): Column => {
            const type = model ?? (source === 'csv' ? csv : undefined);
            const known = schema?.columns[at]?.type ?? UNKNOWN;
            return { name, type: type === undefined ? known : { kind: type }, cast: type !== undefined };
        });
        const { rows, reports } = await rowsOf(found, access(folder), () => undefined, columns);
        const toldOf = new Set(reports.filter(({ code }) => code === 'RT021').map(({ message }) => /'(c\d\d)'/u.exec(message)?.[1] ?? ''));
        expect(rows).toHaveLength(1);
        const terms = (rows[0] ?? '').split(/,(?![^[({"]*[\])}])/u);
        const shown = (told: boolean, term: string | undefined): string => (told && /z\d/u.test(term ?? '') ? 'told' : (term ?? 'none'));
        expect(edges.map(({ name, literal, value }, at) => `${value}, ${literal}: ${shown(toldOf.has(name), terms[at])}`)).toEqual(
            edges.map(({ literal, value, is }) => `${value}, ${literal}: ${is}`),
        );
        expect(reports.map(({ code }) => code)).toEqual(reports.map(() => 'RT021'));
    });
}

function bindOf({ source, outer, inner }: EdgeTable['bind'], direction: 'input' | 'output' = 'input'): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "${source}", "${outer}", "${inner}").`, 'p.rulelang').value).binds;
    return bind === undefined ? expect.fail('There is no bind') : { ...bind, direction };
}

/** Values that are written and read again in a table of one column, as texts by their type. */
const WRITTEN: readonly (readonly [ScalarKind, readonly string[]])[] = [
    ['int', ['2147483647', '-2147483648', '0']],
    ['long', ['9223372036854775807', '-9223372036854775808', '9007199254740993']],
    ['double', ['5e-324', '1.7976931348623157e308', '0.1', '-1234.5', '1e21', '123456789012345680000', '1']],
    ['boolean', ['true', 'false']],
    ['date', ['0001-01-01', '9999-12-31', '1900-02-28', '1970-01-01']],
    ['timestamp', ['1900-03-01 00:00:00', '9999-12-31 23:59:59.999999', '2031-04-09 10:15:00.5']],
    ['string', ['', 'a "b"', 'a,b;c', 'a\nb', ' a ', '\\N', 'sep=;', 'null', '1,5', '1.5', '007', '𝄞', '\r', 'x\ry']],
];

export interface WrittenTable extends Omit<EdgeTable, 'put'> {
    /** Values that its tables cannot hold, which ends a run. */
    readonly refused?: readonly string[];
    /** Rows without a value are none. */
    readonly leavesBlanks?: boolean;
}

/** What is written is read again as it was, with an unknown value beside it, and that alone. */
export function describeWritten({ source, bind, access, folder: makeFolder, refused = [], leavesBlanks }: WrittenTable): void {
    test.each(WRITTEN)(`${source}: what is written is read again, ${bind.source.replace(/ host.*/su, '')}: %s`, async (kind, texts) => {
        const folder = makeFolder();
        const column: Column = { name: 'x', type: { kind }, cast: true };
        const table = { ...bind, inner: bind.inner.replace('x', `x_${kind}`) };
        const idOf = (dictionary: Dictionary, text: string | undefined): ValueId =>
            text === undefined ? dictionary.freshNull('x') : (castText(dictionary, text, { kind }) ?? expect.fail(text));
        const write = async (texts: readonly (string | undefined)[]): Promise<void> => {
            const dictionary = new Dictionary();
            const ids = texts.map(text => idOf(dictionary, text));
            const sink = runConnectors(access(folder)).sink(bindOf(table, 'output'));
            try {
                await sink?.write({ dictionary, columns: [column], count: ids.length, at: row => ids[row] ?? 0 }, () => undefined);
                await sink?.commit();
            } catch (error) {
                await sink?.discard();
                throw error;
            }
        };
        for (const text of texts.filter(one => refused.includes(one))) expect((await reportOf(() => write([text])))?.code).toBe('RT064');
        const held = texts.filter(text => !refused.includes(text));
        for (const texts of leavesBlanks ? [held] : [[undefined], [undefined, ...held], held]) {
            await write(texts);
            const dictionary = new Dictionary();
            const terms = texts.map(text => termText(dictionary, idOf(dictionary, text), column.type, () => 'z1'));
            const { rows, reports } = await rowsOf(bindOf(table), access(folder), () => undefined, [column]);
            expect([rows.toSorted(), reports]).toEqual([terms.toSorted(), []]);
        }
    });
}
