import { say } from '#language/program/say.ts';
import type { ByteReader } from './source.ts';
import { invalidUtf8 } from './utf8-reader.ts';

/** Makes values of the parts of a JSON text. */
export interface JsonMaker<T> {
    null(): T;
    boolean(value: boolean): T;
    /** A whole number of at most 15 digits. */
    integer(value: number): T;
    /** Any other number, as it is written. */
    number(text: string): T;
    string(text: string): T;
    /** A string whose UTF-8 is `bytes[from..to)`, valid until the call returns. */
    utf8(bytes: Uint8Array, from: number, to: number): T;
    array(items: readonly T[]): T;
    object(members: ReadonlyMap<string, T>): T;
}

/** Listens for errors, and for the end of each piece of input. */
export interface JsonEvents {
    /** Line and column count from one, the column in characters. */
    fail(reason: string, line: number, column: number): never;
    checkpoint(): void;
}

/** The sign at the end of the text. */
export const END = -1;
export const LF = 0x0a;
export const OPEN_BRACE = 0x7b;
export const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
export const QUOTE = 0x22;
export const LETTER_N = 0x6e;

const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LETTER_T = 0x74;
const LETTER_F = 0x66;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const DIGITS_EXACT = 15;

const WINDOW = 1 << 18;
const STEP = 1 << 16;
/** Bytes of the longest string or number that is read. */
const LONGEST = 16 * 1024 * 1024;
/** As deep as functions read JSON. */
const DEEPEST = 64;
const SHORT_NAME = 64;
const NAMES_KEPT = 256;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/**
 * Reads UTF-8 as JSON (RFC 8259) through a window that slides over the input. The window grows only for a string that does not fit. Bytes
 * that are not JSON fail with their place.
 */
export class JsonText {
    readonly #reader: ByteReader;
    readonly #events: JsonEvents;
    /** A line break does not count as a blank: every value ends on its line. */
    readonly #byLines: boolean;
    #window: Uint8Array;
    #at = 0;
    #end = 0;
    #atEnd = false;
    /** Bytes that have left the window. */
    #passed = 0;
    #line = 1;
    /** Offset of the first byte of the line, and the bytes since then that begin no character. */
    #lineStart = 0;
    #continuing = 0;
    /** The last string: its bytes without quotes, and whether some are escapes. */
    #from = 0;
    #to = 0;
    #hasEscapes = false;
    /** Names read before, at the place that their length and ends give: objects repeat few names. */
    readonly #names: ({ readonly bytes: Uint8Array; readonly text: string } | undefined)[] = [];

