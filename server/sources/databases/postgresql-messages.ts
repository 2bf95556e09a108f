import type { Duplex } from 'node:stream';
import { say } from '#language/program/say.ts';
import type { RowMessages } from './data-rows.ts';

/** Bytes that there is room for from the beginning. */
const SIZE = 1 << 17;
/** The sign of a message, and its length without the sign. */
const HEAD = 5;
/** Bytes behind a message that may be read with it. */
const BEHIND = 4;

/**
 * Stands between a connection and the driver, which gets the messages of the server whole
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html). While `rows` is set, those that are rows go there instead, so that no
 * object is made for each.
 */
export class ServerMessages {
    rows: RowMessages | undefined;
    #stream: Duplex | undefined;
    #driver: (bytes: Uint8Array) => void = () => undefined;
    #bytes = Buffer.alloc(SIZE);
    #view = viewOf(this.#bytes);
    #end = 0;

    /** Takes what comes from now on in place of the driver, which listens already. */
    attach(stream: Duplex): void {
        const [driver] = stream.listeners('data');
        if (driver === undefined) throw new TypeError('The driver does not listen');
        this.#stream = stream;
        this.#driver = driver as (bytes: Uint8Array) => void;
        stream.on('data', (chunk: Uint8Array) => this.#take(chunk)).off('data', this.#driver);
    }

    /** Ends the connection at once; a query that is under way fails with the error. */
    breakOff(error?: Error): void {
        this.#stream?.destroy(error);
    }

    #take(chunk: Uint8Array): void {
        this.#makeRoom(chunk.length);
        this.#bytes.set(chunk, this.#end);
        this.#end += chunk.length;
        let at = 0;
        try {
            for (;;) {
                at = this.rows?.(this.#bytes, this.#view, at, this.#end) ?? at;
                const end = this.#endOfOthers(at);
                if (end === at) break;
                this.#driver(this.#bytes.subarray(at, end));
                at = end;
            }
        } catch (error) {
            this.breakOff(error instanceof Error ? error : new Error(String(error)));
        }
        this.#bytes.copyWithin(0, at, this.#end);
        this.#end -= at;
    }

    /** Where whole messages end that begin at `at`: all of them, or the first while rows are looked for. */
    #endOfOthers(at: number): number {
        let end = at;
        while (this.#end - end >= HEAD) {
            const length = this.#view.getUint32(end + 1);
            if (length < HEAD - 1) throw new SyntaxError(say`it does not answer as PostgreSQL does`);
            if (length >= this.#end - end) break;
            end += 1 + length;
            if (this.rows !== undefined) break;
        }
        return end;
    }

    #makeRoom(more: number): void {
        const needed = this.#end + more + BEHIND;
        if (needed <= this.#bytes.length) return;
        const bytes = Buffer.alloc(2 * needed);
        bytes.set(this.#bytes.subarray(0, this.#end));
        this.#bytes = bytes;
        this.#view = viewOf(bytes);
    }
}

function viewOf(bytes: Uint8Array): DataView {
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
