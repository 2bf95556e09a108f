/** A message of protocol buffers, field by field; what has its default value is left out. */
export class ProtobufWriter {
    readonly #pieces: Uint8Array[] = [];
    #length = 0;

    /** An unsigned number, or a value of an enumeration. */
    count(field: number, value: number): this {
        if (value === 0) return this;
        this.#varint((field << 3) | VARINT);
        this.#varint(value);
        return this;
    }

    text(field: number, value: string): this {
        return value === '' ? this : this.#bytes(field, new TextEncoder().encode(value));
    }

    message(field: number, value: ProtobufWriter): this {
        return this.#bytes(field, value.finish());
    }

    /** Unsigned numbers, packed. */
    counts(field: number, values: readonly number[]): this {
        if (values.length === 0) return this;
        const packed = new ProtobufWriter();
        for (const value of values) packed.#varint(value);
        return this.#bytes(field, packed.finish());
    }

    finish(): Uint8Array {
        const whole = new Uint8Array(this.#length);
        let at = 0;
        for (const piece of this.#pieces) {
            whole.set(piece, at);
            at += piece.length;
        }
        return whole;
    }

    #bytes(field: number, bytes: Uint8Array): this {
        this.#varint((field << 3) | BYTES);
        this.#varint(bytes.length);
        this.#put(bytes);
        return this;
    }

    #varint(value: number): void {
        const bytes: number[] = [];
        let rest = value;
        for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
        this.#put(Uint8Array.from([...bytes, rest]));
    }

    #put(bytes: Uint8Array): void {
        this.#pieces.push(bytes);
        this.#length += bytes.length;
    }
}

/** How a field is written. */
const VARINT = 0;
const BYTES = 2;
