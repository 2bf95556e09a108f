import { mix } from './mix.ts';
import type { ValueId } from './value-id.ts';

/** The source of labelled nulls: existential variables and Skolem terms invent them, other ones stand for missing values (3.8). */
export interface NullSource {
    readonly invented: boolean;
    /** The host gave them, by number: they count as constants of the chase, whether a rule invented them or not. */
    readonly given?: true;
    /** Index of the rule whose existential variable it is. */
    readonly rule?: number;
    /** The variable, the Skolem term `#f`, or what gave no value. */
    readonly name: string;
}

/** A source of nulls by number. */
export type NullSourceId = number;

/** The origin of a labelled null. */
export interface NullOrigin {
    readonly source: NullSource;
    readonly arguments: readonly ValueId[];
}

/** The origins of the labelled nulls of a dictionary, which are numbered from 0. */
export class NullStore {
    readonly #newId: (number: number) => ValueId;
    readonly #sources: NullSource[] = [];
    readonly #sourceIds = new Map<string, NullSourceId>();
    #sourceBytes = 0;
    #count = 0;
    /** By null: its source, or -1 minus that where the null is the only one of its kind. */
    #sourceOf = new Int32Array(64);
    #depths = new Int32Array(64);
    /** The arguments of all nulls, one after another; those of null n are from #starts[n] to #starts[n + 1]. */
    #arguments = new Int32Array(128);
    #starts = new Int32Array(65);
    #ids = new Int32Array(64);
    #deepest = 0;
    /** The nulls that sources and arguments give again, plus one; 0 is free. */
    #table = new Int32Array(128);
    #repeatable = 0;

    /** `newId` makes the value of a null that was not there before. */
    constructor(newId: (number: number) => ValueId) {
        this.#newId = newId;
    }

    get bytes(): number {
        const origins = this.#sourceOf.byteLength + this.#depths.byteLength + this.#starts.byteLength + this.#ids.byteLength;
        return this.#sourceBytes + origins + this.#arguments.byteLength + this.#table.byteLength;
    }

    get count(): number {
        return this.#count;
    }

    /** How many Skolem constants are nested in the deepest null. */
    get deepest(): number {
        return this.#deepest;
    }

    sourceId(source: NullSource): NullSourceId {
        const key = `${source.given ? '#' : ''}${source.invented ? '!' : '?'}${source.rule ?? ''} ${source.name}`;
        let id = this.#sourceIds.get(key);
        if (id === undefined) {
            id = this.#sources.push(source) - 1;
            this.#sourceIds.set(key, id);
            this.#sourceBytes += 160 + key.length * 2;
        }
        return id;
    }

    sourceOf(number: number): NullSource {
        const source = this.#sourceOf[number]!;
        return this.#sources[source < 0 ? -1 - source : source]!;
    }

    argumentsOf(number: number): Int32Array {
        return this.#arguments.subarray(this.#starts[number]!, this.#starts[number + 1]!);
    }

    /** How many Skolem constants are nested in a null, itself included. */
    depthOf(number: number): number {
        return this.#depths[number]!;
    }

    /** The null that the source made of these arguments, or -1. */
    find(source: NullSourceId, args: ArrayLike<ValueId>): ValueId {
        const mask = this.#table.length - 1;
        let slot = hashOfNull(source, args, 0, args.length) & mask;
        for (let entry = this.#table[slot]!; entry !== 0; entry = this.#table[slot]!) {
            if (this.#isMadeOf(entry - 1, source, args)) return this.#ids[entry - 1]!;
            slot = (slot + 1) & mask;
        }
        return -1;
    }

    /** A null that `find` does not know; `innerDepth` is that of the deepest argument. */
    add(source: NullSourceId, args: ArrayLike<ValueId>, innerDepth: number): ValueId {
        const number = this.#append(source, args);
        const { invented, given } = this.#sources[source]!;
        const depth = invented && !given ? innerDepth + 1 : innerDepth;
        this.#depths[number] = depth;
        if (depth > this.#deepest) this.#deepest = depth;
        if (++this.#repeatable * 2 > this.#table.length) this.#growTable();
        else this.#enter(number);
        return this.#ids[number]!;
    }

    /** A null that is the only one of its kind. */
    addSingle(source: NullSourceId): ValueId {
        const number = this.#append(-1 - source, []);
        return this.#ids[number]!;
    }

    #isMadeOf(number: number, source: NullSourceId, args: ArrayLike<ValueId>): boolean {
        const start = this.#starts[number]!;
        if (this.#sourceOf[number] !== source || this.#starts[number + 1]! - start !== args.length) return false;
        for (let i = 0; i < args.length; i++) if (this.#arguments[start + i] !== args[i]) return false;
        return true;
    }

    #enter(number: number): void {
        const mask = this.#table.length - 1;
        let slot = hashOfNull(this.#sourceOf[number]!, this.#arguments, this.#starts[number]!, this.#starts[number + 1]!) & mask;
        while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
        this.#table[slot] = number + 1;
    }

    #growTable(): void {
        this.#table = new Int32Array(this.#table.length * 2);
        for (let number = 0; number < this.#count; number++) if (this.#sourceOf[number]! >= 0) this.#enter(number);
    }

    #append(source: number, args: ArrayLike<ValueId>): number {
        const number = this.#count++;
        if (number === this.#sourceOf.length) {
            this.#sourceOf = grown(this.#sourceOf, number * 2);
            this.#depths = grown(this.#depths, number * 2);
            this.#starts = grown(this.#starts, number * 2 + 1);
            this.#ids = grown(this.#ids, number * 2);
        }
        const start = this.#starts[number]!;
        const end = start + args.length;
        if (end > this.#arguments.length) this.#arguments = grown(this.#arguments, Math.max(end, start * 2));
        this.#arguments.set(args, start);
        this.#starts[number + 1] = end;
        this.#sourceOf[number] = source;
        this.#ids[number] = this.#newId(number);
        return number;
    }
}

function hashOfNull(source: NullSourceId, args: ArrayLike<ValueId>, from: number, to: number): number {
    let hash = source;
    for (let i = from; i < to; i++) hash = (Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) + args[i]!) | 0;
    return mix(hash);
}

function grown(from: Int32Array, length: number): Int32Array<ArrayBuffer> {
    const to = new Int32Array(length);
    to.set(from);
    return to;
}
