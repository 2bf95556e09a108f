import type { ClausePlace } from '#language/program/span.ts';
import type { ComparePlaces } from './file-order.ts';

/** Clauses by a text that is the same for those that say the same; a clause that comes or goes costs nothing for the others. */
export class RepeatedClauses<C extends { readonly place: ClausePlace }> {
    readonly #textOf: (clause: C) => string | undefined;
    readonly #compare: ComparePlaces;
    readonly #byText = new Map<string, C | Set<C>>();
    readonly #repeated = new Set<Set<C>>();

    /** Clauses without a text are like no others. */
    constructor(textOf: (clause: C) => string | undefined, compare: ComparePlaces) {
        this.#textOf = textOf;
        this.#compare = compare;
    }

    add(clause: C): void {
        const text = this.#textOf(clause);
        if (text === undefined) return;
        const known = this.#byText.get(text);
        if (known === undefined) this.#byText.set(text, clause);
        else if (known instanceof Set) known.add(clause);
        else {
            const both = new Set([known, clause]);
            this.#byText.set(text, both);
            this.#repeated.add(both);
        }
    }

    remove(clause: C): void {
        const text = this.#textOf(clause);
        if (text === undefined) return;
        const known = this.#byText.get(text);
        if (!(known instanceof Set)) {
            this.#byText.delete(text);
            return;
        }
        known.delete(clause);
        const [last, more] = known;
        if (last === undefined || more !== undefined) return;
        this.#byText.set(text, last);
        this.#repeated.delete(known);
    }

    /** Those that stand more than once, each time in the order of the program. */
    *groups(): Iterable<readonly C[]> {
        for (const clauses of this.#repeated) yield [...clauses].sort((a, b) => this.#compare(a.place, b.place));
    }
}
