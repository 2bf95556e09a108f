/** Bytes of a frame behind its length at most. */
const LONGEST = 256 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** A value as a frame: its length in four bytes, most significant first, and its JSON. */
export function frameOf(value: unknown): Buffer {
    const data = Buffer.from(JSON.stringify(value));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, data]);
}

/** Thrown for bytes that are not frames. */
export class NoFrame extends Error {}

/** Puts frames together from pieces of any size; `hear` gets the value of each as soon as it is whole. */
export class FrameReader {
    readonly #hear: (value: unknown) => void;
    #pieces: Buffer[] = [];
    #bytes = 0;

    constructor(hear: (value: unknown) => void) {
        this.#hear = hear;
    }

    add(piece: Buffer): void {
        this.#pieces.push(piece);
        this.#bytes += piece.length;
        for (let length = this.#length(); length !== undefined && this.#bytes >= LENGTH_BYTES + length; length = this.#length()) {
            const all = Buffer.concat(this.#pieces);
            const end = LENGTH_BYTES + length;
            this.#pieces = [all.subarray(end)];
            this.#bytes = all.length - end;
            this.#hear(parsed(all.subarray(LENGTH_BYTES, end)));
        }
    }

    /** How long the next frame is, once that is known. */
    #length(): number | undefined {
        if (this.#bytes < LENGTH_BYTES) return undefined;
        let [first = Buffer.alloc(0)] = this.#pieces;
        if (first.length < LENGTH_BYTES) {
            first = Buffer.concat(this.#pieces);
            this.#pieces = [first];
        }
        const length = first.readUInt32BE();
        if (length > LONGEST) throw new NoFrame();
        return length;
    }
}

function parsed(data: Buffer): unknown {
    try {
        return JSON.parse(data.toString());
    } catch {
        throw new NoFrame();
    }
}
