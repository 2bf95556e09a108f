import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Relation } from '../relations/relation.ts';

/**
 * When the rows of a recursion came: each row follows from rows that came before it. Rows of one relation come in the order of their
 * numbers; where several relations follow from each other, the rounds in which rows came are what they have in common.
 */
export class RoundTimes {
    readonly #ends = new Map<Relation, { readonly rows: number[]; readonly times: number[] }>();
    #time = 0;

    readonly note = (filled: ReadonlyMap<PredicateKey, Relation>): void => {
        if (filled.size < 2) return;
        this.#time++;
        for (const relation of filled.values()) {
            const ends = this.#ends.get(relation) ?? { rows: [], times: [] };
            this.#ends.set(relation, ends);
            if (relation.count === (ends.rows.at(-1) ?? 0)) continue;
            ends.rows.push(relation.count);
            ends.times.push(this.#time);
        }
    };

    /** The rank of each row of a relation, from 1; rows that came together have the same. */
    ranksOf(relation: Relation): Int32Array {
        const ranks = new Int32Array(relation.count);
        const ends = this.#ends.get(relation);
        let next = 0;
        for (let row = 0; row < relation.count; row++) {
            while (ends !== undefined && next < ends.rows.length && ends.rows[next]! <= row) next++;
            ranks[row] = ends === undefined ? row + 1 : (ends.times[next] ?? this.#time + 1);
        }
        return ranks;
    }
}

/** The ranks of the rows of one relation. */
export class Ranks {
    #ranks: Int32Array;

    constructor(ranks: Int32Array) {
        this.#ranks = ranks;
    }

    of(row: number): number {
        return this.#ranks[row]!;
    }

    set(row: number, rank: number): void {
        this.#hold(row + 1);
        this.#ranks[row] = rank;
    }

    /** Takes the ranks of some rows from one on. */
    take(row: number, ranks: Int32Array): void {
        this.#hold(row + ranks.length);
        this.#ranks.set(ranks, row);
    }

    /** Keeps the ranks of these rows, which are those of the first rows from now on. */
    keep(rows: ArrayLike<number>): void {
        const ranks = new Int32Array(rows.length);
        for (let i = 0; i < rows.length; i++) ranks[i] = this.#ranks[rows[i]!]!;
        this.#ranks = ranks;
    }

    #hold(rows: number): void {
        if (rows <= this.#ranks.length) return;
        const grown = new Int32Array(Math.max(64, rows + (rows >> 1)));
        grown.set(this.#ranks);
        this.#ranks = grown;
    }
}
