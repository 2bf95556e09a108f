import { say } from '#language/program/say.ts';
import type { CsvOptions } from './csv-options.ts';
import type { ByteReader } from './source.ts';

/** Bytes of the largest cell that is read. */
export const CELL_LIMIT = 16 * 1024 * 1024;
/** The largest number of cells in a record. */
export const COLUMN_LIMIT = 10_000;

const WINDOW = 1 << 18;
const STEP = 1 << 16;
const QUOTE = 0x22;
const CR = 0x0d;
/** Bytes behind the window, so that four bytes can be read at each of its bytes. */
const MARGIN = 4;

const encoder = new TextEncoder();
const NO_BYTES = new Uint8Array(0);

/** Listens for errors, and for the end of each piece of input. */
export interface CellEvents {
    fail(reason: string, line: number): never;
    checkpoint(): void;
}

/**
 * Cuts UTF-8 text into cells, one per call of `next`. The fields describe the current cell; its bytes stay where they
 * are until the next call. The window slides over the input and grows only for a cell that does not fit. A byte that
 * can end a cell lies behind the last byte, so that the scan needs no test for the end. The input begins in the line `line`, the first
 * one of a text where nothing else is said.
 */
export class CsvCells {
    bytes: Uint8Array = NO_BYTES;
    from = 0;
    to = 0;
    /** Some byte is beyond ASCII, so that the cell may not be UTF-8. */
    beyondAscii = false;
    quoted = false;
    /** The cell is the last of its record. */
    endsRecord = false;
    /** One-based line where the cell starts; with a record separator of its own, the number of the record. */
    line = 1;
    /** Cells so far with text behind their closing quote, and the line of the first. */
    readonly loose = { count: 0, line: 0 };

    readonly #reader: ByteReader;
    readonly #events: CellEvents;
    readonly #multiline: boolean;
    readonly #hasBlankRows: boolean;
    readonly #delimiter: number;
    readonly #delimiterTail: Uint8Array;
    readonly #separator: number;
    readonly #separatorTail: Uint8Array;
    /** Records end at LF, and a CR before it belongs to the line break. */
    readonly #byLines: boolean;
    #window: Uint8Array;
    #view: DataView;
    #capacity: number;
    #scratch = NO_BYTES;
    #next = 0;
    #end = 0;
    #atEnd = false;
    #lineNow: number;
    #startsRecord = true;

