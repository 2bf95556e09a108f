/** The columns of a relation that a demand gives values for, ascending; none for a demand for all rows. */
export type Pattern = readonly number[];

/** Rows of so many patterns are told apart; more would have each rule run once for each of them. */
const MOST = 2;

/**
 * The patterns in which a relation is asked. Of two patterns of which one contains the other, the smaller one answers both, and
 * too many become the one that they have in common, so that a demand for all rows answers everything.
 */
export class BindingPatterns {
    readonly #most: number;
    readonly #kept: ReadonlySet<number>;
    #patterns: readonly Pattern[] = [];

    /** Of rows that may not be found twice, as contributions to groups, one pattern at most; `kept` columns a recursion hands on. */
    constructor(isOnce: boolean, kept: ReadonlySet<number>) {
        this.#most = isOnce ? 1 : MOST;
        this.#kept = kept;
    }

    get patterns(): readonly Pattern[] {
        return this.#patterns;
    }

    /** Whether some rows need not be found. */
    get isRestricted(): boolean {
        return this.#patterns.every(pattern => pattern.length > 0);
    }

    /** Returns whether there is something new to answer. */
    add(pattern: Pattern): boolean {
        if (this.patternFor(pattern) !== undefined) return false;
        const patterns = [...this.#patterns.filter(one => !isWithin(pattern, one)), pattern];
        this.#patterns = patterns.length <= this.#most ? patterns : [pattern.filter(column => patterns.every(one => one.includes(column)))];
        return true;
    }

    /** The pattern in which a demand is asked: where two answer it, the one whose values the recursion keeps, as it asks no more than that. */
    patternFor(demand: Pattern): Pattern | undefined {
        const answering = this.#patterns.filter(one => isWithin(one, demand));
        return answering.find(one => one.every(column => this.#kept.has(column))) ?? answering[0];
    }
}

function isWithin(inner: Pattern, outer: Pattern): boolean {
    return inner.every(column => outer.includes(column));
}
