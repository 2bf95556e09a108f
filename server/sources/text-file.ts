import { stop } from '#engine/reports.ts';
import { chosenColumns, columnPlan } from '#engine/sources/column-plan.ts';
import { byteEncoding } from '#engine/sources/csv-encoding.ts';
import { PlannedRows } from '#engine/sources/planned-rows.ts';
import { nullMaker, RowFaults } from '#engine/sources/row-faults.ts';
import type { OutputRows, RowTarget } from '#engine/sources/source.ts';
import { eachLine, LINE_COLUMNS, type TextOptions, textOptions } from '#engine/sources/text-lines.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { type BoundFile, copyLines, type FileFormat, verifyEncoding, withFile } from './bound-file.ts';
import { writePacked } from './packed-target.ts';

const TYPES: readonly Type[] = [{ kind: 'string' }, { kind: 'int' }];
const LF = Uint8Array.of(0x0a);
const ROWS_PER_CHECKPOINT = 1024;

/** Texts, whose rows are their lines, with their numbers in a second column where somebody asks for them. */
export const TEXT_FILES: FileFormat = {
    verify: file => {
        const options = optionsOf(file);
        verifyEncoding(file, options.encoding);
        if (file.bind.direction === 'input') chosenColumns(LINE_COLUMNS, requestOf(file, options));
    },
    load: (file, target) => {
        const options = optionsOf(file);
        const { shown, access } = file;
        withFile(file, bytes => {
            const read = lineReader(file, options, target);
            eachLine({ bytes, file: shown, options, context: access.report }, read.add, () => target.checkpoint());
            read.end();
        });
    },
    peek: file => {
        const chosen = chosenColumns(LINE_COLUMNS, requestOf(file, optionsOf(file))) ?? [...LINE_COLUMNS.keys()];
        return withFile(file, () => ({
            columns: chosen.map(at => {
                const [name, type] = [LINE_COLUMNS[at], TYPES[at]];
                return { ...(name !== undefined && { name }), ...(type !== undefined && { type }) };
            }),
        }));
    },
    survey: ({ withBytes, name, options }, checkpoint) => {
        let rows = 0;
        const count = (): void => void rows++;
        withBytes(bytes => eachLine({ bytes, file: name, options: textOptions(options, name, {}) }, count, checkpoint));
        return [{ names: LINE_COLUMNS, types: TYPES, rows }];
    },
    write: (file, rows, target) => {
        const { packing, encoding } = optionsOf(file);
        const { shown, access } = file;
        return writePacked(packing, target, packed => {
            const { write, appends, checkpoint } = packed;
            const bytes = byteEncoding(encoding, shown, access.report);
            if (appends) copyLines(file, packed, packing, bytes.encode(LF));
            else write(bytes.mark);
            const encoder = new TextEncoder();
            for (const [i, row] of lineOrder(file, rows).entries()) {
                if (i % ROWS_PER_CHECKPOINT === 0) checkpoint();
                write(bytes.encode(encoder.encode(`${lineOf(file, rows, row)}\n`)));
            }
            checkpoint();
        });
    },
};

function optionsOf({ bind, shown, access }: BoundFile): TextOptions {
    return textOptions(bind.options, shown, access.report);
}

function requestOf({ shown, access }: BoundFile, options: TextOptions) {
    return { file: shown, options, context: access.report };
}

function lineReader(file: BoundFile, options: TextOptions, target: RowTarget) {
    const { dictionary, columns } = target;
    const plan = columnPlan(columns, LINE_COLUMNS, requestOf(file, options));
    const origin = { file: file.shown, predicate: file.bind.predicate };
    const nullFor = nullMaker(origin, options.sameNull, dictionary);
    const faults = new RowFaults(origin, columns);
    const rows = new PlannedRows(target, { plan, faults, nullFor });
    const valueAt = (source: number, text: string, line: number): ValueId | undefined =>
        [() => dictionary.string(text), () => dictionary.number(line)][source]?.();
    return {
        add: (text: string, line: number): void => {
            if (columns.length > LINE_COLUMNS.length) faults.padded(line);
            rows.fill(source => valueAt(source, text, line), line);
            rows.add(line);
        },
        end: (): void => {
            for (const fault of faults.reports(columns.length)) target.report(fault);
            target.checkpoint();
        },
    };
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
