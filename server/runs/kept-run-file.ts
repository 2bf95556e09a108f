import { createHash } from 'node:crypto';
import type { Rows } from '#engine/relations/rows.ts';
import type { Listing } from '#engine/results/listing.ts';
import { allRows } from '#engine/results/post-process.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { compareValues } from '#engine/values/order.ts';
import { setOf } from '#engine/values/set-of.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';
import type { KeptAbout } from '#server/protocol/run-process.ts';

/**
 * The rows of a run as bytes: a magic line, a head in JSON, the values that stand in the rows, the columns of each output as numbers of
 * values in listing order, and a digest of all of it. Whole numbers are little-endian.
 */
const MAGIC = new TextEncoder().encode('rulelang rows 1\n');
const DIGEST = 'sha256';
const DIGEST_BYTES = 32;
/** Bytes of a piece, about. */
const PIECE = 1 << 18;

interface ListingHead {
    readonly name: string;
    readonly predicate: Listing['predicate'];
    readonly columns: Listing['columns'];
    readonly count: number;
}

interface FileHead {
    /** Facts that the writer needs of the run besides its rows. */
    readonly about: KeptAbout;
    readonly listings: readonly ListingHead[];
    readonly values: number;
}

export interface KeptListings {
    readonly about: KeptAbout;
    readonly listings: readonly Listing[];
    readonly dictionary: Dictionary;
}

const KINDS = ['boolean', 'double', 'bigint', 'string', 'date', 'timestamp', 'list', 'set', 'struct', 'map', 'null'] as const;
type Kind = (typeof KINDS)[number];

/** The bytes of rows, piece by piece. */
export function* keptRunBytes(about: KeptAbout, listings: readonly Listing[], dictionary: Dictionary): Generator<Uint8Array> {
    const hash = createHash(DIGEST);
    const writer = new PieceWriter();
    const taken = (): Uint8Array => {
        const piece = writer.taken();
        hash.update(piece);
        return piece;
    };
    const values = numberedValues(listings, dictionary);
    const reference = (id: ValueId): number => (id < 0 ? id : values.numberOf(id));
    const head: FileHead = {
        about,
        listings: listings.map(({ name, predicate, columns, count }) => ({ name, predicate, columns, count })),
        values: values.ids.length,
    };
    writer.bytes(MAGIC);
    writer.text(JSON.stringify(head));
    for (const [number, id] of values.ids.entries()) {
        writeValue(writer, dictionary, id, number, reference);
        if (writer.length >= PIECE) yield taken();
    }
    for (const { columns, count, at } of listings) {
        for (const column of columns.keys()) {
            for (let row = 0; row < count; row++) {
                writer.integer(reference(at(row, column)));
                if (writer.length >= PIECE) yield taken();
            }
        }
    }
    yield taken();
    yield hash.digest();
}

/** The values of rows but small integers, numbered so that members of collections come before them. Nulls come first, in their order. */
function numberedValues(listings: readonly Listing[], dictionary: Dictionary) {
    const numbers = new Int32Array(dictionary.size).fill(-1);
    const nulls: ValueId[] = [];
    const others: ValueId[] = [];
    const visit = (id: ValueId): void => {
        if (id < 0 || numbers[id] !== -1) return;
        numbers[id] = 0;
        if (dictionary.isNull(id)) nulls.push(id);
        else {
            if (dictionary.isCollection(id)) dictionary.membersOf(id).forEach(visit);
            others.push(id);
        }
    };
    for (const { columns, count, at } of listings)
        for (const column of columns.keys()) for (let row = 0; row < count; row++) visit(at(row, column));
    nulls.sort((left, right) => compareValues(dictionary, left, right));
    const ids = [...nulls, ...others];
    for (const [number, id] of ids.entries()) numbers[id] = number;
    return { ids, numberOf: (id: ValueId): number => numbers[id] ?? 0 };
}

function writeValue(writer: PieceWriter, dictionary: Dictionary, id: ValueId, number: number, reference: (id: ValueId) => number): void {
    const kindOf = dictionary.kind(id);
    const kind: Kind = kindOf === 'number' ? (dictionary.isExactDouble(id) ? 'double' : 'bigint') : kindOf;
    writer.byte(KINDS.indexOf(kind));
    switch (kind) {
        case 'boolean':
            writer.byte(id);
            return;
        case 'double':
            writer.double(dictionary.numberOf(id));
            return;
        case 'bigint':
            writer.text(String(dictionary.bigintOf(id)));
            return;
        case 'string': {
            const bytes = dictionary.utf8Of(id);
            writer.integer(bytes.length);
            writer.bytes(bytes);
            return;
        }
        case 'date':
            writer.double(dictionary.daysOf(id));
            return;
        case 'timestamp':
            writer.text(String(dictionary.microsOf(id)));
            return;
        case 'list':
        case 'set':
        case 'struct':
        case 'map': {
            const members = dictionary.membersOf(id);
            writer.integer(members.length);
            for (const member of members) writer.integer(reference(member));
            return;
        }
        case 'null':
            writer.integer(number);
            writer.byte(dictionary.isInvented(id) ? 1 : 0);
            return;
    }
}

