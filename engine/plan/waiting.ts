import { append } from '#language/program/append.ts';
import { LeastFirst } from './least-first.ts';

/** Things, by their numbers, that wait until all of their variables are bound, and some of them for a complete match besides. */
export class Waiting {
    readonly #missing: number[];
    readonly #waitingFor = new Map<string, number[]>();
    readonly #decided = new LeastFirst();
    readonly #isLate: (thing: number) => boolean;
    #late: number[] = [];

    /** The variables that each thing waits for, but for those that are bound before. */
    constructor(variables: readonly (readonly string[])[], bound: ReadonlySet<string>, isLate: (thing: number) => boolean) {
        this.#isLate = isLate;
        this.#missing = variables.map((names, thing) => {
            const open = new Set(names.filter(name => !bound.has(name)));
            for (const name of open) append(this.#waitingFor, name, thing);
            return open.size;
        });
        for (const [thing, missing] of this.#missing.entries()) if (missing === 0) this.#decide(thing);
    }

    bind(name: string): void {
        for (const thing of this.#waitingFor.get(name) ?? []) if (--this.#missing[thing]! === 0) this.#decide(thing);
        this.#waitingFor.delete(name);
    }

    /** Takes out the first thing that waits for nothing; `matched` says that the match is complete. */
    next(matched: boolean): number | undefined {
        if (matched) {
            for (const thing of this.#late) this.#decided.add(thing);
            this.#late = [];
        }
        return this.#decided.next()?.thing;
    }

    #decide(thing: number): void {
        if (this.#isLate(thing)) this.#late.push(thing);
        else this.#decided.add(thing);
    }
}
