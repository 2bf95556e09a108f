import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Relation } from '../relations/relation.ts';

/** Changes of an edit to the rows of a relation, by their numbers: removed rows keep theirs. */
export interface RowChange {
    readonly added: readonly number[];
    readonly removed: readonly number[];
}

export type Changes = Map<PredicateKey, RowChange>;

/** Notes which rows of a relation come and go while it is brought up to date. */
export class ChangedRows {
    readonly relation: Relation;
    readonly #died: number[] = [];
    readonly #born: number[] = [];

    constructor(relation: Relation) {
        this.relation = relation;
    }

    /** The rows that went, some of which may have come back. */
    get died(): readonly number[] {
        return this.#died;
    }

    take(row: number): void {
        this.relation.discard(row);
        this.#died.push(row);
    }

    /** The row with these values, which is added or comes back; -1 where it is there. */
    give(values: Int32Array): number {
        const before = this.#born.length;
        const row = this.place(values);
        return this.#born.length === before ? -1 : row;
    }

    /** The row with these values, which is added or comes back where it is not there. */
    place(values: Int32Array): number {
        const { relation } = this;
        const { count } = relation;
        const row = relation.add(values);
        if (row < count && !relation.isGone(row)) return row;
        relation.restore(row);
        this.#born.push(row);
        return row;
    }

    /** Takes the row with these values, where it is there. */
    takeValues(values: Int32Array): void {
        const row = this.relation.findKey(values);
        if (row >= 0 && !this.relation.isGone(row)) this.take(row);
    }

    /** Takes back a row that was taken. */
    restore(row: number): void {
        this.relation.restore(row);
        this.#born.push(row);
    }

    /** Takes back those of some rows that are gone. */
    restoreAll(from: number, to: number): void {
        for (let row = from; row < to; row++) if (this.relation.isGone(row)) this.restore(row);
    }

    /** Returns the difference from the beginning. */
    net(): RowChange {
        const { relation } = this;
        if (this.#died.length === 0) return { added: this.#born, removed: [] };
        const died = new Set(this.#died);
        const added = this.#born.filter(row => !died.has(row));
        return { added, removed: this.#died.filter(row => relation.isGone(row)) };
    }

    /** Makes the relation what it was at the beginning. */
    undo(): void {
        const died = new Set(this.#died);
        for (const row of this.#born) if (!died.has(row)) this.relation.discard(row);
        for (const row of died) this.relation.restore(row);
    }
}

/** Adds what has become of a relation to the changes, where it is different. */
export function noteChange(key: PredicateKey, rows: ChangedRows, changes: Changes): void {
    const net = rows.net();
    if (net.added.length > 0 || net.removed.length > 0) changes.set(key, net);
}

/** The rows of a literal's relation from which derivations come, or went: where it is negated, those that did the opposite. */
export function startingRows(change: RowChange | undefined, negated: boolean, kind: 'gain' | 'loss'): readonly number[] {
    if (change === undefined) return [];
    return negated === (kind === 'gain') ? change.removed : change.added;
}

/** Runs something while the rows that went are there, beside those that came. */
export function withRemoved(changes: Changes, relations: ReadonlyMap<PredicateKey, Relation>, run: () => void): void {
    const each = (apply: (relation: Relation, row: number) => void): void => {
        for (const [key, { removed }] of changes) {
            const relation = relations.get(key);
            if (relation !== undefined) for (const row of removed) apply(relation, row);
        }
    };
    each((relation, row) => relation.restore(row));
    try {
        run();
    } finally {
        each((relation, row) => relation.discard(row));
    }
}
