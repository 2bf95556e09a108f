import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { type ReportContext, stop } from '../reports/reports.ts';
import type { Packing } from './packing.ts';
import type { ByteReader } from './source.ts';
import { type ColumnChoice, sourceOptions } from './source-options.ts';
import { unpackedBytes } from './unpacked-bytes.ts';
import { invalidUtf8, utf8Reader } from './utf8-reader.ts';

/** The columns of a text: its lines, their numbers from 1, and the name of the file. */
export const LINE_COLUMNS = ['text', 'line', 'file'] as const;

export interface TextOptions {
    /** As the program names it. */
    readonly encoding: string;
    readonly packing?: Packing;
    /** One null per column instead of one per cell. */
    readonly sameNull: boolean;
    readonly selectedColumns?: readonly ColumnChoice[];
}

/** Reads the options of a bind of a type; a value that cannot be used ends the run with RT064 for `file`. */
export function textOptions(options: ReadonlyMap<string, string>, file: string, context: ReportContext, type = 'text'): TextOptions {
    const all = sourceOptions(options, file, context);
    all.refuseUnsupported(type);
    if (options.has('documentType')) {
        const remedy = say`A model finds the facts of a document of this type: rulelang data infer FILE --option documentType=${options.get('documentType')}.`;
        stop('RT065', { ...context, remedy }, say`Option 'documentType' of a ${type} bind`);
    }
    const [packing, selectedColumns] = [all.packing(), all.selectedColumns()];
    return {
        encoding: all.text('encoding')?.trim() ?? 'UTF-8',
        sameNull: all.sameNull(),
        ...(packing === undefined ? {} : { packing }),
        ...(selectedColumns === undefined ? {} : { selectedColumns }),
    };
}

export interface TextInput {
    readonly bytes: ByteReader;
    /** The name that reports give the text. */
    readonly file: string;
    readonly options: TextOptions;
    readonly context?: ReportContext;
}

const WINDOW = 1 << 16;
/** Bytes of the longest line. */
const LONGEST = 2 ** 24;
const [LF, CR] = [0x0a, 0x0d];

/** Goes over the lines of a text, which end at LF or CRLF, without a byte-order mark. RT064 for bytes that are not text. */
export function eachLine(
    { bytes, file, options, context = {} }: TextInput,
    take: (text: string, line: number) => void,
    checkpoint: () => void,
): void {
    const { packing, encoding } = options;
    const unpacked = packing === undefined ? bytes : unpackedBytes(bytes, packing, { file, context, isFront: false });
    const reader = utf8Reader(unpacked, encoding, file, context);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const window = new Uint8Array(WINDOW);
    let line = 1;
    let begun: Uint8Array[] = [];
    let length = 0;
    const fail = (reason: string): never =>
        stop('RT064', { ...context, source: { file, line } }, file, say`${reason} (line ${countText(line)})`);
    const hold = (piece: Uint8Array): void => {
        length += piece.length;
        if (length > LONGEST) fail(say`has a line of more than ${LONGEST / 2 ** 20} MiB`);
        begun.push(piece);
    };
    const end = (): void => {
        const [first = new Uint8Array(0)] = begun;
        const whole = begun.length === 1 ? first : joined(begun, length);
        const to = whole.at(-1) === CR ? whole.length - 1 : whole.length;
        if (invalidUtf8(whole, 0, to) >= 0) fail(say`is not ${encoding}: some of its bytes have no meaning in this encoding`);
        const text = decoder.decode(whole.subarray(0, to));
        take(line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text, line);
        line++;
        begun = [];
        length = 0;
    };
    for (let got = reader.read(window); got > 0; got = reader.read(window)) {
        const read = window.subarray(0, got);
        let from = 0;
        for (let at = read.indexOf(LF); at >= 0; at = read.indexOf(LF, from)) {
            hold(read.subarray(from, at));
            end();
            from = at + 1;
        }
        // The window is filled anew.
        if (from < got) hold(read.slice(from));
        checkpoint();
    }
    if (length > 0) end();
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.length;
    }
    return whole;
}
