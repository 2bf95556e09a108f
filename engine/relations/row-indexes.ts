import { clusterRows } from './cluster-rows.ts';
import type { ClusteredIndex } from './clustered-index.ts';
import { HashIndex, type IndexedRows } from './hash-index.ts';
import { Members } from './members.ts';

/** The access paths of a relation, each made when a rule first asks for it. */
export class RowIndexes {
    readonly #rows: IndexedRows;
    readonly #hashed: HashIndex[] = [];
    readonly #clustered: ClusteredIndex[] = [];
    /** How many rows the clustered indexes have. */
    #clusteredRows = 0;
    /** Null where bits would take too much. */
    #members: Members | null | undefined;

    constructor(rows: IndexedRows) {
        this.#rows = rows;
    }

    get bytes(): number {
        return [...this.#hashed, ...this.#clustered].reduce((sum, index) => sum + index.bytes, this.#members?.bytes ?? 0);
    }

    /** The index on these columns, made when it is not there yet; the caller extends it. */
    hashed(columns: readonly number[]): HashIndex {
        for (const index of this.#hashed) if (sameColumns(index.columns, columns)) return index;
        const index = new HashIndex(this.#rows, columns);
        this.#hashed.push(index);
        return index;
    }

    /** The clustered index on these columns over the `count` rows of a relation that gets no more. */
    clustered(columns: readonly number[], count: number): ClusteredIndex {
        if (this.#clusteredRows !== count) this.#dropClustered(count);
        for (const index of this.#clustered) if (sameColumns(index.columns, columns)) return index;
        const index = clusterRows(this.#rows, columns, count);
        this.#clustered.push(index);
        return index;
    }

    /** Takes a clustered index over the `count` rows that there are. */
    adopt(index: ClusteredIndex, count: number): void {
        this.#dropClustered(count);
        this.#clustered.push(index);
    }

    /** The `count` rows of a relation that gets no more, as bits; undefined where these would take more memory than a table. */
    members(count: number): Members | undefined {
        if (this.#members === undefined) this.#members = Members.of(this.#rows, count) ?? null;
        return this.#members ?? undefined;
    }

    /** Enters the rows up to `count` into the hash indexes. */
    extend(count: number): void {
        for (const index of this.#hashed) index.extend(count);
    }

    /** Empties the hash indexes. */
    clear(): void {
        for (const index of this.#hashed) index.clear();
    }

    /** Empties the hash indexes and gives up the others, for rows that have other numbers from now on. */
    renew(count: number): void {
        this.clear();
        this.#dropClustered(count);
        this.#dropMembers();
    }

    /** Gives up all of them; the next reader makes its own again. */
    drop(): void {
        for (const index of this.#hashed.splice(0)) index.dispose();
        this.#dropClustered(0);
        this.#dropMembers();
    }

    #dropClustered(count: number): void {
        for (const index of this.#clustered.splice(0)) index.dispose();
        this.#clusteredRows = count;
    }

    #dropMembers(): void {
        this.#members?.dispose();
        this.#members = undefined;
    }
}

function sameColumns(left: readonly number[], right: readonly number[]): boolean {
    return left.length === right.length && left.every((column, i) => column === right[i]);
}
