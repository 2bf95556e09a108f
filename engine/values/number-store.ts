import { mix } from './mix.ts';
import type { ValueId } from './value-id.ts';

/** Doubles, each once, by number from 0: the numbers, the days or the instants of a dictionary. */
export class NumberStore {
    readonly #newId: (number: number) => ValueId;
    #count = 0;
    #values = new Float64Array(256);
    #ids = new Int32Array(256);
    /** Numbers plus one; 0 is free. */
    #table = new Int32Array(512);
    #mask = 511;
    readonly #float = new Float64Array(1);
    readonly #words = new Int32Array(this.#float.buffer);

    /** `newId` makes the value of a double that was not there before. */
    constructor(newId: (number: number) => ValueId) {
        this.#newId = newId;
    }

    get bytes(): number {
        return this.#values.byteLength + this.#ids.byteLength + this.#table.byteLength;
    }

    intern(value: number): ValueId {
        let slot = this.#hash(value) & this.#mask;
        for (let entry = this.#table[slot]!; entry !== 0; entry = this.#table[slot]!) {
            if (this.#values[entry - 1] === value) return this.#ids[entry - 1]!;
            slot = (slot + 1) & this.#mask;
        }
        const number = this.#count++;
        if (number === this.#ids.length) this.#growNumbers();
        const id = this.#newId(number);
        this.#values[number] = value;
        this.#ids[number] = id;
        this.#table[slot] = number + 1;
        if (this.#count * 4 > this.#table.length * 3) this.#growTable();
        return id;
    }

    valueOf(number: number): number {
        return this.#values[number]!;
    }

    /** Both zeros have one hash; other doubles have equal bits where they are equal. */
    #hash(value: number): number {
        this.#float[0] = value + 0;
        return mix(this.#words[0]! ^ Math.imul(this.#words[1]!, 0x9e3779b1));
    }

    #growNumbers(): void {
        const values = new Float64Array(this.#count * 2);
        values.set(this.#values);
        this.#values = values;
        const ids = new Int32Array(this.#count * 2);
        ids.set(this.#ids);
        this.#ids = ids;
    }

    #growTable(): void {
        const table = new Int32Array(this.#table.length * 2);
        const mask = table.length - 1;
        for (let number = 0; number < this.#count; number++) {
            let slot = this.#hash(this.#values[number]!) & mask;
            while (table[slot] !== 0) slot = (slot + 1) & mask;
            table[slot] = number + 1;
        }
        this.#table = table;
        this.#mask = mask;
    }
}
