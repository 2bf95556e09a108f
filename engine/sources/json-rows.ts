import { byCodePoint } from '#language/program/by-code-point.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { join, type Type, UNKNOWN } from '#language/program/types.ts';
import { type ReportContext, stop } from '../reports/reports.ts';
import { TYPE_MAKER } from './json-makers.ts';
import type { JsonOptions } from './json-options.ts';
import type { JsonSurvey } from './json-survey.ts';
import { END, type JsonMaker, JsonText, LF, OPEN_BRACE, OPEN_BRACKET } from './json-text.ts';
import type { ByteReader } from './source.ts';
import { unpackedBytes } from './unpacked-bytes.ts';
import { utf8Reader } from './utf8-reader.ts';

/** One JSON file and what a run knows about it. */
export interface JsonInput {
    /** Hands out the bytes of the file from its beginning, each time anew. */
    readonly withBytes: <T>(use: (bytes: ByteReader) => T) => T;
    /** The name that reports give the file. */
    readonly file: string;
    readonly options: JsonOptions;
    /** The place that names the source; reports about its rows name the row instead. */
    readonly context?: ReportContext;
    /** Bytes read at a time. */
    readonly windowSize?: number;
}

/** The columns of a JSON file in ascending order of their names (D-81), and the types of their values. */
export interface JsonColumns {
    readonly names: readonly string[];
    readonly types: readonly Type[];
    readonly rows: number;
    /** Some line has several items. */
    readonly sharesLines: boolean;
}

/** The largest number of different names in the rows of a file. */
const COLUMN_LIMIT = 10_000;

/** Opens the text of a JSON file. A text that is not JSON ends the run with RT064, which names line and column. */
export function openJson({ file, options, context = {}, windowSize }: JsonInput, bytes: ByteReader, checkpoint: () => void): JsonText {
    const fail = (reason: string, line: number, column: number): never =>
        stop(
            'RT064',
            { ...context, source: { file, line } },
            file,
            say`cannot be read as JSON rows: ${reason} (line ${countText(line)}, column ${countText(column)})`,
        );
    const { packing, encoding, multiline } = options;
    const text = packing === undefined ? bytes : unpackedBytes(bytes, packing, { file, context, isFront: false });
    return new JsonText(utf8Reader(text, encoding, file, context), !multiline, { fail, checkpoint }, windowSize);
}

/** Goes over the rows of a text: each item of a root array is one, and so is a root object. `row` must take the object. */
export function eachRow(text: JsonText, { multiline }: JsonOptions, row: () => void): void {
    if (multiline) {
        root(text, row);
        if (text.sign() !== END) text.unexpected(say`the end; multiline=false reads one object per line, and there nothing`);
        return;
    }
    for (;;) {
        while (text.take(LF));
        if (text.sign() === END) return;
        root(text, row);
        if (text.sign() !== END && text.sign() !== LF) text.unexpected(say`the end of the line`);
    }
}

function root(text: JsonText, row: () => void): void {
    const object = (): void => {
        if (text.sign() !== OPEN_BRACE) text.unexpected(say`an object, whose members are the cells of a row,`);
        row();
    };
    const sign = text.sign();
    if (sign === OPEN_BRACKET) text.items(object);
    else if (sign === OPEN_BRACE) row();
    else text.unexpected(say`an array of objects or an object`);
}

/** Makes results of the values of a file. */
interface JsonReading {
    readonly make?: JsonMaker<Type>;
    /** Looks at the values that it makes. */
    readonly survey?: JsonSurvey;
}

/** Reads a file for the names of its columns and the types of their values, as `make` says them. */
export function jsonColumns(
    input: JsonInput,
    checkpoint: () => void,
    { survey, make = survey?.maker ?? TYPE_MAKER }: JsonReading = {},
): JsonColumns {
    return input.withBytes(bytes => {
        const text: JsonText = openJson(input, bytes, checkpoint);
        const types = new Map<string, Type>();
        const lastRow = new Map<string, number>();
        let rows = 0;
        let line = 0;
        let sharesLines = false;
        eachRow(text, input.options, () => {
            rows++;
            sharesLines ||= text.line === line;
            line = text.line;
            survey?.enterRow();
            text.members(name => {
                if (lastRow.get(name) === rows) text.fail(say`'${name}' stands in one object twice`);
                lastRow.set(name, rows);
                if (lastRow.size > COLUMN_LIMIT) text.fail(say`its objects have more than ${countText(COLUMN_LIMIT)} names`);
                const type = text.value(make);
                types.set(name, join(types.get(name) ?? UNKNOWN, type));
                survey?.note(name, type);
            });
        });
        const names = [...types.keys()].sort(byCodePoint);
        return { names, types: names.map(name => types.get(name) ?? UNKNOWN), rows, sharesLines };
    });
}

/** Whether a file of one JSON text, which can be read, is an object instead of an array. */
export function isOneObject(input: JsonInput): boolean {
    if (!input.options.multiline) return false;
    return input.withBytes(bytes => openJson(input, bytes, () => undefined).sign() === OPEN_BRACE);
}

/** How many bytes of a file come before the end of its root array, up to its last item, and whether it has items. */
export interface ArrayEnd {
    readonly offset: number;
    readonly isEmpty: boolean;
}

/** Looks through a file of one root array of anything; RT064 where it holds something else. */
export function arrayEnd(input: JsonInput, checkpoint: () => void): ArrayEnd {
    return input.withBytes(bytes => {
        const text: JsonText = openJson(input, bytes, checkpoint);
        if (text.sign() !== OPEN_BRACKET) text.unexpected(say`an array, to which rows can be added,`);
        let offset = text.offset + 1;
        let isEmpty = true;
        text.items(() => {
            text.value(TYPE_MAKER);
            offset = text.offset;
            isEmpty = false;
        });
        if (text.sign() !== END) text.unexpected(say`the end`);
        return { offset, isEmpty };
    });
}
