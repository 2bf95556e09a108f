import type { ClausePlace } from '#language/program/span.ts';
import type { ComparePlaces } from './file-order.ts';

/** Clauses by a text that is the same for those that say the same; a clause that comes or goes costs nothing for the others. */
export class RepeatedClauses<C extends { readonly place: ClausePlace }> {
    readonly #textOf: (clause: C) => string | undefined;
    readonly #compare: ComparePlaces;
    /** The only clause there is: its text is asked for once another one comes. */
    #only: C | undefined;
    #byText: Map<string, C | Set<C>> | undefined;
    #repeated: Set<Set<C>> | undefined;

    /** Clauses without a text are like no others. */
    constructor(textOf: (clause: C) => string | undefined, compare: ComparePlaces) {
        this.#textOf = textOf;
        this.#compare = compare;
    }

    add(clause: C): void {
        if (this.#byText === undefined && this.#only === undefined) this.#only = clause;
        else this.#put(clause, this.#texts());
    }

    #texts(): Map<string, C | Set<C>> {
        this.#byText ??= new Map();
        const first = this.#only;
        this.#only = undefined;
        if (first !== undefined) this.#put(first, this.#byText);
        return this.#byText;
    }

    #put(clause: C, byText: Map<string, C | Set<C>>): void {
        const text = this.#textOf(clause);
        if (text === undefined) return;
        const known = byText.get(text);
        if (known === undefined) byText.set(text, clause);
        else if (known instanceof Set) known.add(clause);
        else {
            const both = new Set([known, clause]);
            byText.set(text, both);
            this.#repeated ??= new Set();
            this.#repeated.add(both);
        }
    }

    remove(clause: C): void {
        if (this.#only === clause) this.#only = undefined;
        const byText = this.#byText;
        const text = byText && this.#textOf(clause);
        if (byText === undefined || text === undefined) return;
        const known = byText.get(text);
        if (!(known instanceof Set)) {
            byText.delete(text);
            return;
        }
        known.delete(clause);
        const [last, more] = known;
        if (last === undefined || more !== undefined) return;
        byText.set(text, last);
        this.#repeated?.delete(known);
    }

    /** Groups the clauses that stand more than once, each group in the order of the program. */
    *groups(): Iterable<readonly C[]> {
        for (const clauses of this.#repeated ?? []) yield [...clauses].sort((a, b) => this.#compare(a.place, b.place));
    }
}
