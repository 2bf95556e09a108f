import { describe, expect, test } from 'vitest';
import { RunStopped } from '#engine/reports/reports.ts';
import { type CsvOptions, DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import {
    hasRanges,
    type PackedRange,
    type PlacedBytes,
    RANGE,
    type RangeLayout,
    RangeReader,
    rangeCount,
    readCsvRanges,
} from '#engine/sources/csv-ranges.ts';
import { readCsv } from '#engine/sources/csv-reader.ts';
import type { SharedBlocks } from '#engine/sources/shared-blocks.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { fc } from '../../support/fast-check.ts';
import { bytesOf, columnsOf } from './collecting-target.ts';

/** Who reads which range: a number from 1 on, or 0 for whoever takes it. */
type Shares = readonly number[];

function placed(text: string, range: number): PlacedBytes {
    const bytes = new TextEncoder().encode(text);
    return {
        size: bytes.length,
        range,
        readAt: (into, position) => {
            const part = bytes.subarray(position, position + into.length);
            into.set(part);
            return part.length;
        },
    };
}

/** Readers that have read all their ranges before the first is taken, as other threads may. */
function readersOf(bytes: PlacedBytes, layout: RangeLayout, shares: Shares): SharedBlocks<PackedRange> {
    const readers = new Map<number, RangeReader>();
    const found = Array.from({ length: rangeCount(bytes) }, (_, range) => {
        const reader = shares[range % shares.length] ?? 0;
        if (reader === 0 || range === 0) return undefined;
        const own = readers.get(reader) ?? new RangeReader(bytes, layout);
        readers.set(reader, own);
        return { thread: reader, result: structuredClone(own.read(range)) };
    });
    return { take: range => Promise.resolve(found[range]), end: () => Promise.resolve() };
}

/** All that can be told from rows that were read: ids too where they are asked for, which follow the order in which values were met. */
function collecting(columns: readonly Column[], withIds: boolean): { readonly target: RowTarget; readonly told: string[] } {
    const dictionary = new Dictionary();
    const told: string[] = [];
    const target: RowTarget = {
        dictionary,
        columns,
        add: (row, line) => {
            const cells = Array.from(row, (id, at) =>
                dictionary.isNull(id) ? null : textOf(dictionary, id, columns[at]?.type ?? { kind: 'string' }, String),
            );
            told.push(JSON.stringify([line, cells, withIds ? [...row] : []]));
        },
        checkpoint: () => undefined,
        report: found => told.push(JSON.stringify(found)),
    };
    return { target, told };
}

async function outcome(read: () => void | Promise<void>, told: string[]): Promise<readonly string[]> {
    try {
        await read();
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        // Rows before it are not looked at by anybody.
        return [error.message];
    }
    return told;
}

async function inRanges(
    text: string,
    columns: readonly Column[],
    options: CsvOptions,
    range: number,
    shares: Shares,
): Promise<readonly string[]> {
    const bytes = placed(text, range);
    const { target, told } = collecting(columns, true);
    const input = { file: 'data.csv', predicate: 'p', options };
    return await outcome(() => readCsvRanges(input, bytes, target, layout => readersOf(bytes, layout, shares)), told);
}

const cell = fc.oneof(
    {
        weight: 12,
        arbitrary: fc.constantFrom(
            'a',
            'b',
            'abcde',
            'é',
            'x y',
            '1',
            '-7',
            '99999999999',
            '1 234',
            '9007199254740993',
            '1.5',
            '2031-04-09',
        ),
    },
    { weight: 4, arbitrary: fc.constantFrom('2031-04-09 10:11:12', '9999-12-31 23:59:59', 'true', '\\N', '"a"', '"a""b"', '"\\N"', '') },
    { weight: 1, arbitrary: fc.constantFrom('"a"b', 'x\ry', '"a\nb"', '"') },
);
const lines = fc.array(
    fc.record({
        cells: fc.oneof(
            { weight: 12, arbitrary: fc.array(cell, { minLength: 3, maxLength: 3 }) },
            { weight: 1, arbitrary: fc.array(cell, { maxLength: 4 }) },
        ),
        end: fc.oneof({ weight: 8, arbitrary: fc.constant('\n') }, { weight: 1, arbitrary: fc.constantFrom('\r\n', '\n\n') }),
    }),
    { minLength: 1, maxLength: 60 },
);
const kind = fc.constantFrom('', ':string', ':int', ':long', ':double', ':boolean', ':date', ':timestamp', ':json');
const options = fc.record(
    {
        useHeaders: fc.boolean(),
        sameNull: fc.boolean(),
        nullString: fc.constantFrom('\\N', '', '1'),
        numbers: fc.constantFrom({ decimal: '.', thousands: ' ' }, { decimal: ',' }),
        hasBlankRows: fc.constant(true),
    },
    { requiredKeys: ['useHeaders', 'sameNull', 'nullString'] },
);

describe('ranges of a CSV text', () => {
    test('begin behind the line that names the delimiter', async () => {
        const all: CsvOptions = { ...DEFAULT_CSV_OPTIONS, delimiter: ';', useHeaders: true, namesDelimiter: true };
        const text = `sep=;\na;b\n${'1;x\n2;y\n'.repeat(20)}`;
        const columns = columnsOf('a:int', 'b');
        const whole = collecting(columns, false);
        const expected = await outcome(
            () => readCsv({ file: 'data.csv', predicate: 'p', options: all, bytes: bytesOf(text) }, whole.target),
            whole.told,
        );
        const parts = collecting(columns, false);
        const input = { file: 'data.csv', predicate: 'p', options: all };
        expect(await outcome(() => readCsvRanges(input, placed(text, 16), parts.target, () => undefined), parts.told)).toEqual(expected);
        expect(expected[0]).toContain('[3,');
    });

    test('give the same rows, ids, lines and reports whoever reads them', async () => {
        await fc.assert(
            fc.asyncProperty(
                lines,
                fc.array(kind, { minLength: 3, maxLength: 3 }),
                options,
                fc.constantFrom(16, 24, 40, 100),
                fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 7 }),
                async (rows, kinds, chosen, range, shares) => {
                    const text = rows.map(({ cells, end }) => `${cells.join(',')}${end}`).join('');
                    const columns = columnsOf(...kinds.map((type, i) => `c${i}${type}`));
                    const all = { ...DEFAULT_CSV_OPTIONS, ...chosen };
                    const alone = await inRanges(text, columns, all, range, [0]);
                    expect(await inRanges(text, columns, all, range, shares)).toEqual(alone);
                },
            ),
            { numRuns: 250 },
        );
    });

    test('are the text in one piece', async () => {
        await fc.assert(
            fc.asyncProperty(lines, options, fc.constantFrom(16, 40, 100), async (rows, chosen, range) => {
                const text = rows.map(({ cells, end }) => `${cells.join(',')}${end}`).join('');
                const columns = columnsOf('a:int', 'b', 'c:double');
                const all = { ...DEFAULT_CSV_OPTIONS, ...chosen };
                const input = { file: 'data.csv', predicate: 'p', options: all };
                const [whole, parts] = [collecting(columns, false), collecting(columns, false)];
                const bytes = placed(text, range);
                const expected = await outcome(() => readCsv({ ...input, bytes: bytesOf(text) }, whole.target), whole.told);
                expect(await outcome(() => readCsvRanges(input, bytes, parts.target, () => undefined), parts.told)).toEqual(expected);
            }),
            { numRuns: 250 },
        );
    });

    test('are those of long texts, in which no separator stands within a cell', () => {
        const long = 4 * RANGE;
        expect(hasRanges(DEFAULT_CSV_OPTIONS, long)).toBe(true);
        expect(hasRanges(DEFAULT_CSV_OPTIONS, RANGE)).toBe(false);
        expect(hasRanges({ ...DEFAULT_CSV_OPTIONS, multiline: true }, long)).toBe(false);
        expect(hasRanges({ ...DEFAULT_CSV_OPTIONS, encoding: 'utf-16' }, long)).toBe(false);
        expect(hasRanges({ ...DEFAULT_CSV_OPTIONS, packing: 'gzip' }, long)).toBe(false);
        expect(hasRanges({ ...DEFAULT_CSV_OPTIONS, delimiter: '||' }, long)).toBe(false);
    });
});