    constructor(reader: ByteReader, byLines: boolean, events: JsonEvents, windowSize = WINDOW) {
        this.#reader = reader;
        this.#byLines = byLines;
        this.#events = events;
        this.#window = new Uint8Array(windowSize);
        while (!this.#atEnd && this.#end < 3) this.#refill(0);
        const [first, second, third] = this.#window;
        if (this.#end >= 3 && first === 0xef && second === 0xbb && third === 0xbf) this.#lineStart = this.#at = 3;
        if (this.#end >= 2 && ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))) {
            this.fail(say`it is UTF-16; name that with encoding=UTF-16`);
        }
    }

    get line(): number {
        return this.#line;
    }

    /** Bytes before the next sign. */
    get offset(): number {
        return this.#passed + this.#at;
    }

    /** Returns the next byte that is not a blank, without consuming it; END if there is none. */
    sign(): number {
        for (;;) {
            while (this.#at < this.#end) {
                const byte = this.#window[this.#at]!;
                if (byte === LF && !this.#byLines) this.#newLine();
                else if (byte === 0x20 || byte === 0x09 || byte === 0x0d) this.#at++;
                else return byte;
            }
            if (!this.#refill(this.#at)) return END;
        }
    }

    /** Takes the byte if it comes next. */
    take(wanted: number): boolean {
        if (this.sign() !== wanted) return false;
        if (wanted === LF) this.#newLine();
        else this.#at++;
        return true;
    }

    /** Takes the members of an object; `member` must take the value. */
    members(member: (name: string) => void): void {
        if (!this.take(OPEN_BRACE)) this.fail(say`${this.#found()} where an object is expected`);
        if (this.take(CLOSE_BRACE)) return;
        do {
            if (this.sign() !== QUOTE) this.fail(say`${this.#found()} where a name in quotes is expected`);
            const name = this.#name();
            if (!this.take(COLON)) this.fail(say`${this.#found()} where ':' is expected`);
            member(name);
        } while (this.take(COMMA));
        if (!this.take(CLOSE_BRACE)) this.fail(say`${this.#found()} where ',' or '}' is expected`);
    }

    /** Takes the items of an array; `item` must take the value. */
    items(item: () => void): void {
        this.take(OPEN_BRACKET);
        if (this.take(CLOSE_BRACKET)) return;
        do item();
        while (this.take(COMMA));
        if (!this.take(CLOSE_BRACKET)) this.fail(say`${this.#found()} where ',' or ']' is expected`);
    }

    value<T>(make: JsonMaker<T>, depth = 0): T {
        const sign = this.sign();
        switch (sign) {
            case QUOTE:
                this.#string();
                return this.#hasEscapes ? make.string(this.#unescaped()) : make.utf8(this.#window, this.#from, this.#to);
            case OPEN_BRACE:
                return make.object(this.#object(make, depth));
            case OPEN_BRACKET:
                return make.array(this.#array(make, depth));
            case LETTER_T:
                this.#word('true');
                return make.boolean(true);
            case LETTER_F:
                this.#word('false');
                return make.boolean(false);
            case LETTER_N:
                this.#word('null');
                return make.null();
            default:
                if (sign !== MINUS && (sign < ZERO || sign > NINE)) this.fail(say`${this.#found()} where a value is expected`);
                return this.#number(make);
        }
    }

    /** Refuses the text at the next sign. */
    fail(reason: string): never {
        return this.#events.fail(reason, this.#line, this.offset - this.#lineStart - this.#continuing + 1);
    }

    /** Refuses what comes next. */
    unexpected(wanted: string): never {
        return this.fail(say`${this.#found()} where ${wanted} is expected`);
    }

    #newLine(): void {
        this.#at++;
        this.#line++;
        this.#lineStart = this.offset;
        this.#continuing = 0;
    }

    #object<T>(make: JsonMaker<T>, depth: number): Map<string, T> {
        if (depth === DEEPEST) this.fail(say`it is nested more than ${DEEPEST} deep`);
        const members = new Map<string, T>();
        this.members(name => {
            if (members.has(name)) this.fail(say`'${name}' stands in one object twice`);
            members.set(name, this.value(make, depth + 1));
        });
        return members;
    }

    #array<T>(make: JsonMaker<T>, depth: number): T[] {
        if (depth === DEEPEST) this.fail(say`it is nested more than ${DEEPEST} deep`);
        const items: T[] = [];
        this.items(() => items.push(this.value(make, depth + 1)));
        return items;
    }

    /** Finds the end of the string that begins at the next sign, and takes it. */
    #string(): void {
        let i = this.#at + 1;
        let bits = 0;
        let continuing = 0;
        let isEscaped = false;
        this.#hasEscapes = false;
        for (; ; i++) {
            if (i >= this.#end) {
                const start = this.#at;
                if (i - start > LONGEST) this.fail(say`it has a string of more than ${LONGEST / 1024 / 1024} MiB`);
                if (!this.#refill(start)) this.fail(say`a string is never closed`);
                i -= start;
            }
            const byte = this.#window[i]!;
            bits |= byte;
            if ((byte & 0xc0) === 0x80) continuing++;
            if (byte < 0x20) this.fail(byte === LF ? say`a string is not closed on its line` : say`a string holds a control character`);
            if (isEscaped) isEscaped = false;
            else if (byte === QUOTE) break;
            else if (byte === BACKSLASH) isEscaped = this.#hasEscapes = true;
        }
        this.#from = this.#at + 1;
        this.#to = i;
        if (bits > 0x7f && invalidUtf8(this.#window, this.#from, i) >= 0) {
            this.fail(say`a string is not UTF-8; name the encoding of the file with encoding=…`);
        }
        this.#at = i + 1;
        this.#continuing += continuing;
    }

    #unescaped(): string {
        const text = decoder.decode(this.#window.subarray(this.#from - 1, this.#to + 1));
        try {
            return JSON.parse(text) as string;
        } catch {
            return this.fail(say`${text} has an escape that JSON does not know`);
        }
    }

    #name(): string {
        this.#string();
        if (this.#hasEscapes) return this.#unescaped();
        const from = this.#from;
        const length = this.#to - from;
        const place = (length * 31 + this.#window[from]! * 7 + this.#window[this.#to - 1]!) & (NAMES_KEPT - 1);
        const known = this.#names[place];
        if (known?.bytes.length === length && known.bytes.every((byte, i) => byte === this.#window[from + i])) return known.text;
        const bytes = this.#window.slice(from, this.#to);
        const text = decoder.decode(bytes);
        if (length <= SHORT_NAME) this.#names[place] = { bytes, text };
        return text;
    }

    #word(word: string): void {
        for (let i = 0; i < word.length; i++) {
            if (this.#at + i >= this.#end) this.#refill(this.#at);
            if (this.#at + i >= this.#end || this.#window[this.#at + i] !== word.charCodeAt(i)) this.unexpected(`'${word}'`);
        }
        this.#at += word.length;
    }

    #number<T>(make: JsonMaker<T>): T {
        let i = this.#at;
        for (; ; i++) {
            if (i >= this.#end) {
                const start = this.#at;
                if (i - start > LONGEST) this.fail(say`it has a number of more than ${LONGEST / 1024 / 1024} MiB`);
                if (!this.#refill(start)) break;
                i -= start;
            }
            if (!isOfNumber(this.#window[i]!)) break;
        }
        const integer = plainInteger(this.#window, this.#at, i);
        const text = integer === undefined ? decoder.decode(this.#window.subarray(this.#at, i)) : '';
        if (integer === undefined && !NUMBER.test(text)) this.fail(say`'${text.slice(0, SHORT_NAME)}' is no number of JSON`);
        if (integer === undefined && !Number.isFinite(Number(text)))
            this.fail(say`'${text.slice(0, SHORT_NAME)}' is beyond the numbers of a double`);
        this.#at = i;
        return integer === undefined ? make.number(text) : make.integer(integer);
    }

    /** Describes the next sign, in words. */
    #found(): string {
        const sign = this.sign();
        if (sign === END) return say`the text ends`;
        if (sign === LF) return say`the line ends`;
        if (sign > 0x7f || sign < 0x20) return say`there is an unknown character`;
        return say`there is '${String.fromCharCode(sign)}'`;
    }

    /** Moves what is left from `start` on to the front of the window and reads on; false at the end of the input. */
    #refill(start: number): boolean {
        if (this.#atEnd) return false;
        const held = this.#end - start;
        if (held === this.#window.length) {
            const window = new Uint8Array(this.#window.length * 2);
            window.set(this.#window);
            this.#window = window;
        } else {
            this.#window.copyWithin(0, start, this.#end);
        }
        this.#at -= start;
        this.#passed += start;
        const got = this.#reader.read(this.#window.subarray(held, Math.min(this.#window.length, held + STEP)));
        this.#events.checkpoint();
        this.#end = held + got;
        this.#atEnd = got === 0;
        return got > 0;
    }
}

/** Digits, sign, point, exponent. */
function isOfNumber(byte: number): boolean {
    return (byte >= ZERO && byte <= NINE) || byte === MINUS || byte === 0x2e || byte === 0x2b || byte === 0x65 || byte === 0x45;
}

/** The value of up to 15 digits with an optional minus, which a double holds; undefined for any other number. */
function plainInteger(bytes: Uint8Array, from: number, to: number): number | undefined {
    const isNegative = bytes[from] === MINUS;
    const start = isNegative ? from + 1 : from;
    const length = to - start;
    if (length === 0 || length > DIGITS_EXACT || (bytes[start] === ZERO && (length > 1 || isNegative))) return undefined;
    let value = 0;
    for (let i = start; i < to; i++) {
        const digit = bytes[i]! - ZERO;
        if (digit < 0 || digit > 9) return undefined;
        value = value * 10 + digit;
    }
    return isNegative ? -value : value;
}
