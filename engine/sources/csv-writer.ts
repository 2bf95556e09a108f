import type { NumberForm } from '#language/program/number-form.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { type ReportContext, stop } from '../reports/reports.ts';
import { smallIntegerOf } from '../values/dictionary.ts';
import { type NullLabel, textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { type ByteEncoding, byteEncoding } from './csv-encoding.ts';
import type { CsvOptions } from './csv-options.ts';
import type { OutputRows } from './source.ts';
import { LONGEST_INTEGER, writeInteger } from './written-integer.ts';
import { writtenNumber } from './written-numbers.ts';

/** How rows become CSV text. */
export interface CsvOutput {
    readonly options: CsvOptions;
    /** The name that reports give the target. */
    readonly file: string;
    /** Leaves the header out, for rows that follow others. */
    readonly continues?: boolean;
    /** Text in place of nulls; the `nullString` where absent. */
    readonly nullLabel?: NullLabel;
    readonly context?: ReportContext;
}

const BUFFER = 1 << 16;
const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const ROWS_PER_CHECKPOINT = 1024;

const EQUALS = 0x3d;
/** `sep=` before one letter, which may be the delimiter behind the cell. */
const SEPARATOR = /^sep=/iu;
const LONGEST_SEPARATOR_LINE = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes rows as RFC 4180 text, in pieces of about 64 KiB. What it writes, the reader with the same options reads back. */
export function writeCsv(rows: OutputRows, output: CsvOutput, write: (bytes: Uint8Array) => void, checkpoint: () => void): void {
    const { options, file, context = {} } = output;
    const { dictionary, columns } = rows;
    const text = new CsvText(options, byteEncoding(options.encoding, file, context), write, column =>
        stop(
            'RT064',
            { ...context, source: { file } },
            file,
            say`cannot be written with quoteMode=none: a value of column '${column}' needs quotes`,
        ),
    );
    if (!output.continues) text.start();
    if (options.useHeaders && !output.continues)
        text.header(
            columns.map(column => column.name),
            rows.plainNames === true,
        );
    const nullText = encoder.encode(options.nullString);
    const label = output.nullLabel ?? ((): string => options.nullString);
    const isAlone = columns.length === 1;
    for (let row = 0; row < rows.count; row++) {
        if (row % ROWS_PER_CHECKPOINT === 0) checkpoint();
        for (let column = 0; column < columns.length; column++) {
            const { name, type } = columns[column]!;
            const id = rows.at(row, column);
            if (column > 0) text.delimiter();
            if (id < 0 && type.kind !== 'double' && type.kind !== 'float' && text.hasPlainDigits) text.integer(smallIntegerOf(id));
            else if (!dictionary.isNull(id)) text.cell(valueBytes(rows, id, type, options.numbers), dictionary.isNumber(id), isAlone, name);
            else if (output.nullLabel === undefined) text.plain(nullText);
            else text.plain(encoder.encode(label(id)));
        }
        text.endRecord();
    }
    text.flush();
    checkpoint();
}

function valueBytes({ dictionary }: OutputRows, id: ValueId, type: Type, numbers: NumberForm | undefined): Uint8Array {
    const kind = dictionary.kind(id);
    if (kind === 'string') return dictionary.utf8Of(id);
    const text = textOf(dictionary, id, type, String);
    return encoder.encode(kind === 'number' && numbers !== undefined ? writtenNumber(text, numbers) : text);
}

/** Bytes of CSV text on their way out. */
class CsvText {
    readonly #options: CsvOptions;
    readonly #encoding: ByteEncoding;
    readonly #write: (bytes: Uint8Array) => void;
    readonly #unquotable: (column: string) => never;
    readonly #delimiter: Uint8Array;
    readonly #separator: Uint8Array;
    readonly #nullString: Uint8Array;
    /** Integers may be written as digits: no quotes are wanted, and nothing else is made of digits. */
    readonly hasPlainDigits: boolean;
    /** Not 0 for bytes that a cell holds only in quotes. */
    readonly #special = new Uint8Array(256);
    #buffer = new Uint8Array(BUFFER);
    #length = 0;

    constructor(options: CsvOptions, encoding: ByteEncoding, write: (bytes: Uint8Array) => void, unquotable: (column: string) => never) {
        this.#options = options;
        this.#encoding = encoding;
        this.#write = write;
        this.#unquotable = unquotable;
        this.#delimiter = encoder.encode(options.delimiter);
        this.#separator = encoder.encode(options.recordSeparator ?? '\n');
        this.#nullString = encoder.encode(options.nullString);
        for (const byte of [this.#delimiter[0], this.#separator[0], QUOTE, CR, LF]) this.#special[byte ?? QUOTE] = 1;
        const digits = encoder.encode('-0123456789');
        this.hasPlainDigits =
            options.quoteMode !== 'all' && !digits.some(byte => this.#special[byte] !== 0 || byte === this.#nullString[0]);
    }

    start(): void {
        if (this.#encoding.mark.length > 0) this.#write(this.#encoding.mark);
    }

    header(names: readonly string[], plain: boolean): void {
        for (const [at, name] of names.entries()) {
            if (at > 0) this.delimiter();
            const bytes = encoder.encode(name);
            if (plain && !this.#needsQuotes(bytes, false)) this.plain(bytes);
            else this.cell(bytes, false, names.length === 1, name);
        }
        this.endRecord();
    }

    /** A whole number below 2^31 in size. */
    integer(value: number): void {
        this.#reserve(LONGEST_INTEGER);
        this.#length = writeInteger(value, this.#buffer, this.#length);
    }

    cell(bytes: Uint8Array, isNumber: boolean, isAlone: boolean, column: string): void {
        const { quoteMode } = this.#options;
        const needed = this.#needsQuotes(bytes, isAlone);
        if (needed && quoteMode === 'none') this.#unquotable(column);
        if (needed || quoteMode === 'all' || (quoteMode === 'non_numeric' && !isNumber)) this.#quoted(bytes);
        else this.plain(bytes);
    }

    plain(bytes: Uint8Array): void {
        this.#reserve(bytes.length);
        this.#buffer.set(bytes, this.#length);
        this.#length += bytes.length;
    }

    delimiter(): void {
        this.plain(this.#delimiter);
    }

    endRecord(): void {
        this.plain(this.#separator);
        if (this.#length >= BUFFER) this.flush();
    }

    flush(): void {
        if (this.#length > 0) this.#write(this.#encoding.encode(this.#buffer.subarray(0, this.#length)));
        this.#length = 0;
    }

    /** A cell that the reader would take for something else: a null, an empty record, several cells, a mark, the name of the delimiter. */
    #needsQuotes(bytes: Uint8Array, isAlone: boolean): boolean {
        if (bytes.length === 0 && isAlone) return true;
        if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return true;
        if (bytes.length <= LONGEST_SEPARATOR_LINE && bytes[3] === EQUALS && SEPARATOR.test(decoder.decode(bytes))) return true;
        for (let i = 0; i < bytes.length; i++) if (this.#special[bytes[i]!] !== 0) return true;
        return bytes.length === this.#nullString.length && bytes.every((byte, i) => byte === this.#nullString[i]);
    }

    #quoted(bytes: Uint8Array): void {
        this.#reserve(bytes.length * 2 + 2);
        const buffer = this.#buffer;
        let at = this.#length;
        buffer[at++] = QUOTE;
        for (const byte of bytes) {
            buffer[at++] = byte;
            if (byte === QUOTE) buffer[at++] = QUOTE;
        }
        buffer[at++] = QUOTE;
        this.#length = at;
    }

    #reserve(count: number): void {
        if (this.#length + count <= this.#buffer.length) return;
        const grown = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + count));
        grown.set(this.#buffer.subarray(0, this.#length));
        this.#buffer = grown;
    }
}