/** Returns the rows that bytes hold. Refuses bytes that are not what was written. */
export function readKeptRun(bytes: Uint8Array): KeptListings {
    const end = bytes.length - DIGEST_BYTES;
    if (end < MAGIC.length || MAGIC.some((byte, at) => bytes[at] !== byte)) refuse(say`it is no file of kept rows`, 'file');
    const digest = createHash(DIGEST).update(bytes.subarray(0, end)).digest();
    if (!digest.equals(bytes.subarray(end))) refuse(say`it is damaged`, 'file');
    const reader = new Reader(bytes.subarray(MAGIC.length, end));
    // The digest vouches for the head.
    const head = JSON.parse(reader.text()) as FileHead;
    const dictionary = new Dictionary();
    const ids = new Int32Array(head.values);
    const idOf = (reference: number): ValueId => (reference < 0 ? reference : (ids[reference] ?? 0));
    for (let number = 0; number < ids.length; number++) ids[number] = readValue(reader, dictionary, idOf);
    const listings = head.listings.map(({ name, predicate, columns, count }): Listing => {
        const values = columns.map(() => Int32Array.from({ length: count }, () => idOf(reader.integer())));
        const relation: Rows = { arity: columns.length, count, columns: values, find: () => -1, match: () => undefined };
        const at = (row: number, column: number): ValueId => values[column]?.[row] ?? 0;
        return { name, predicate, dictionary, columns, relation, rows: allRows(relation), count, at };
    });
    return { about: head.about, listings, dictionary };
}

function readValue(reader: Reader, dictionary: Dictionary, idOf: (reference: number) => ValueId): ValueId {
    const kind = KINDS[reader.byte()];
    switch (kind) {
        case 'boolean':
            return dictionary.boolean(reader.byte() === 1);
        case 'double':
            return dictionary.number(reader.double());
        case 'bigint':
            return dictionary.bigint(BigInt(reader.text()));
        case 'string': {
            const bytes = reader.bytes(reader.integer());
            return dictionary.utf8(bytes, 0, bytes.length);
        }
        case 'date':
            return dictionary.date(reader.double());
        case 'timestamp':
            return dictionary.timestamp(BigInt(reader.text()));
        case 'list':
        case 'set':
        case 'struct':
        case 'map': {
            const members = Array.from({ length: reader.integer() }, () => idOf(reader.integer()));
            return kind === 'set' ? setOf(dictionary, members) : dictionary[kind](members);
        }
        case 'null':
            return dictionary.givenNull(reader.integer(), reader.byte() === 1);
        default:
            refuse(say`it has values of a kind that nobody knows`, 'file');
    }
}

class PieceWriter {
    #bytes = new Uint8Array(2 * PIECE);
    #view = new DataView(this.#bytes.buffer);
    length = 0;

    taken(): Uint8Array {
        const taken = this.#bytes.slice(0, this.length);
        this.length = 0;
        return taken;
    }

    byte(value: number): void {
        this.#room(1);
        this.#view.setUint8(this.length, value);
        this.length += 1;
    }

    integer(value: number): void {
        this.#room(4);
        this.#view.setInt32(this.length, value, true);
        this.length += 4;
    }

    double(value: number): void {
        this.#room(8);
        this.#view.setFloat64(this.length, value, true);
        this.length += 8;
    }

    bytes(bytes: Uint8Array): void {
        this.#room(bytes.length);
        this.#bytes.set(bytes, this.length);
        this.length += bytes.length;
    }

    text(text: string): void {
        const bytes = new TextEncoder().encode(text);
        this.integer(bytes.length);
        this.bytes(bytes);
    }

    #room(more: number): void {
        if (this.length + more <= this.#bytes.length) return;
        const larger = new Uint8Array(2 * (this.length + more));
        larger.set(this.#bytes.subarray(0, this.length));
        this.#bytes = larger;
        this.#view = new DataView(larger.buffer);
    }
}

class Reader {
    readonly #bytes: Uint8Array;
    readonly #view: DataView;
    #at = 0;

    constructor(bytes: Uint8Array) {
        this.#bytes = bytes;
        this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }

    byte(): number {
        this.#at += 1;
        return this.#view.getUint8(this.#at - 1);
    }

    integer(): number {
        this.#at += 4;
        return this.#view.getInt32(this.#at - 4, true);
    }

    double(): number {
        this.#at += 8;
        return this.#view.getFloat64(this.#at - 8, true);
    }

    bytes(length: number): Uint8Array {
        this.#at += length;
        return this.#bytes.subarray(this.#at - length, this.#at);
    }

    text(): string {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes(this.integer()));
    }
}
