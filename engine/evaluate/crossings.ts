import type { Memory } from '../values/memory.ts';

/** For which groups the conditions of a rule hold. */
export class Crossings {
    readonly #memory: Memory;
    #holds = new Uint8Array(64);

    constructor(memory: Memory) {
        this.#memory = memory;
        memory.reserve(this.#holds.length);
    }

    /** Whether the conditions, which hold for a group now or not, begin to hold. */
    change(group: number, holds: boolean): boolean {
        if (group >= this.#holds.length) this.#grow(group);
        const begins = holds && this.#holds[group] === 0;
        this.#holds[group] = holds ? 1 : 0;
        return begins;
    }

    restart(): void {
        this.#holds.fill(0);
    }

    dispose(): void {
        this.#memory.release(this.#holds.length);
    }

    #grow(group: number): void {
        const length = Math.max(group + 1, 2 * this.#holds.length);
        this.#memory.reserve(length - this.#holds.length);
        const holds = new Uint8Array(length);
        holds.set(this.#holds);
        this.#holds = holds;
    }
}
