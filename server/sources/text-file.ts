import { stop } from '#engine/reports/reports.ts';
import { byteEncoding } from '#engine/sources/csv-encoding.ts';
import type { OutputRows } from '#engine/sources/source.ts';
import { eachLine, LINE_COLUMNS, type TextOptions, textOptions } from '#engine/sources/text-lines.ts';
import { textOf } from '#engine/values/text.ts';
import { CONNECTED_SOURCES } from '#language/library/connected-sources.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import { type BoundFile, copyLines, type FileFormat, lineEndOf, verifyEncoding, withFile } from './bound-file.ts';
import { type LineTable, lineRows, lineSchema } from './line-rows.ts';
import { writePacked } from './packed-target.ts';

const LINES: LineTable = {
    names: LINE_COLUMNS,
    types: [{ kind: 'string' }, { kind: 'int' }, { kind: 'string' }],
    endings: { ...CONNECTED_SOURCES.text, haveAllColumns: false },
};
const LF = '\n';
const ROWS_PER_CHECKPOINT = 1024;

/** Texts, whose rows are their lines, with their numbers in a second column and the name of the file in a third where somebody asks for them. */
export const TEXT_FILES: FileFormat = {
    verify: file => {
        verifyEncoding(file, optionsOf(file).encoding);
    },
    many: LINES.endings,
    load: (file, target) => {
        const rows = lineRows(file, LINES, optionsOf(file), target);
        for (const one of rows.files) {
            const { shown, access } = one.file;
            const add = one.begin();
            withFile(one.file, bytes =>
                eachLine(
                    { bytes, file: shown, options: optionsOf(one.file), context: access.report },
                    (text, line) => add([text, line], line),
                    () => target.checkpoint(),
                ),
            );
        }
        rows.end();
    },
    peek: file => lineSchema(file, LINES, optionsOf(file)),
    foreign: file => (withFile(file, ({ size }) => size) > 0 ? say`nothing in a text shows that a run has written it` : undefined),
    survey: ({ withBytes, name, options }, checkpoint) => {
        let rows = 0;
        const count = (): void => void rows++;
        withBytes(bytes => eachLine({ bytes, file: name, options: textOptions(options, name, {}) }, count, checkpoint));
        return [{ names: LINES.names, types: LINES.types, rows }];
    },
    write: (file, rows, target) => {
        const options = optionsOf(file);
        const { packing, encoding } = options;
        const { shown, access } = file;
        return writePacked(packing, target, packed => {
            const { write, appends, checkpoint } = packed;
            const bytes = byteEncoding(encoding, shown, access.report);
            const encoder = new TextEncoder();
            const lineEnd = appends ? lineEndOf(file, options) : LF;
            if (appends) copyLines(file, packed, packing, bytes.encode(encoder.encode(LF)), bytes.encode(encoder.encode(lineEnd)));
            else write(bytes.mark);
            for (const [i, row] of lineOrder(file, rows).entries()) {
                if (i % ROWS_PER_CHECKPOINT === 0) checkpoint();
                write(bytes.encode(encoder.encode(`${lineOf(file, rows, row)}${lineEnd}`)));
            }
            checkpoint();
        });
    },
};

function optionsOf({ bind, shown, access }: BoundFile): TextOptions {
    return textOptions(bind.options, shown, access.report);
}

/** The rows in the order of their lines: that of the rows, or of the numbers in a second column. */
function lineOrder(file: BoundFile, rows: OutputRows): readonly number[] {
    const { dictionary, columns, count, at } = rows;
    const order = Array.from({ length: count }, (_, row) => row);
    if (columns.length === 1) return order;
    if (columns.length !== 2)
        refuse(
            file,
            say`cannot be written: a line of text has one column, and a second one may number the lines, but here are ${columns.length}`,
        );
    const numbers = order.map(row => {
        const id = at(row, 1);
        return dictionary.isNumber(id)
            ? dictionary.numberOf(id)
            : refuse(file, say`cannot be written: row ${row + 1} has no number of its line`);
    });
    return order.sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
}

function lineOf(file: BoundFile, { dictionary, columns, at }: OutputRows, row: number): string {
    const id = at(row, 0);
    if (dictionary.isNull(id)) refuse(file, say`cannot be written: the text of row ${row + 1} is unknown`);
    const text = textOf(dictionary, id, columns[0]?.type ?? MIXED, String);
    if (/[\r\n]/u.test(text)) refuse(file, say`cannot be written: the text of row ${row + 1} has more than one line`);
    return text;
}

function refuse({ shown, access }: BoundFile, reason: string): never {
    return stop('RT064', { ...access.report, source: { file: shown } }, shown, reason);
}
