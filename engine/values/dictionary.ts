import { Equalities } from './equalities.ts';
import { type NullOrigin, type NullSource, type NullSourceId, NullStore } from './null-store.ts';

/**
 * Interns every value to an int32 id, so that equality of ids is equality of values (3.4: numbers by mathematical
 * value). Integers from -2^30 to 2^30-1 are ids of their own, negative range and need no entry; every other value is an
 * entry, numbered from 0. Whether a number prints as int or double is a property of its column, not of the value.
 */
export type ValueId = number;

export type ValueKind = 'number' | 'string' | 'boolean' | 'date' | 'timestamp' | 'list' | 'set' | 'map' | 'struct' | 'null';

const KINDS: readonly ValueKind[] = ['number', 'string', 'boolean', 'date', 'timestamp', 'list', 'set', 'map', 'struct', 'null'];
const [NUMBER, STRING, BOOLEAN, DATE, TIMESTAMP, LIST, SET, MAP, STRUCT, NULL] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const SMALL_INTEGER_BIAS = 0x40000000;
const SMALL_INTEGER_LIMIT = 0x40000000;

export const FALSE: ValueId = 0;
export const TRUE: ValueId = 1;

/** The id of an integer in [-2^30, 2^30); the caller has checked the range. */
export function smallInteger(value: number): ValueId {
    return (value - SMALL_INTEGER_BIAS) | 0;
}

/** The integer of a negative id. */
export function smallIntegerOf(id: ValueId): number {
    return id + SMALL_INTEGER_BIAS;
}

const MICROS_PER_DAY = 86_400_000_000n;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

export class Dictionary {
    #equalities: Equalities | undefined;
    #count = 0;
    #kinds = new Uint8Array(1024);
    /** Index into the store of the entry's kind. */
    #payloads = new Int32Array(1024);
    #hashes = new Int32Array(1024);
    #table = new Int32Array(4096).fill(-1);
    #mask = 4095;

    /** UTF-8 of all strings, one after another; string number s is bytes #stringStarts[s] to #stringStarts[s + 1]. */
    #arena = new Uint8Array(1 << 14);
    #stringStarts = new Int32Array(512);
    #strings: (string | undefined)[] = [];
    #stringCount = 0;
    /** Doubles, and integers that are doubles; the integers beyond 2^53 that are not lie in #bigints. */
    #numbers = new Float64Array(256);
    #numberCount = 0;
    readonly #bigints: bigint[] = [];
    readonly #bigintIds = new Map<bigint, ValueId>();
    readonly #instants: bigint[] = [];
    readonly #instantIds = new Map<bigint, ValueId>();
    readonly #dates: number[] = [];
    readonly #dateIds = new Map<number, ValueId>();
    /** Element ids of lists and sets; name, value, name, value… of structs; key, value… of maps. */
    readonly #members: (readonly ValueId[])[] = [];
    readonly #memberIds = new Map<string, ValueId>();
    readonly #nulls = new NullStore();
    #heapBytes = 0;
    #scratch = new Uint8Array(1024);
    readonly #float = new Float64Array(1);
    readonly #words = new Int32Array(this.#float.buffer);

    constructor() {
        this.#add(BOOLEAN, 0, 0);
        this.#add(BOOLEAN, 1, 0);
    }

    /** Number of entries; small integers need none. */
    get size(): number {
        return this.#count;
    }

