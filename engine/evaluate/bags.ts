import { grownInts, type Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';

/** All contributions of each group, as a chain of entries. */
export class Bags {
    readonly #memory: Memory;
    #newest: Int32Array = new Int32Array(0);
    #values: Int32Array;
    #next: Int32Array;
    #count = 0;

    constructor(memory: Memory) {
        this.#memory = memory;
        memory.reserve(64 * 8);
        this.#values = new Int32Array(64);
        this.#next = new Int32Array(64);
    }

    ensure(count: number): void {
        const { length } = this.#newest;
        if (count > length) this.#newest = grownInts(this.#memory, this.#newest, Math.max(64, count, 2 * length)).fill(-1, length);
    }

    add(group: number, value: ValueId): number {
        if (this.#count === this.#values.length) {
            this.#values = grownInts(this.#memory, this.#values, 2 * this.#count);
            this.#next = grownInts(this.#memory, this.#next, 2 * this.#count);
        }
        const entry = this.#count++;
        this.#values[entry] = value;
        this.#next[entry] = this.#newest[group]!;
        this.#newest[group] = entry;
        return entry;
    }

    set(entry: number, value: ValueId): void {
        this.#values[entry] = value;
    }

    restart(count: number): void {
        this.#newest.fill(-1, 0, count);
        this.#count = 0;
    }

    /** The values of a group, newest first. */
    values(group: number): ValueId[] {
        const values: ValueId[] = [];
        for (let entry = this.#newest[group]!; entry >= 0; entry = this.#next[entry]!) values.push(this.#values[entry]!);
        return values;
    }

    dispose(): void {
        this.#memory.release(this.#newest.byteLength + this.#values.byteLength + this.#next.byteLength);
    }
}
