import type { OutputRows } from '#engine/sources/source.ts';
import { LONGEST_INTEGER, writeInteger } from '#engine/sources/written-integer.ts';
import { type Dictionary, smallIntegerOf } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { cellText } from './cell-text.ts';
import type { CellForm } from './session.ts';

/** Bytes of a piece, but for its last row. */
const PIECE = 1 << 18;
/** Bytes that there is room for from the beginning. */
const ROOM = PIECE + (PIECE >> 2);
/** Words of a text that is copied without an array of its own. */
const WORDS = 1 << 10;
const TAB = 0x09;
const LF = 0x0a;
const BACKSLASH = 0x5c;
const NULL = Buffer.from('\\N');
/** For each byte that stands behind a backslash the one that it is written with, 0 for others. */
const ESCAPED = new Uint8Array(256);
for (const [sign, letter] of ['\\\\', '\nn', '\rr', '\tt'].map(pair => Buffer.from(pair))) ESCAPED[sign ?? 0] = letter ?? 0;

/**
 * Pieces of rows in the text format of PostgreSQL's COPY (https://www.postgresql.org/docs/current/sql-copy.html); `forms` are those of the
 * columns that they go to.
 */
export function* copiedRows(rows: OutputRows, forms: readonly CellForm[]): Generator<Uint8Array> {
    const { dictionary, count } = rows;
    const columns = forms.map((form, at) => ({ form, type: rows.columns[at]?.type ?? MIXED }));
    const lines = new CopyLines(dictionary);
    for (let row = 0; row < count; row++) {
        for (let column = 0; column < columns.length; column++) {
            const { form, type } = columns[column] ?? { form: TEXT, type: MIXED };
            if (column > 0) lines.sign(TAB);
            lines.cell(rows.at(row, column), type, form);
        }
        lines.sign(LF);
        if (lines.length >= PIECE) yield lines.take();
    }
    if (lines.length > 0) yield lines.take();
}

const TEXT: CellForm = { kind: 'text' };

/** An integer is written as its digits, but for one in a column of decimal numbers that shows as text. */
function hasDigits({ kind }: Type, form: CellForm): boolean {
    return (form.kind !== 'text' && form.kind !== 'json') || (kind !== 'double' && kind !== 'float');
}

/** Bytes on their way out. */
class CopyLines {
    length = 0;
    readonly #dictionary: Dictionary;
    #bytes = Buffer.allocUnsafe(ROOM);
    readonly #words = new Int32Array(WORDS);
    readonly #wordBytes = new Uint8Array(this.#words.buffer);

    constructor(dictionary: Dictionary) {
        this.#dictionary = dictionary;
    }

    sign(byte: number): void {
        this.#reserve(1);
        this.#bytes[this.length++] = byte;
    }

    cell(id: ValueId, type: Type, form: CellForm): void {
        const dictionary = this.#dictionary;
        if (id < 0 && hasDigits(type, form)) {
            this.#reserve(LONGEST_INTEGER);
            this.length = writeInteger(smallIntegerOf(id), this.#bytes, this.length);
        } else if (form.kind === 'text' && dictionary.kind(id) === 'string') {
            const length = dictionary.copyWords(id, this.#words, 0);
            this.#text(length > this.#wordBytes.length ? dictionary.utf8Of(id) : this.#wordBytes, length);
        } else {
            const text = cellText(dictionary, id, type, form);
            const bytes = Buffer.from(text ?? '');
            if (text === null) for (const sign of NULL) this.sign(sign);
            else this.#text(bytes, bytes.length);
        }
    }

    #text(bytes: Uint8Array, length: number): void {
        this.#reserve(2 * length);
        const to = this.#bytes;
        let at = this.length;
        for (let i = 0; i < length; i++) {
            const byte = bytes[i] ?? 0;
            const escaped = ESCAPED[byte] ?? 0;
            if (escaped !== 0) to[at++] = BACKSLASH;
            to[at++] = escaped === 0 ? byte : escaped;
        }
        this.length = at;
    }

    #reserve(count: number): void {
        if (this.length + count <= this.#bytes.length) return;
        const grown = Buffer.allocUnsafe(2 * (this.length + count));
        grown.set(this.#bytes.subarray(0, this.length));
        this.#bytes = grown;
    }

    take(): Uint8Array {
        const taken = this.#bytes.subarray(0, this.length);
        this.#bytes = Buffer.allocUnsafe(ROOM);
        this.length = 0;
        return taken;
    }
}
