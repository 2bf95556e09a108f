import { dateText, timestampText } from '#engine/values/calendar.ts';
import { doubleText } from '#engine/values/text.ts';

/**
 * Values of rows as bytes. The bytes tell the whole value, and their order is the order of values: booleans, numbers, dates and
 * timestamps, texts by code points, lists, sets, structs, maps, labelled nulls by their numbers, missing values. After the tuple layer of
 * FoundationDB: a byte for the kind, then a form in which smaller values have smaller bytes; what has no fixed length ends with a zero byte.
 */
export const KIND = {
    boolean: 0x10,
    number: 0x20,
    time: 0x30,
    string: 0x40,
    list: 0x50,
    set: 0x51,
    struct: 0x60,
    map: 0x61,
    null: 0x70,
    missing: 0x80,
};
const END = 0x00;
/** Behind a zero byte that belongs to a text. */
const ESCAPE = 0xff;
const [INTEGER, DOUBLE, DATE, TIMESTAMP] = [0, 1, 0, 1];

const SIGN = 0x80;
const LONG_BIAS = 1n << 63n;
/** An integer of 64 bits and the double next to it differ by less. */
const REST_BIAS = 0x8000;
const MICROS_PER_DAY = 86_400_000_000n;
const SAFE = 2n ** 53n - 1n;

/** Writes values one after another into bytes that grow. */
export class OrderedWriter {
    #bytes = new Uint8Array(1 << 16);
    #view = new DataView(this.#bytes.buffer);
    #length = 0;

    /** Bytes written so far. */
    get length(): number {
        return this.#length;
    }

    /** A copy of all that was written. */
    taken(): Uint8Array<ArrayBuffer> {
        return this.#bytes.slice(0, this.#length);
    }

    boolean(value: boolean): void {
        this.#byte(KIND.boolean);
        this.#byte(value ? 1 : 0);
    }

    /** An integer of at most 64 bits. */
    integer(value: bigint): void {
        const near = Number(value);
        this.#number(near, Number(value - BigInt(near)), INTEGER);
    }

    double(value: number): void {
        this.#number(value, 0, DOUBLE);
    }

    /** Days since 1970-01-01. */
    date(days: number): void {
        this.#time(BigInt(days) * MICROS_PER_DAY, DATE);
    }

    /** Microseconds since 1970-01-01, UTC. */
    timestamp(micros: bigint): void {
        this.#time(micros, TIMESTAMP);
    }

    /** A text, as UTF-8. */
    string(utf8: Uint8Array): void {
        this.#reserve(2 + utf8.length * 2);
        this.#bytes[this.#length++] = KIND.string;
        for (const byte of utf8) {
            this.#bytes[this.#length++] = byte;
            if (byte === END) this.#bytes[this.#length++] = ESCAPE;
        }
        this.#bytes[this.#length++] = END;
    }

    /** A labelled null by its number in the result. */
    null(number: number): void {
        this.#reserve(5);
        this.#bytes[this.#length] = KIND.null;
        this.#view.setUint32(this.#length + 1, number);
        this.#length += 5;
    }

    missing(): void {
        this.#byte(KIND.missing);
    }

    /** A collection; its members follow, those of structs and maps as text, value, text, value…, and then `end`. */
    begin(kind: 'list' | 'set' | 'struct' | 'map'): void {
        this.#byte(KIND[kind]);
    }

    end(): void {
        this.#byte(END);
    }

    #number(near: number, rest: number, kind: number): void {
        this.#reserve(12);
        const at = this.#length;
        this.#bytes[at] = KIND.number;
        this.#view.setFloat64(at + 1, near + 0);
        if (near < 0) for (let i = at + 1; i <= at + 8; i++) this.#bytes[i] = 0xff ^ (this.#bytes[i] ?? 0);
        else this.#bytes[at + 1] = SIGN | (this.#bytes[at + 1] ?? 0);
        this.#view.setUint16(at + 9, rest + REST_BIAS);
        this.#bytes[at + 11] = kind;
        this.#length += 12;
    }

    #time(micros: bigint, kind: number): void {
        this.#reserve(10);
        this.#bytes[this.#length] = KIND.time;
        this.#view.setBigUint64(this.#length + 1, micros + LONG_BIAS);
        this.#bytes[this.#length + 9] = kind;
        this.#length += 10;
    }

    #byte(byte: number): void {
        this.#reserve(1);
        this.#bytes[this.#length++] = byte;
    }

    #reserve(count: number): void {
        if (this.#length + count <= this.#bytes.length) return;
        const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
        bytes.set(this.#bytes);
        this.#bytes = bytes;
        this.#view = new DataView(bytes.buffer);
    }
}