    /** Bytes held, typed arrays exactly and objects by estimate. */
    get bytes(): number {
        return (
            this.#kinds.byteLength +
            this.#payloads.byteLength +
            this.#hashes.byteLength +
            this.#table.byteLength +
            this.#arena.byteLength +
            this.#stringStarts.byteLength +
            this.#numbers.byteLength +
            this.#nulls.bytes +
            this.#heapBytes +
            (this.#equalities?.bytes ?? 0)
        );
    }

    /** Any finite number. */
    number(value: number): ValueId {
        if (Number.isInteger(value) && value >= -SMALL_INTEGER_LIMIT && value < SMALL_INTEGER_LIMIT) return smallInteger(value);
        this.#float[0] = value;
        const hash = mix(this.#words[0]! ^ Math.imul(this.#words[1]!, 0x9e3779b1));
        let slot = hash & this.#mask;
        for (let id = this.#table[slot]!; id >= 0; id = this.#table[slot]!) {
            if (this.#hashes[id] === hash && this.#kinds[id] === NUMBER && this.#numbers[this.#payloads[id]!] === value) return id;
            slot = (slot + 1) & this.#mask;
        }
        if (this.#numberCount === this.#numbers.length) this.#numbers = grown(this.#numbers, new Float64Array(this.#numberCount * 2));
        this.#numbers[this.#numberCount] = value;
        return this.#addHashed(NUMBER, this.#numberCount++, hash, slot);
    }

    /** Any integer; within 64 bits by contract of the callers. */
    bigint(value: bigint): ValueId {
        const double = Number(value);
        if (BigInt(double) === value) return this.number(double);
        let id = this.#bigintIds.get(value);
        if (id === undefined) {
            id = this.#add(NUMBER, -1 - this.#bigints.length, 80);
            this.#bigints.push(value);
            this.#bigintIds.set(value, id);
        }
        return id;
    }

    string(text: string): ValueId {
        if (this.#scratch.length < text.length * 3) this.#scratch = new Uint8Array(text.length * 4);
        const { written } = encoder.encodeInto(text, this.#scratch);
        return this.utf8(this.#scratch, 0, written);
    }

    /** The string whose UTF-8 is `bytes[start..end)`; the caller has checked that it is UTF-8. */
    utf8(bytes: Uint8Array, start: number, end: number): ValueId {
        let hash = 0x811c9dc5;
        for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
        return this.utf8Hashed(bytes, start, end, hash);
    }

    /** As `utf8`, for a caller that has computed the FNV-1a hash of the bytes while it read them. */
    utf8Hashed(bytes: Uint8Array, start: number, end: number, fnv: number): ValueId {
        const hash = mix(fnv);
        const length = end - start;
        let slot = hash & this.#mask;
        for (let id = this.#table[slot]!; id >= 0; id = this.#table[slot]!) {
            if (this.#hashes[id] === hash && this.#kinds[id] === STRING) {
                const string = this.#payloads[id]!;
                const from = this.#stringStarts[string]!;
                if (this.#stringStarts[string + 1]! - from === length) {
                    const arena = this.#arena;
                    let i = 0;
                    while (i < length && arena[from + i] === bytes[start + i]) i++;
                    if (i === length) return id;
                }
            }
            slot = (slot + 1) & this.#mask;
        }
        const string = this.#stringCount++;
        const from = this.#stringStarts[string]!;
        if (from + length > this.#arena.length) {
            this.#arena = grown(this.#arena, new Uint8Array(Math.max(this.#arena.length * 2, from + length)));
        }
        this.#arena.set(bytes.subarray(start, end), from);
        if (string + 2 > this.#stringStarts.length) {
            this.#stringStarts = grown(this.#stringStarts, new Int32Array(this.#stringStarts.length * 2));
        }
        this.#stringStarts[string + 1] = from + length;
        return this.#addHashed(STRING, string, hash, slot);
    }

    boolean(value: boolean): ValueId {
        return value ? TRUE : FALSE;
    }

    /** Days since 1970-01-01. */
    date(days: number): ValueId {
        let id = this.#dateIds.get(days);
        if (id === undefined) {
            id = this.#add(DATE, this.#dates.length, 64);
            this.#dates.push(days);
            this.#dateIds.set(days, id);
        }
        return id;
    }

    /** Microseconds since 1970-01-01 00:00:00 UTC. A midnight is the value of its date; the column's type decides how it prints. */
    timestamp(micros: bigint): ValueId {
        if (micros % MICROS_PER_DAY === 0n) return this.date(Number(micros / MICROS_PER_DAY));
        let id = this.#instantIds.get(micros);
        if (id === undefined) {
            id = this.#add(TIMESTAMP, this.#instants.length, 96);
            this.#instants.push(micros);
            this.#instantIds.set(micros, id);
        }
        return id;
    }

    list(elements: readonly ValueId[]): ValueId {
        return this.#collection(LIST, elements);
    }

    /** The caller passes the elements without duplicates in canonical order (3.6). */
    set(elements: readonly ValueId[]): ValueId {
        return this.#collection(SET, elements);
    }

    /** Name, value, name, value…; the names are string ids. */
    struct(members: readonly ValueId[]): ValueId {
        return this.#collection(STRUCT, members);
    }

    /** Key, value, key, value… without duplicate keys. */
    map(members: readonly ValueId[]): ValueId {
        return this.#collection(MAP, members);
    }

    /** A labelled null of its own. */
    freshNull(name: string): ValueId {
        return this.#add(NULL, this.#nulls.addSingle(this.nullSource({ invented: false, name })), 0);
    }

    /** The one labelled null of this source and these arguments. */
    labelledNull(name: string, args: ArrayLike<ValueId>, invented: boolean): ValueId {
        return this.nullOfSource(this.nullSource({ invented, name }), args);
    }

    /** The one labelled null that the host knows by this number, a small integer. */
    givenNull(number: number, invented: boolean): ValueId {
        return this.nullOfSource(this.nullSource({ invented, given: true, name: '' }), [smallInteger(number)]);
    }

    /** The number of a source of labelled nulls, for those who ask it for many. */
    nullSource(source: NullSource): NullSourceId {
        return this.#nulls.sourceId(source);
    }

    /** As `labelledNull`. */
    nullOfSource(source: NullSourceId, args: ArrayLike<ValueId>): ValueId {
        return this.resolve(this.unresolvedNull(source, args));
    }

    /** As `nullOfSource`, but the null itself where it was replaced. */
    unresolvedNull(source: NullSourceId, args: ArrayLike<ValueId>): ValueId {
        let hash = source;
        for (let i = 0; i < args.length; i++) hash = (Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) + args[i]!) | 0;
        hash = mix(hash);
        let slot = hash & this.#mask;
        for (let id = this.#table[slot]!; id >= 0; id = this.#table[slot]!) {
            if (this.#hashes[id] === hash && this.#kinds[id] === NULL && this.#nulls.isMadeOf(this.#payloads[id]!, source, args)) {
                return id;
            }
            slot = (slot + 1) & this.#mask;
        }
        let depth = 0;
        for (let i = 0; i < args.length; i++) depth = Math.max(depth, this.#depthOf(args[i]!));
        return this.#addHashed(NULL, this.#nulls.add(source, args, depth), hash, slot);
    }

    /** The values that labelled nulls turned out to be in this run, made when equality heads first need them (4.8). */
    get equalities(): Equalities {
        this.#equalities ??= new Equalities(this);
        return this.#equalities;
    }

    /** What a value is by now: where a null was replaced, its replacement. Whatever gives a known null again asks this. */
    resolve(id: ValueId): ValueId {
        return this.#equalities === undefined ? id : this.#equalities.resolve(id);
    }

    /** The null that the source of this one gives for what the arguments are by now; a null without arguments stays. */
    renewedNull(id: ValueId): ValueId {
        const { source, arguments: args } = this.nullOf(id);
        if (args.length === 0) return id;
        return this.nullOfSource(
            this.nullSource(source),
            args.map(argument => this.resolve(argument)),
        );
    }

    /** The values that a collection holds or that a null is named by. */
    partsOf(id: ValueId): ArrayLike<ValueId> {
        if (this.isCollection(id)) return this.membersOf(id);
        return this.isNull(id) ? this.#nulls.argumentsOf(this.#payloads[id]!) : [];
    }

    /** A list, set, map or struct. */
    isCollection(id: ValueId): boolean {
        return id >= 0 && this.#kinds[id]! >= LIST && this.#kinds[id] !== NULL;
    }

    kind(id: ValueId): ValueKind {
        return id < 0 ? 'number' : KINDS[this.#kinds[id]!]!;
    }

    isNull(id: ValueId): boolean {
        return id >= 0 && this.#kinds[id] === NULL;
    }

    isNumber(id: ValueId): boolean {
        return id < 0 || this.#kinds[id] === NUMBER;
    }

    /** The value of a number id as a double; an integer beyond 2^53 is rounded. */
    numberOf(id: ValueId): number {
        if (id < 0) return smallIntegerOf(id);
        const payload = this.#payloads[id]!;
        return payload >= 0 ? this.#numbers[payload]! : Number(this.#bigints[-1 - payload]);
    }

    isInteger(id: ValueId): boolean {
        if (id < 0) return true;
        const payload = this.#payloads[id]!;
        return payload < 0 || Number.isInteger(this.#numbers[payload]!);
    }

    /** The value of a number id that is an integer. */
    bigintOf(id: ValueId): bigint {
        if (id < 0) return BigInt(smallIntegerOf(id));
        const payload = this.#payloads[id]!;
        return payload >= 0 ? BigInt(this.#numbers[payload]!) : this.#bigints[-1 - payload]!;
    }

    /** True for a number id whose `numberOf` is not rounded. */
    isExactDouble(id: ValueId): boolean {
        return id < 0 || this.#payloads[id]! >= 0;
    }

    stringOf(id: ValueId): string {
        const string = this.#payloads[id]!;
        let text = this.#strings[string];
        if (text === undefined) {
            text = decoder.decode(this.#arena.subarray(this.#stringStarts[string]!, this.#stringStarts[string + 1]!));
            this.#strings[string] = text;
            this.#heapBytes += 32 + text.length * 2;
        }
        return text;
    }

    /** The UTF-8 of a string id, a view that later additions may detach from the dictionary: copy it or use it at once. */
    utf8Of(id: ValueId): Uint8Array {
        const string = this.#payloads[id]!;
        return this.#arena.subarray(this.#stringStarts[string]!, this.#stringStarts[string + 1]!);
    }

    /** The day of a date or timestamp id. */
    daysOf(id: ValueId): number {
        const payload = this.#payloads[id]!;
        if (this.#kinds[id] === DATE) return this.#dates[payload]!;
        const micros = this.#instants[payload]!;
        return Number((micros - (((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY)) / MICROS_PER_DAY);
    }

    /** The instant of a date (its midnight) or timestamp id. */
    microsOf(id: ValueId): bigint {
        const payload = this.#payloads[id]!;
        return this.#kinds[id] === DATE ? BigInt(this.#dates[payload]!) * MICROS_PER_DAY : this.#instants[payload]!;
    }

    /** Negative, zero or positive as the first string precedes, equals or follows the second by Unicode code points. */
    compareStrings(left: ValueId, right: ValueId): number {
        if (left === right) return 0;
        const arena = this.#arena;
        const a = this.#payloads[left]!;
        const b = this.#payloads[right]!;
        let i = this.#stringStarts[a]!;
        let j = this.#stringStarts[b]!;
        const endOfA = this.#stringStarts[a + 1]!;
        const endOfB = this.#stringStarts[b + 1]!;
        while (i < endOfA && j < endOfB) {
            const difference = arena[i++]! - arena[j++]!;
            if (difference !== 0) return difference;
        }
        return endOfA - i - (endOfB - j);
    }

    /** Elements of a list or set; name, value… of a struct; key, value… of a map. */
    membersOf(id: ValueId): readonly ValueId[] {
        return this.#members[this.#payloads[id]!]!;
    }

    nullOf(id: ValueId): NullOrigin {
        return { source: this.nullSourceOf(id), arguments: Array.from(this.nullArgumentsOf(id)) };
    }

    nullSourceOf(id: ValueId): NullSource {
        return this.#nulls.sourceOf(this.#payloads[id]!);
    }

    /** What the source made a null from, a view that later nulls may detach from the dictionary. */
    nullArgumentsOf(id: ValueId): Int32Array {
        return this.#nulls.argumentsOf(this.#payloads[id]!);
    }

    /** True for a null that a rule invented. */
    isInvented(id: ValueId): boolean {
        return this.isNull(id) && this.#nulls.sourceOf(this.#payloads[id]!).invented;
    }

    /** True for a null that a rule invented, or that a function gave for one. */
    comesFromRule(id: ValueId): boolean {
        return this.isNull(id) && this.#nulls.depthOf(this.#payloads[id]!) > 0;
    }

    get hasNulls(): boolean {
        return this.#nulls.count > 0;
    }

    /** How many Skolem constants are nested in the deepest null so far. */
    get deepestNull(): number {
        return this.#nulls.deepest;
    }

    #depthOf(id: ValueId): number {
        if (id < 0) return 0;
        switch (this.#kinds[id]) {
            case NULL:
                return this.#nulls.depthOf(this.#payloads[id]!);
            case LIST:
            case SET:
            case STRUCT:
            case MAP:
                return this.membersOf(id).reduce((depth, member) => Math.max(depth, this.#depthOf(member)), 0);
            default:
                return 0;
        }
    }

    #collection(kind: number, members: readonly ValueId[]): ValueId {
        const key = `${kind}:${members.join(',')}`;
        let id = this.#memberIds.get(key);
        if (id === undefined) {
            id = this.#add(kind, this.#members.length, 96 + key.length * 2 + members.length * 8);
            this.#members.push([...members]);
            this.#memberIds.set(key, id);
        }
        return id;
    }

    #add(kind: number, payload: number, heapBytes: number): ValueId {
        const id = this.#count++;
        if (id === this.#kinds.length) this.#growEntries();
        this.#kinds[id] = kind;
        this.#payloads[id] = payload;
        this.#heapBytes += heapBytes;
        return id;
    }

    /** Adds an entry that is found again by its hash; `slot` is the free slot where the search ended. */
    #addHashed(kind: number, payload: number, hash: number, slot: number): ValueId {
        const id = this.#add(kind, payload, 0);
        this.#hashes[id] = hash;
        this.#table[slot] = id;
        if (this.#count * 2 > this.#table.length) this.#growTable();
        return id;
    }

    #growEntries(): void {
        const length = this.#kinds.length * 2;
        this.#kinds = grown(this.#kinds, new Uint8Array(length));
        this.#payloads = grown(this.#payloads, new Int32Array(length));
        this.#hashes = grown(this.#hashes, new Int32Array(length));
    }

    /** Other values are found through maps of their own, or never looked for. */
    #isHashed(id: ValueId): boolean {
        switch (this.#kinds[id]) {
            case STRING:
                return true;
            case NUMBER:
                return this.#payloads[id]! >= 0;
            case NULL:
                return this.#nulls.isRepeatable(this.#payloads[id]!);
            default:
                return false;
        }
    }

    #growTable(): void {
        const length = this.#table.length * 2;
        this.#mask = length - 1;
        this.#table = new Int32Array(length).fill(-1);
        for (let id = 0; id < this.#count; id++) {
            if (!this.#isHashed(id)) continue;
            let slot = this.#hashes[id]! & this.#mask;
            while (this.#table[slot]! >= 0) slot = (slot + 1) & this.#mask;
            this.#table[slot] = id;
        }
    }
}

/** The full mix that linear probing needs (the finaliser of MurmurHash3). */
export function mix(hash: number): number {
    let h = hash;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return h ^ (h >>> 16);
}

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
    to.set(from);
    return to;
}
