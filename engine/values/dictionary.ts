import { Equalities } from './equalities.ts';
import { type NullOrigin, type NullSource, type NullSourceId, NullStore } from './null-store.ts';
import { NumberStore } from './number-store.ts';
import { StringStore } from './string-store.ts';
import type { ValueId } from './value-id.ts';

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

const MICROS_PER_DAY = 86_400_000_000;

const encoder = new TextEncoder();

/** Values with texts beyond this length are asked for before they are made. */
const LONG = 1 << 16;
/** The size of a value in a collection, besides the length of a text. */
const PART_SIZE = 4;

export class Dictionary {
    #equalities: Equalities | undefined;
    #count = 0;
    #kinds = new Uint8Array(1024);
    /** The reference of each entry in the store of its kind. */
    #payloads = new Int32Array(1024);

    readonly #strings = new StringStore(record => this.#add(STRING, record, 0));
    /** Doubles, and integers that are doubles; the integers beyond 2^53 that are not lie in #bigints. */
    readonly #numbers = new NumberStore(number => this.#add(NUMBER, number, 0));
    readonly #bigints: bigint[] = [];
    readonly #bigintIds = new Map<bigint, ValueId>();
    /** Microseconds; those beyond 2^53 lie in #farInstants. */
    readonly #instants = new NumberStore(number => this.#add(TIMESTAMP, number, 0));
    readonly #farInstants: bigint[] = [];
    readonly #farInstantIds = new Map<bigint, ValueId>();
    readonly #dates = new NumberStore(number => this.#add(DATE, number, 0));
    /** Element ids of lists and sets; name, value, name, value… of structs; key, value… of maps. */
    readonly #members: (readonly ValueId[])[] = [];
    /** Of each collection, about the length of its text. */
    readonly #sizes: number[] = [];
    readonly #memberIds = new Map<string, ValueId>();
    readonly #nulls = new NullStore(number => this.#add(NULL, number, 0));
    #heapBytes = 0;
    #scratch = new Uint8Array(1024);

    readonly #admitLong: (size: number) => void;

    /** `admitLong` gets the size of a long text or collection before it is made, and may end the run. */
    constructor(admitLong: (size: number) => void = () => undefined) {
        this.#admitLong = admitLong;
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
            this.#strings.bytes +
            this.#numbers.bytes +
            this.#instants.bytes +
            this.#dates.bytes +
            this.#nulls.bytes +
            this.#heapBytes +
            this.#scratch.byteLength +
            (this.#equalities?.bytes ?? 0)
        );
    }

