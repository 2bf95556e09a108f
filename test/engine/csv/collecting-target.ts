import type { Report } from '#engine/reports/reports.ts';
import { type CsvOptions, DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import type { CsvInput } from '#engine/sources/csv-reader.ts';
import { readCsv } from '#engine/sources/csv-reader.ts';
import type { ByteReader } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { Column } from '#language/program/analysed-program.ts';
import type { ScalarKind } from '#language/program/types.ts';

/** What a reader delivered: rows as text, nulls as null, and the line of each row. */
export interface Collected {
    readonly rows: (string | null)[][];
    readonly lines: number[];
    readonly reports: Report[];
    readonly dictionary: Dictionary;
    readonly ids: number[][];
}

/** `name`, or `name:type` for a column with a cast. */
export function columnsOf(...descriptions: string[]): Column[] {
    return descriptions.map(description => {
        const [name = '', kind] = description.split(':');
        return { name, type: { kind: (kind ?? 'string') as ScalarKind }, cast: kind !== undefined };
    });
}

export function bytesOf(text: string | Uint8Array, pieces = Number.POSITIVE_INFINITY): ByteReader {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    let at = 0;
    return {
        read: into => {
            const taken = bytes.subarray(at, at + Math.min(into.length, pieces));
            into.set(taken);
            at += taken.length;
            return taken.length;
        },
    };
}

export function collect(
    text: string | Uint8Array,
    columns: readonly Column[],
    options: Partial<CsvOptions> = {},
    further: Partial<CsvInput> & { readonly pieces?: number } = {},
): Collected {
    const dictionary = new Dictionary();
    const collected: Collected = { rows: [], lines: [], reports: [], dictionary, ids: [] };
    const input = {
        file: 'data.csv',
        predicate: 'p',
        options: { ...DEFAULT_CSV_OPTIONS, ...options },
        bytes: bytesOf(text, further.pieces),
        ...further,
    };
    const add = (row: Int32Array, line: number): void => {
        collected.ids.push([...row]);
        collected.rows.push(
            Array.from(row, (id, at) =>
                dictionary.isNull(id) ? null : textOf(dictionary, id, columns[at]?.type ?? { kind: 'string' }, String),
            ),
        );
        collected.lines.push(line);
    };
    readCsv(input, {
        dictionary,
        columns,
        add,
        checkpoint: () => undefined,
        report: found => collected.reports.push(found),
    });
    return collected;
}