    constructor(
        reader: ByteReader,
        options: Pick<CsvOptions, 'delimiter' | 'recordSeparator' | 'multiline' | 'hasBlankRows'>,
        events: CellEvents,
        windowSize = WINDOW,
        line = 1,
    ) {
        this.#lineNow = line;
        this.#reader = reader;
        this.#events = events;
        this.#multiline = options.multiline;
        this.#hasBlankRows = options.hasBlankRows === true;
        const delimiter = encoder.encode(options.delimiter);
        this.#delimiter = delimiter[0]!;
        this.#delimiterTail = delimiter.subarray(1);
        this.#byLines = options.recordSeparator === undefined;
        const separator = encoder.encode(options.recordSeparator ?? '\n');
        this.#separator = separator[0]!;
        this.#separatorTail = separator.subarray(1);
        this.#capacity = windowSize;
        this.#window = new Uint8Array(windowSize + MARGIN);
        this.#view = new DataView(this.#window.buffer);
        while (!this.#atEnd && this.#end < 3) this.#refill(0);
        if (line === 1 && this.#end >= 3 && this.#window[0] === 0xef && this.#window[1] === 0xbb && this.#window[2] === 0xbf)
            this.#next = 3;
    }

    /** The bytes at hand, for a reader of whole records; three more can be read behind each of them. */
    get window(): { readonly bytes: Uint8Array; readonly view: DataView; readonly at: number; readonly end: number } {
        return { bytes: this.#window, view: this.#view, at: this.#next, end: this.#end };
    }

    /** The line where the next cell starts. */
    get nextLine(): number {
        return this.#lineNow;
    }

    /** Goes on at this offset of the window, where a record starts, with so many records before it read elsewhere. */
    skip(records: number, at: number): void {
        this.#next = at;
        this.#lineNow += records;
    }

    /** Moves to the next cell; false after the last. Records without any byte are passed over unless they are rows. */
    next(): boolean {
        for (;;) {
            const start = this.#next;
            const window = this.#window;
            if (window[start] === QUOTE) {
                if (this.#quotedCell(start)) return true;
                this.#refill(start);
                continue;
            }
            const delimiter = this.#delimiter;
            const separator = this.#separator;
            let bits = 0;
            let i = start;
            let byte = window[i]!;
            let tail = 0;
            for (;;) {
                while (byte !== delimiter && byte !== separator) {
                    bits |= byte;
                    byte = window[++i]!;
                }
                if (i >= this.#end) break;
                tail = this.#tailAt(i + 1, byte === delimiter ? this.#delimiterTail : this.#separatorTail);
                if (tail !== MISS) break;
                bits |= byte;
                byte = window[++i]!;
            }
            const ended = i >= this.#end;
            if ((ended && !this.#atEnd) || tail === CUT) {
                this.#refill(start);
                continue;
            }
            const endsRecord = ended || byte === separator;
            let to = i;
            if (endsRecord && this.#byLines && to > start && window[to - 1] === CR) to--;
            this.#next = ended ? i : i + 1 + tail;
            if (endsRecord && to === start && this.#startsRecord) {
                if (ended) return false;
                if (!this.#hasBlankRows) {
                    this.#lineNow++;
                    continue;
                }
            }
            this.bytes = window;
            this.from = start;
            this.to = to;
            this.beyondAscii = bits > 0x7f;
            this.quoted = false;
            this.#finish(endsRecord, 0);
            return true;
        }
    }

    /** Reads a cell that starts with a quote; false when more input is needed. */
    #quotedCell(start: number): boolean {
        const window = this.#window;
        const separator = this.#separator;
        let bits = 0;
        let doubled = false;
        let breaks = 0;
        let i = start + 1;
        for (;;) {
            const byte = window[i]!;
            if (byte === QUOTE) {
                if (i + 1 >= this.#end && !this.#atEnd) return false;
                if (i + 1 >= this.#end || window[i + 1] !== QUOTE) break;
                doubled = true;
                i++;
            } else if (byte === separator) {
                if (i >= this.#end) {
                    if (!this.#atEnd) return false;
                    this.#events.fail(say`has a quote that is never closed`, this.#lineNow);
                }
                const tail = this.#tailAt(i + 1, this.#separatorTail);
                if (tail === CUT) return false;
                if (tail >= 0 && !this.#multiline) {
                    this.#events.fail(
                        say`has a quote that is not closed before the end of its line; only multiline=true allows line breaks in cells`,
                        this.#lineNow,
                    );
                }
                if (this.#byLines) breaks++;
            }
            bits |= byte;
            i++;
        }
        const ends = this.#endOfQuoted(i + 1);
        if (ends === undefined) return false;
        this.bytes = window;
        this.from = start + 1;
        this.to = i;
        if (doubled) this.#undouble();
        if (ends.to > i + 1) bits |= this.#append(i + 1, ends.to);
        this.beyondAscii = bits > 0x7f;
        this.quoted = true;
        this.#next = ends.next;
        this.#finish(ends.endsRecord, breaks);
        return true;
    }

    /** Finds the end of a cell whose closing quote stands before `at`, and the start of the next one; undefined if more input is needed. */
    #endOfQuoted(at: number): { to: number; next: number; endsRecord: boolean } | undefined {
        for (let to = at; ; to++) {
            const byte = this.#window[to]!;
            if (byte !== this.#delimiter && byte !== this.#separator) continue;
            const ended = to >= this.#end;
            const endsRecord = ended || byte === this.#separator;
            const tail = ended ? 0 : this.#tailAt(to + 1, endsRecord ? this.#separatorTail : this.#delimiterTail);
            if ((ended && !this.#atEnd) || tail === CUT) return undefined;
            if (tail === MISS) continue;
            const hasReturn = endsRecord && this.#byLines && to > at && this.#window[to - 1] === CR;
            return { to: hasReturn ? to - 1 : to, next: ended ? to : to + 1 + tail, endsRecord };
        }
    }

    /** The text behind the closing quote belongs to the cell as it stands (D-84). Gives what its bytes have in common with `|`. */
    #append(from: number, to: number): number {
        const length = this.to - this.from;
        const whole = new Uint8Array(length + to - from);
        whole.set(this.bytes.subarray(this.from, this.to));
        whole.set(this.#window.subarray(from, to), length);
        this.bytes = whole;
        this.from = 0;
        this.to = whole.length;
        if (this.loose.count++ === 0) this.loose.line = this.#lineNow;
        return whole.reduce((bits, byte) => bits | byte, 0);
    }

    #finish(endsRecord: boolean, breaks: number): void {
        if (this.to - this.from > CELL_LIMIT) this.#refuseSize();
        this.line = this.#lineNow;
        this.endsRecord = endsRecord;
        this.#startsRecord = endsRecord;
        this.#lineNow += breaks + (endsRecord ? 1 : 0);
    }

    /** The length of a separator's further bytes if they stand here; else MISS, or CUT where more input must decide. */
    #tailAt(at: number, tail: Uint8Array): number {
        for (let k = 0; k < tail.length; k++) {
            if (at + k >= this.#end) return this.#atEnd ? MISS : CUT;
            if (this.#window[at + k] !== tail[k]) return MISS;
        }
        return tail.length;
    }

    /** Copies the cell with its doubled quotes made single. */
    #undouble(): void {
        const { bytes, from, to } = this;
        if (this.#scratch.length < to - from) this.#scratch = new Uint8Array((to - from) * 2);
        const scratch = this.#scratch;
        let length = 0;
        for (let i = from; i < to; i++) {
            const byte = bytes[i]!;
            scratch[length++] = byte;
            if (byte === QUOTE) i++;
        }
        this.bytes = scratch;
        this.from = 0;
        this.to = length;
    }

    #refuseSize(): never {
        return this.#events.fail(say`has a cell of more than ${CELL_LIMIT / 1024 / 1024} MiB`, this.#lineNow);
    }

    /** Moves what is left from `start` on to the front of the window and fills the rest; doubles a window that is full. */
    #refill(start: number): void {
        const held = this.#end - start;
        if (held > 2 * CELL_LIMIT) this.#refuseSize();
        if (held === this.#capacity) {
            this.#capacity *= 2;
            const window = new Uint8Array(this.#capacity + MARGIN);
            window.set(this.#window.subarray(start, this.#end));
            this.#window = window;
            this.#view = new DataView(window.buffer);
        } else {
            this.#window.copyWithin(0, start, this.#end);
        }
        let end = held;
        while (end < this.#capacity) {
            const got = this.#reader.read(this.#window.subarray(end, Math.min(this.#capacity, end + STEP)));
            this.#events.checkpoint();
            if (got === 0) {
                this.#atEnd = true;
                break;
            }
            end += got;
        }
        this.#window[end] = this.#separator;
        this.#end = end;
        this.#next = 0;
    }
}

const MISS = -1;
const CUT = -2;