/** Names a labelled null by its key. */
export type NullName<K = number> = (key: K) => string;

/** Names nulls `_:n1`, `_:n2`… by their first appearance in an answer. */
export function nullNames<K = number>(): NullName<K> {
    const names = new Map<K, string>();
    return key => {
        let name = names.get(key);
        if (name === undefined) {
            name = `_:n${names.size + 1}`;
            names.set(key, name);
        }
        return name;
    };
}

/** Names nulls `_:n1`, `_:n2`… by their numbers in the result: the same in all answers about it. */
export const nullNumber: NullName = number => `_:n${number}`;

/** The value that the bytes are, as JSON: integers beyond 2^53 - 1 and numbers that JSON has no form for are texts, missing values are null. */
export function orderedValueJson(bytes: Uint8Array, name: NullName): string {
    return new Reading(bytes, name).value();
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

class Reading {
    readonly #bytes: Uint8Array;
    readonly #view: DataView;
    readonly #name: NullName;
    #at = 0;

    constructor(bytes: Uint8Array, name: NullName) {
        this.#bytes = bytes;
        this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.#name = name;
    }

    value(): string {
        const kind = this.#bytes[this.#at++];
        switch (kind) {
            case KIND.boolean:
                return this.#bytes[this.#at++] === 1 ? 'true' : 'false';
            case KIND.number:
                return this.#number();
            case KIND.time:
                return this.#time();
            case KIND.string:
                return JSON.stringify(this.#string());
            case KIND.list:
            case KIND.set:
                return `[${this.#members(() => this.value())}]`;
            case KIND.struct:
            case KIND.map:
                return `{${this.#members(() => `${this.value()}:${this.value()}`)}}`;
            case KIND.null:
                this.#at += 4;
                return JSON.stringify(this.#name(this.#view.getUint32(this.#at - 4)));
            case KIND.missing:
                return 'null';
            default:
                throw new RangeError(`no value begins with byte ${kind}`);
        }
    }

    #number(): string {
        const at = this.#at;
        this.#at += 11;
        const bits = this.#view.getBigUint64(at);
        const near = doubleOf(bits >= LONG_BIAS ? bits - LONG_BIAS : ~bits);
        if (this.#bytes[at + 10] === DOUBLE) return Number.isFinite(near) ? doubleText(near) : `"${near}"`;
        const value = BigInt(near) + BigInt(this.#view.getUint16(at + 8) - REST_BIAS);
        return value > SAFE || value < -SAFE ? `"${value}"` : String(value);
    }

    #time(): string {
        const micros = this.#view.getBigUint64(this.#at) - LONG_BIAS;
        this.#at += 9;
        if (this.#bytes[this.#at - 1] === TIMESTAMP) return `"${timestampText(micros).replace(' ', 'T')}"`;
        return `"${dateText(Number(micros / MICROS_PER_DAY))}"`;
    }

    #string(): string {
        const from = this.#at;
        let escapes = 0;
        for (;;) {
            const end = this.#bytes.indexOf(END, this.#at);
            this.#at = end + 1;
            if (this.#bytes[end + 1] !== ESCAPE) break;
            this.#at++;
            escapes++;
        }
        const written = this.#bytes.subarray(from, this.#at - 1);
        if (escapes === 0) return decoder.decode(written);
        return decoder.decode(written.filter((byte, i) => byte !== ESCAPE || written[i - 1] !== END));
    }

    #members(member: () => string): string[] {
        const members: string[] = [];
        while (this.#bytes[this.#at] !== END) members.push(member());
        this.#at++;
        return members;
    }
}

const words = new DataView(new ArrayBuffer(8));

function doubleOf(bits: bigint): number {
    words.setBigUint64(0, BigInt.asUintN(64, bits));
    return words.getFloat64(0);
}
