import type { ClusteredIndex } from './clustered-index.ts';
import { hash1, hashOf } from './hash.ts';
import type { IndexedRows } from './hash-index.ts';

/** Start, end and hash (of a single column: the value) per slot; an empty slot ends at 0. */
const STRIDE = 3;

/** A clustered index on any columns, whose keys are found by a table with open addressing. */
export class HashedClusters implements ClusteredIndex {
    readonly columns: readonly number[];
    readonly isUnique: boolean;
    readonly rows: Int32Array;
    end = 0;
    readonly #relation: IndexedRows;
    readonly #copies = new Map<number, Int32Array>();
    readonly #table: Int32Array;
    readonly #mask: number;

    constructor(relation: IndexedRows, columns: readonly number[], count: number) {
        this.#relation = relation;
        this.columns = columns;
        const groups = groupRows(relation, columns, count);
        const { keys } = groups;
        this.isUnique = keys === count;
        let slots = 16;
        while (slots * 3 < keys * 4) slots *= 2;
        relation.memory.reserve(count * 4 + slots * STRIDE * 4);
        this.#table = new Int32Array(slots * STRIDE);
        this.#mask = slots - 1;
        this.rows = this.#layOut(groups, count);
        relation.memory.release(groups.bytes);
        if (columns.length > 1) for (const column of columns) this.column(column);
    }

    get bytes(): number {
        return this.rows.byteLength * (1 + this.#copies.size) + this.#table.byteLength;
    }

    column(column: number): Int32Array {
        let copy = this.#copies.get(column);
        if (copy === undefined) {
            this.#relation.memory.reserve(this.rows.byteLength);
            const values = this.#relation.columns[column]!;
            copy = new Int32Array(this.rows.length);
            for (let i = 0; i < copy.length; i++) copy[i] = values[this.rows[i]!]!;
            this.#copies.set(column, copy);
        }
        return copy;
    }

    locate1(value: number): number {
        const table = this.#table;
        const mask = this.#mask;
        let slot = hash1(value) & mask;
        for (let end = table[slot * STRIDE + 1]!; end !== 0; end = table[slot * STRIDE + 1]!) {
            if (table[slot * STRIDE + 2] === value) {
                this.end = end;
                return table[slot * STRIDE]!;
            }
            slot = (slot + 1) & mask;
        }
        this.end = 0;
        return 0;
    }

    locate(key: ArrayLike<number>): number {
        if (this.columns.length === 1) return this.locate1(key[0]!);
        const table = this.#table;
        const mask = this.#mask;
        const hash = hashOf(key, this.columns.length);
        let slot = hash & mask;
        for (let end = table[slot * STRIDE + 1]!; end !== 0; end = table[slot * STRIDE + 1]!) {
            if (table[slot * STRIDE + 2] === hash && this.#isAt(table[slot * STRIDE]!, key)) {
                this.end = end;
                return table[slot * STRIDE]!;
            }
            slot = (slot + 1) & mask;
        }
        this.end = 0;
        return 0;
    }

    locateAll(values: Int32Array, from: number, to: number, starts: Int32Array, ends: Int32Array): void {
        for (let i = 0; i < to - from; i++) {
            starts[i] = this.locate1(values[from + i]!);
            ends[i] = this.end;
        }
    }

    findAll(values: Int32Array, count: number, found: Int32Array): void {
        for (let i = 0; i < count; i++) {
            const start = this.locate1(values[i]!);
            found[i] = start < this.end ? start : -1;
        }
    }

    dispose(): void {
        this.#relation.memory.release(this.bytes);
    }

    #isAt(position: number, key: ArrayLike<number>): boolean {
        for (let i = 0; i < this.columns.length; i++) if (this.#copies.get(this.columns[i]!)![position] !== key[i]) return false;
        return true;
    }

    #layOut({ groupOf, sizes, firstRows, keys }: Groups, count: number): Int32Array {
        const { columns } = this.#relation;
        const single = this.columns.length === 1;
        const key = new Int32Array(this.columns.length);
        let start = 0;
        for (let group = 0; group < keys; group++) {
            const row = firstRows[group]!;
            for (let i = 0; i < key.length; i++) key[i] = columns[this.columns[i]!]![row]!;
            const hash = hashOf(key, key.length);
            let slot = hash & this.#mask;
            while (this.#table[slot * STRIDE + 1] !== 0) slot = (slot + 1) & this.#mask;
            const end = start + sizes[group]!;
            this.#table[slot * STRIDE] = start;
            this.#table[slot * STRIDE + 1] = end;
            this.#table[slot * STRIDE + 2] = single ? key[0]! : hash;
            sizes[group] = start;
            start = end;
        }
        const order = new Int32Array(count);
        for (let row = 0; row < count; row++) order[sizes[groupOf[row]!]!++] = row;
        return order;
    }
}

/** The key of each row, by number, with the number of rows and the first row of each key. */
interface Groups {
    readonly keys: number;
    readonly groupOf: Int32Array;
    readonly sizes: Int32Array;
    readonly firstRows: Int32Array;
    /** Bytes reserved for them. */
    readonly bytes: number;
}

function groupRows({ columns: all, memory }: IndexedRows, chosen: readonly number[], count: number): Groups {
    let slots = 16;
    while (slots * 3 < count * 4) slots *= 2;
    const bytes = (slots + 3 * count) * 4;
    memory.reserve(bytes);
    const table = new Int32Array(slots);
    const groupOf = new Int32Array(count);
    const sizes = new Int32Array(count);
    const firstRows = new Int32Array(count);
    const columns = chosen.map(column => all[column]!);
    const key = new Int32Array(columns.length);
    let keys = 0;
    for (let row = 0; row < count; row++) {
        for (let i = 0; i < key.length; i++) key[i] = columns[i]![row]!;
        let slot = hashOf(key, key.length) & (slots - 1);
        let group = table[slot]! - 1;
        while (group >= 0 && !hasKey(columns, firstRows[group]!, key)) {
            slot = (slot + 1) & (slots - 1);
            group = table[slot]! - 1;
        }
        if (group < 0) {
            group = keys++;
            firstRows[group] = row;
            table[slot] = group + 1;
        }
        groupOf[row] = group;
        sizes[group]!++;
    }
    return { keys, groupOf, sizes, firstRows, bytes };
}

function hasKey(columns: readonly Int32Array[], row: number, key: Int32Array): boolean {
    for (let i = 0; i < key.length; i++) if (columns[i]![row] !== key[i]) return false;
    return true;
}