    /** Any finite number. */
    number(value: number): ValueId {
        if (Number.isInteger(value) && value >= -SMALL_INTEGER_LIMIT && value < SMALL_INTEGER_LIMIT) return smallInteger(value);
        return this.#numbers.intern(value);
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

    /** Called before a value with a text of so many UTF-16 units is put together: where that would be too long, the run ends. */
    admit(size: number): void {
        if (size > LONG) this.#admitLong(size);
    }

    string(text: string): ValueId {
        if (text.length > LONG) {
            this.#admitLong(text.length);
            const bytes = encoder.encode(text);
            return this.utf8(bytes, 0, bytes.length);
        }
        if (this.#scratch.length < text.length * 3) this.#scratch = new Uint8Array(text.length * 4);
        const { written } = encoder.encodeInto(text, this.#scratch);
        return this.utf8(this.#scratch, 0, written);
    }

    /** Whether the text is a value. */
    hasString(text: string): boolean {
        const bytes = encoder.encode(text);
        return this.#strings.has(bytes, 0, bytes.length);
    }

    /** The string whose UTF-8 is `bytes[start..end)`; the caller has checked that it is UTF-8. */
    utf8(bytes: Uint8Array, start: number, end: number): ValueId {
        return this.#strings.intern(bytes, start, end);
    }

    /** As `utf8` for many strings, which are put in place of their lengths in `ids[from..to)`; see `StringStore.internAll`. */
    utf8All(bytes: Uint8Array, view: DataView, starts: Int32Array, ids: Int32Array, hashes: Int32Array, from: number, to: number): void {
        this.#strings.internAll(bytes, view, starts, ids, hashes, from, to);
    }

    boolean(value: boolean): ValueId {
        return value ? TRUE : FALSE;
    }

    /** Days since 1970-01-01. */
    date(days: number): ValueId {
        return this.#dates.intern(days);
    }

    /** Microseconds since 1970-01-01 00:00:00 UTC. A midnight is the value of its date; the column's type decides how it prints. */
    timestamp(micros: bigint): ValueId {
        const double = Number(micros);
        if (Number.isSafeInteger(double)) return this.instant(double);
        if (micros % BigInt(MICROS_PER_DAY) === 0n) return this.date(Number(micros / BigInt(MICROS_PER_DAY)));
        let id = this.#farInstantIds.get(micros);
        if (id === undefined) {
            id = this.#add(TIMESTAMP, -1 - this.#farInstants.length, 96);
            this.#farInstants.push(micros);
            this.#farInstantIds.set(micros, id);
        }
        return id;
    }

    /** As `timestamp`, for microseconds up to 2^53 before or after. */
    instant(micros: number): ValueId {
        return micros % MICROS_PER_DAY === 0 ? this.date(micros / MICROS_PER_DAY) : this.#instants.intern(micros);
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
        return this.#nulls.addSingle(this.nullSource({ invented: false, name }));
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
        const known = this.#nulls.find(source, args);
        if (known >= 0) return known;
        let depth = 0;
        for (let i = 0; i < args.length; i++) depth = Math.max(depth, this.#depthOf(args[i]!));
        return this.#nulls.add(source, args, depth);
    }

    /** The values that labelled nulls turned out to be in this run, made when equality heads first need them (4.8). */
    get equalities(): Equalities {
        this.#equalities ??= new Equalities(this);
        return this.#equalities;
    }

    /** Returns the current value: the replacement of a replaced null. Code that gives a known null again calls this. */
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
        return payload >= 0 ? this.#numbers.valueOf(payload) : Number(this.#bigints[-1 - payload]);
    }

    isInteger(id: ValueId): boolean {
        if (id < 0) return true;
        const payload = this.#payloads[id]!;
        return payload < 0 || Number.isInteger(this.#numbers.valueOf(payload));
    }

    /** The value of a number id that is an integer. */
    bigintOf(id: ValueId): bigint {
        if (id < 0) return BigInt(smallIntegerOf(id));
        const payload = this.#payloads[id]!;
        return payload >= 0 ? BigInt(this.#numbers.valueOf(payload)) : this.#bigints[-1 - payload]!;
    }

    /** True for a number id whose `numberOf` is not rounded. */
    isExactDouble(id: ValueId): boolean {
        return id < 0 || this.#payloads[id]! >= 0;
    }

    stringOf(id: ValueId): string {
        return this.#strings.textOf(this.#payloads[id]!);
    }

    /** The UTF-8 of a string id, a view that later additions may detach from the dictionary: copy it or use it at once. */
    utf8Of(id: ValueId): Uint8Array {
        return this.#strings.utf8Of(this.#payloads[id]!);
    }

    /** Copies the UTF-8 of a string id to the words `to[at..]` where it fits there, zeros behind it, and gives its length in bytes. */
    copyWords(id: ValueId, to: Int32Array, at: number): number {
        return this.#strings.copyWords(this.#payloads[id]!, to, at);
    }

    /** The day of a date or timestamp id. */
    daysOf(id: ValueId): number {
        const payload = this.#payloads[id]!;
        if (this.#kinds[id] === DATE) return this.#dates.valueOf(payload);
        const micros = this.#instantOf(payload);
        const day = BigInt(MICROS_PER_DAY);
        return Number((micros - (((micros % day) + day) % day)) / day);
    }

    /** The instant of a date (its midnight) or timestamp id. */
    microsOf(id: ValueId): bigint {
        const payload = this.#payloads[id]!;
        if (this.#kinds[id] === DATE) return BigInt(this.#dates.valueOf(payload)) * BigInt(MICROS_PER_DAY);
        return this.#instantOf(payload);
    }

    #instantOf(payload: number): bigint {
        return payload >= 0 ? BigInt(this.#instants.valueOf(payload)) : this.#farInstants[-1 - payload]!;
    }

    /** Negative, zero or positive as the first string precedes, equals or follows the second by Unicode code points. */
    compareStrings(left: ValueId, right: ValueId): number {
        return left === right ? 0 : this.#strings.compare(this.#payloads[left]!, this.#payloads[right]!);
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

    /** The arguments from which the source made a null, a view that later nulls may detach from the dictionary. */
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
        this.admit(members.length * PART_SIZE);
        const key = `${kind}:${members.join(',')}`;
        let id = this.#memberIds.get(key);
        if (id === undefined) {
            const size = members.reduce((sum, member) => sum + this.#sizeOf(member), 0);
            this.admit(size);
            id = this.#add(kind, this.#members.length, 104 + key.length * 2 + members.length * 8);
            this.#members.push([...members]);
            this.#sizes.push(size);
            this.#memberIds.set(key, id);
        }
        return id;
    }

    /** About how long the text of a value is. A collection may have parts in common with itself, so that its text is far longer than what it holds. */
    #sizeOf(id: ValueId): number {
        if (id < 0) return PART_SIZE;
        const payload = this.#payloads[id]!;
        if (this.#kinds[id] === STRING) return PART_SIZE + this.#strings.lengthOf(payload);
        return this.isCollection(id) ? this.#sizes[payload]! : PART_SIZE;
    }

    #add(kind: number, payload: number, heapBytes: number): ValueId {
        const id = this.#count++;
        if (id === this.#kinds.length) this.#growEntries();
        this.#kinds[id] = kind;
        this.#payloads[id] = payload;
        this.#heapBytes += heapBytes;
        return id;
    }

    #growEntries(): void {
        const length = this.#kinds.length * 2;
        this.#kinds = grown(this.#kinds, new Uint8Array(length));
        this.#payloads = grown(this.#payloads, new Int32Array(length));
    }
}

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
    to.set(from);
    return to;
}
