import { DEFAULT_CSV_OPTIONS } from '#engine/sources/csv-options.ts';
import { writeCsv } from '#engine/sources/csv-writer.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { visible, visibleJson } from '#server/notices/visible-text.ts';
import type { ResultFormat } from '#server/protocol/result-formats.ts';
import { factClause } from './print-facts.ts';
import { inPieces, type NamedRows, printJson, printNdjson } from './print-json.ts';
import { printMarkdown } from './print-markdown.ts';
import { printSql } from './print-sql.ts';

interface RowWriter {
    /** Writes the rows of outputs, `limit` of each at most; of a format that holds one output, those of the first. `file` is what messages call it. */
    write(
        outputs: readonly NamedRows[],
        options: { readonly limit: number; readonly label: NullLabel; readonly file: string },
        print: (piece: string | Uint8Array) => void,
    ): void;
    /** The text as a terminal can show it, without what would control it. */
    visible(text: string): string;
}

export const ROW_WRITERS: Readonly<Record<ResultFormat, RowWriter>> = {
    json: {
        write: (outputs, { limit, label }, print) => printJson(outputs, limit, label, print),
        visible: visibleJson,
    },
    csv: {
        write([first], { limit, label, file }, print) {
            if (first === undefined) return;
            const { dictionary, columns, at, count } = first;
            const options = { ...DEFAULT_CSV_OPTIONS, useHeaders: true };
            writeCsv(
                { dictionary, columns, at, count: Math.min(count, limit) },
                { options, file, nullLabel: label },
                print,
                () => undefined,
            );
        },
        visible: visibleLines,
    },
    ndjson: {
        write([first], { limit, label }, print) {
            if (first !== undefined) printNdjson(first, limit, label, print);
        },
        visible: visibleJson,
    },
    md: {
        write([first], { limit, label }, print) {
            if (first !== undefined) inPieces(print, add => printMarkdown(first, limit, label, add));
        },
        visible: visibleLines,
    },
    sql: {
        write([first], { limit, label }, print) {
            if (first !== undefined) inPieces(print, add => printSql(first, limit, label, add));
        },
        visible: visibleLines,
    },
    facts: {
        write(outputs, { limit, label }, print) {
            inPieces(print, add => {
                for (const rows of outputs)
                    for (let row = 0; row < Math.min(rows.count, limit); row++) add(`${factClause(rows, row, label)}\n`);
            });
        },
        visible: visibleLines,
    },
};

function visibleLines(text: string): string {
    return text.split('\n').map(visible).join('\n');
}
