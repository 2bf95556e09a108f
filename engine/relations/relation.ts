import { grownInts, grownLength, type Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import type { ClusteredIndex } from './clustered-index.ts';
import { distinctPairs } from './distinct-pairs.ts';
import { GroupedSet } from './grouped-set.ts';
import type { HashIndex } from './hash-index.ts';
import type { Members } from './members.ts';
import type { Membership } from './membership.ts';
import { repeatedRows } from './repeated-rows.ts';
import { RowGroups } from './row-groups.ts';
import { RowIndexes } from './row-indexes.ts';
import { RowNotes } from './row-notes.ts';
import { RowTable } from './row-table.ts';
import type { Pause, Rows } from './rows.ts';
import { SourceSet } from './source-set.ts';

/** Rows that are offered before they are looked at, if there are not as many already. */
const LEAST_SETTLED = 1 << 22;
/** Smaller relations need no other set than their table. */
const LEAST_SET_ROWS = 256;
const NEVER = 0x7fffffff;

/**
 * A set of rows in columns that only grows. Rows are unique in their key columns, which are all columns of a plain relation; the other
 * columns of an aggregated one are replaced in place when a round ends.
 *
 * One `Membership` at a time distinguishes new rows from existing ones: first the table of all rows by their keys. Rows are entered into it
 * only when a caller needs them there. A set takes its place when a relation of up to three columns has become large. Its rows then have to
 * come by `insert1`, `insert2`, `insert3`, `insertAll`, `insertRun` and `insertGroup`. The table is made beside it when a caller asks for
 * the number of a row. Whatever adds rows in another way gives the set up for good.
 *
 * Between two rounds the window moves: rows below `from` are old, rows from `from` to `to` are the delta, and rows from `to` on are being
 * added and not seen yet. Buffers are replaced when they grow, never changed below `to`, so that a loop may hold on to a column while rows
 * are added.
 */
export class Relation implements Rows {
    readonly arity: number;
    /** The columns that make a row unique. */
    readonly keys: readonly number[];
    readonly memory: Memory;
    readonly columns: Int32Array[] = [];
    count = 0;
    from = 0;
    to = 0;
    readonly notes: RowNotes;
    readonly #indexes: RowIndexes;
    /** Rows that `discard` has taken out. */
    gone = 0;
    #isGone: Uint8Array | undefined;

    #capacity: number;
    readonly #table: RowTable;
    #membership: Membership;
    /** From so many rows on a set takes the place of the table. */
    #setFrom: number;
    #rowGroups: RowGroups | undefined;
    /**
     * So many first rows came by `add` or `offer` with ever larger values in the first key column, as files with numbered rows have them. They
     * are unique without a table, which is made when something else is asked (a third of the time of loading a million rows).
     */
    #ascending = 0;
    /** Rows behind the last one that `settle` has not seen. */
    #offered = 0;
    /** Of pairs that are told apart by source, the column in which all rows of a part have the same id. */
    sourceColumn: 0 | 1 | undefined;
    /** How many rows `forget` has given up. */
    forgotten = 0;
    /** The delta grows while it is read: rows that are added belong to it at once. */
    isLive = false;
    readonly #key0: number;
    readonly #key1: number;
    readonly #key2: number;

    constructor(arity: number, memory: Memory, keys: readonly number[] = Array.from({ length: arity }, (_, column) => column)) {
        this.arity = arity;
        this.keys = keys;
        this.memory = memory;
        this.#capacity = 64;
        this.notes = new RowNotes(memory, () => this.#capacity);
        this.#indexes = new RowIndexes(this);
        memory.reserve(arity * 64 * 4);
        for (let column = 0; column < arity; column++) this.columns.push(new Int32Array(64));
        this.#table = new RowTable(this, keys);
        this.#membership = this.#table;
        this.#setFrom = keys.length === arity && arity >= 1 && arity <= 3 ? LEAST_SET_ROWS : NEVER;
        [this.#key0 = 0, this.#key1 = 0, this.#key2 = 0] = keys;
    }

    /** The rows that it has found, whether it still has them or not. */
    get found(): number {
        return this.count + this.forgotten - this.gone;
    }

    /** Bytes of columns, table and indexes. */
    get bytes(): number {
        return (
            this.columns.length * this.#capacity * 4 +
            this.#table.bytes +
            (this.#membership === this.#table ? 0 : this.#membership.bytes) +
            (this.#rowGroups?.bytes ?? 0) +
            this.#indexes.bytes +
            this.notes.bytes +
            (this.#isGone?.byteLength ?? 0)
        );
    }

    /** The number of the row with this key, added when it is new: then it is the last row. */
    add1(a: ValueId): number {
        const found = this.#wholeTable().find1(a);
        if (found >= 0) return found;
        const row = this.#append();
        this.columns[this.#key0]![row] = a;
        return row;
    }

    add2(a: ValueId, b: ValueId): number {
        const found = this.#wholeTable().find2(a, b);
        if (found >= 0) return found;
        const row = this.#append();
        this.columns[this.#key0]![row] = a;
        this.columns[this.#key1]![row] = b;
        return row;
    }

    add3(a: ValueId, b: ValueId, c: ValueId): number {
        const found = this.#wholeTable().find3(a, b, c);
        if (found >= 0) return found;
        const row = this.#append();
        this.columns[this.#key0]![row] = a;
        this.columns[this.#key1]![row] = b;
        this.columns[this.#key2]![row] = c;
        return row;
    }

    add4(a: ValueId, b: ValueId, c: ValueId, d: ValueId): number {
        const found = this.#wholeTable().find4(a, b, c, d);
        if (found >= 0) return found;
        const row = this.#append();
        this.columns[this.#key0]![row] = a;
        this.columns[this.#key1]![row] = b;
        this.columns[this.#key2]![row] = c;
        this.columns[this.keys[3]!]![row] = d;
        return row;
    }

    /** As `add1` for any number of key columns. */
    add(key: ArrayLike<ValueId>): number {
        const isNew = this.#ascends(key);
        const found = isNew ? -1 : this.#wholeTable().find(key);
        if (found >= 0) return found;
        const { keys } = this;
        const row = isNew ? this.#newRow() : this.#append();
        for (let i = 0; i < keys.length; i++) this.columns[keys[i]!]![row] = key[i]!;
        if (isNew) this.#ascending = this.count;
        return row;
    }

    /** As `add1`, if the caller does not need the number of the row. */
    insert1(a: ValueId): void {
        if (this.count >= this.#setFrom) this.#makeSet();
        if (!this.#membership.add(0, 0, a)) return;
        const row = this.#newRow();
        this.columns[0]![row] = a;
    }

    insert2(a: ValueId, b: ValueId): void {
        if (this.count >= this.#setFrom) this.#makeSet();
        if (!(this.sourceColumn === 1 ? this.#membership.add(b, 0, a) : this.#membership.add(a, 0, b))) return;
        const row = this.#newRow();
        this.columns[0]![row] = a;
        this.columns[1]![row] = b;
    }

    insert3(a: ValueId, b: ValueId, c: ValueId): void {
        if (this.count >= this.#setFrom) this.#makeSet();
        if (!this.#membership.add(a, b, c)) return;
        const row = this.#newRow();
        this.columns[0]![row] = a;
        this.columns[1]![row] = b;
        this.columns[2]![row] = c;
    }

    /** As `insert1` for each of the first `count` values. */
    insertAll(values: Int32Array, count: number): void {
        if (this.count >= this.#setFrom) this.#makeSet();
        while (this.count + count > this.#capacity) this.#growColumns();
        this.count += this.#membership.addAll(0, 0, values, 0, count, this.columns[0]!, this.count);
    }

    /**
     * Adds rows that differ in one column only, which `values` has from `start` to `end`: the last one, or of pairs by
     * source the other one. `b` is ignored by pairs.
     */
    insertRun(a: ValueId, b: ValueId, values: Int32Array, start: number, end: number): void {
        if (this.count >= this.#setFrom) this.#makeSet();
        while (this.count + end - start > this.#capacity) this.#growColumns();
        const from = this.count;
        const into = this.columns[this.sourceColumn === 1 ? 0 : this.arity - 1]!;
        this.count += this.#membership.addAll(a, this.arity === 2 ? 0 : b, values, start, end, into, from);
        if (this.count > from) this.#fillKey(a, b, from);
    }

    /** Adds rows that are known to differ from each other and from those that are there: the first `count` of each of these columns. */
    append(columns: readonly Int32Array[], count: number): void {
        this.#giveUpSet();
        while (this.count + count > this.#capacity) this.#growColumns();
        for (let column = 0; column < this.arity; column++) this.columns[column]!.set(columns[column]!.subarray(0, count), this.count);
        this.count += count;
    }

    /** Has these rows of another relation, and no other; for a relation that is only gone through from its first row to its last. */
    showRows(source: Relation, rows: ArrayLike<number>): void {
        while (rows.length > this.#capacity) this.#growColumns();
        for (let column = 0; column < this.arity; column++) {
            const [from, into] = [source.columns[column]!, this.columns[column]!];
            for (let i = 0; i < rows.length; i++) into[i] = from[rows[i]!]!;
        }
        this.count = rows.length;
        this.from = 0;
        this.to = rows.length;
    }

    /**
     * As `insertRun` for the last column, with the values that it has in all rows of a relation that have this key in their other columns,
     * be they in its window or not. Returns how many these are, or undefined where one of the relations keeps no grouped set.
     */
    insertGroup(a: ValueId, b: ValueId, from: Relation, key0: ValueId, key1: ValueId): number | undefined {
        if (from.count === 0) return 0;
        const source = from.#groupedSet();
        if (source === undefined) return undefined;
        const group = source.findGroup(key0, from.arity === 2 ? 0 : key1);
        if (group < 0) return 0;
        const set = this.#groupedSet();
        if (set === undefined) return undefined;
        const most = source.countOf(group);
        while (this.count + most > this.#capacity) this.#growColumns();
        const first = this.count;
        this.count += set.addGroup(a, this.arity === 2 ? 0 : b, source, group, this.columns[this.arity - 1]!, first);
        if (this.count > first) this.#fillKey(a, b, first);
        return most;
    }

    /** Puts the rows from this one on next to others of their group, before anyone has seen them. */
    groupNewRows(from: number): void {
        const set = this.#membership;
        if (!(set instanceof GroupedSet) || this.#table.entered > from || this.notes.areOfRows || this.count - from < 2) return;
        this.#rowGroups ??= new RowGroups(this.memory);
        this.#rowGroups.bringTogether(set, this.columns, from, this.count);
    }

    /** Has pairs that come by `insert2` and `insertRun` told apart by this set of what stands beside this column, until `useTable`. */
    tellBySource(set: SourceSet, column: 0 | 1): void {
        this.#become(set);
        this.sourceColumn = column;
    }

    /** Has the table tell rows that are added later; no set is made any more. */
    useTable(): void {
        this.#become(this.#table);
        this.sourceColumn = undefined;
    }

    /** The table is for rows from this number on only. */
    passOver(first: number): void {
        this.#table.restart(first);
    }

    /** Gives up all rows, which are only counted. */
    forget(): void {
        this.forgotten += this.count;
        this.count = 0;
        this.from = 0;
        this.to = 0;
        this.#ascending = 0;
        this.#indexes.clear();
    }

    /**
     * Takes the first `count` rows of these columns, whose lines in this source follow one another from `line`; 0 where there are no
     * lines. They are not among the rows of the relation before `settle`, and nothing else may add rows until then.
     */
    offer(columns: readonly Int32Array[], count: number, line: number, source: number): void {
        const from = this.count + this.#offered;
        this.#giveUpSet();
        while (from + count > this.#capacity) this.#growColumns();
        for (let column = 0; column < this.arity; column++) {
            if (count === 1) this.columns[column]![from] = columns[column]![0]!;
            else this.columns[column]!.set(columns[column]!.subarray(0, count), from);
        }
        if (this.#ascending === from) this.#ascending += countBeyond(this.columns[0], from, from + count);
        this.#offered += count;
        if (line > 0) this.notes.setLines(from, from + count, line, source);
        if (this.#offered >= LEAST_SETTLED && this.#offered > this.count) this.settle();
    }

    /** Adds the rows that were offered, each once. */
    settle(): void {
        const { count } = this;
        const all = count + this.#offered;
        const pairs = this.arity === 2 && all > count ? distinctPairs(this, all) : undefined;
        const isSurelyDistinct = this.#ascending === all || all === count;
        const repeated = pairs === undefined && !isSurelyDistinct ? repeatedRows(this.columns, all, this.memory) : pairs?.isRepeated;
        this.#offered = 0;
        this.count = all;
        if (repeated !== undefined) {
            this.#takeOut(repeated, count);
            pairs?.index.dispose();
        } else if (pairs !== undefined) {
            this.#indexes.adopt(pairs.index, all);
        }
    }

    /** Whether `findKey` needs no table to be made first. */
    get hasTable(): boolean {
        return this.#table.entered === this.count;
    }

    /** The row with this key, or -1. */
    findKey(key: ArrayLike<ValueId>, pause?: Pause): number {
        if (this.#table.entered < this.count) this.#table.extend(this.count, pause);
        return this.#table.find(key);
    }

    findKey2(a: ValueId, b: ValueId): number {
        if (this.#table.entered < this.count) this.#table.extend(this.count);
        return this.#table.find2(a, b);
    }

    find(row: ArrayLike<ValueId>, pause?: Pause): number {
        const found = this.findKey(this.keys.length === this.arity ? row : this.keys.map(column => row[column]!), pause);
        if (found < 0) return -1;
        for (let column = 0; column < this.arity; column++) if (this.columns[column]![found] !== row[column]) return -1;
        return found;
    }

    match(columns: readonly number[], values: ArrayLike<ValueId>, found: (row: number) => unknown, pause?: Pause): void {
        if (columns.length === 0) {
            for (let row = 0; row < this.count && found(row) !== false; row++);
            return;
        }
        if (columns.length === this.arity) {
            const row = new Int32Array(this.arity);
            for (const [at, column] of columns.entries()) row[column] = values[at]!;
            const only = this.find(row, pause);
            if (only >= 0) found(only);
            return;
        }
        const index = this.index(columns);
        index.extend(this.count, pause);
        for (let row = index.first(values); row >= 0 && found(row) !== false; row = index.next[row]!);
    }

    /** The index on these columns, made when it is not there yet; the caller extends it. */
    index(columns: readonly number[]): HashIndex {
        return this.#indexes.hashed(columns);
    }

    /** The clustered index on these columns, of a relation that gets no more rows. */
    clustered(columns: readonly number[]): ClusteredIndex {
        return this.#indexes.clustered(columns, this.count);
    }

    /** The rows of a relation that gets no more, as bits; undefined where these would take more memory than a table. */
    members(): Members | undefined {
        return this.keys.length === this.arity ? this.#indexes.members(this.count) : undefined;
    }

    /** Enters the rows up to `count` into the indexes. */
    extendIndexes(count: number): void {
        this.#indexes.extend(count);
    }

    /** Gives up all indexes; the next reader makes its own again. */
    dropIndexes(): void {
        this.#indexes.drop();
    }

    /** Takes a row out whose values will never be looked for again. It keeps its number until `compact`. */
    discard(row: number): void {
        if (this.#isGone === undefined || this.#isGone.length <= row) {
            const before = this.#isGone;
            this.memory.reserve(this.#capacity);
            this.#isGone = new Uint8Array(this.#capacity);
            if (before !== undefined) this.#isGone.set(before);
            this.memory.release(before?.length ?? 0);
        }
        if (this.#isGone[row] === 1) return;
        this.#isGone[row] = 1;
        this.gone++;
    }

    /** Takes a discarded row back, at its number. */
    restore(row: number): void {
        if (!this.isGone(row)) return;
        this.#isGone![row] = 0;
        this.gone--;
    }

    isGone(row: number): boolean {
        return this.#isGone !== undefined && this.#isGone[row] === 1;
    }

    /** Gives the numbers of discarded rows to the rows after them; returns the numbers that rows had before, where these change. */
    compact(): Int32Array | undefined {
        if (this.gone === 0) return undefined;
        const rows = new Int32Array(this.count - this.gone);
        let kept = 0;
        for (let row = 0; row < this.count; row++) if (this.#isGone![row] !== 1) rows[kept++] = row;
        this.memory.release(this.#isGone!.length);
        this.#isGone = undefined;
        this.gone = 0;
        this.keep(rows);
        this.to = this.count;
        return rows;
    }

    /** Adds the values of a row with each as `resolve` says, and what is known of the row; a row that is there already stays as it is. */
    addRewritten(row: number, resolve: (value: ValueId) => ValueId): number {
        const before = this.count;
        const added = this.add(this.columns.map(column => resolve(column[row]!)));
        if (added === before) this.notes.copy(row, added);
        return added;
    }

    /** Puts what `resolve` says in place of all values of the first `count` rows and forgets the others. Returns how many rows are left. */
    rewriteFirst(count: number, resolve: (value: ValueId) => ValueId): number {
        const rows: number[] = [];
        for (const column of this.columns) for (let row = 0; row < count; row++) column[row] = resolve(column[row]!);
        this.truncate(count);
        this.#isGone?.fill(0);
        this.gone = 0;
        for (let row = 0; row < count; row++)
            if (this.findKey(this.keys.map(column => this.columns[column]![row]!)) === row) rows.push(row);
        if (rows.length < count) this.keep(rows);
        return rows.length;
    }

    /** Keeps the first `count` rows. */
    truncate(count: number): void {
        this.count = count;
        this.from = 0;
        this.to = 0;
        this.#ascending = 0;
        this.useTable();
        this.#table.restart(0);
        this.#table.extend(count);
        this.#indexes.renew(count);
    }

    /** Keeps the rows with these numbers, in this order. */
    keep(rows: ArrayLike<number>): void {
        const move = (column: Int32Array): void => {
            const moved = new Int32Array(rows.length);
            for (let i = 0; i < rows.length; i++) moved[i] = column[rows[i]!]!;
            column.set(moved);
            column.fill(0, rows.length, this.count);
        };
        for (const column of this.columns) move(column);
        this.notes.moveAll(move);
        this.truncate(rows.length);
    }

    /** Gives up the memory; the relation must not be used after. */
    dispose(): void {
        this.memory.release(this.bytes);
    }

    /** Changes what tells new rows; `next` has, or will be given, all that are there. */
    #become(next: Membership): void {
        this.#setFrom = NEVER;
        const before = this.#membership;
        if (before === next) return;
        before.dispose();
        this.#rowGroups?.dispose();
        this.#rowGroups = undefined;
        this.#ascending = 0;
        this.#membership = next;
    }

    /** Puts a set with the rows that are there in the place of the table. */
    #makeSet(): void {
        const { arity, count } = this;
        const [first, second, third] = this.columns as [Int32Array, Int32Array, Int32Array];
        const set = arity === 1 ? new SourceSet(this.memory) : new GroupedSet(this.memory);
        for (let row = 0; row < count; row++) {
            if (arity === 1) set.add(0, 0, first[row]!);
            else if (arity === 2) set.add(first[row]!, 0, second[row]!);
            else set.add(first[row]!, second[row]!, third[row]!);
        }
        this.#become(set);
    }

    /** The grouped set, made where it may be and is not there yet. */
    #groupedSet(): GroupedSet | undefined {
        if (this.#setFrom < NEVER) this.#makeSet();
        return this.#membership instanceof GroupedSet ? this.#membership : undefined;
    }

    /** The table with all rows, which tells new ones from now on. */
    #wholeTable(): RowTable {
        this.#giveUpSet();
        if (this.#table.entered < this.count) this.#table.extend(this.count);
        return this.#table;
    }

    /** Gives up a set that does not learn of what is added next. */
    #giveUpSet(): void {
        if (this.#membership !== this.#table) this.useTable();
    }

    /** Writes what is the same in all rows of a run, from this one on. */
    #fillKey(a: ValueId, b: ValueId, from: number): void {
        fillRows(this.columns[this.sourceColumn ?? 0]!, a, from, this.count);
        if (this.arity === 3) fillRows(this.columns[1]!, b, from, this.count);
    }

    /** Takes out the marked rows, of which none is before `first`. */
    #takeOut(isOut: Uint8Array, first: number): void {
        let kept = first;
        const moveUp = (array: Int32Array): void => {
            kept = first;
            for (let row = first; row < this.count; row++) if (isOut[row] === 0) array[kept++] = array[row]!;
            array.fill(0, kept, this.count);
        };
        this.columns.forEach(moveUp);
        this.notes.moveAll(moveUp);
        this.count = kept;
        this.memory.release(isOut.length);
    }

    /** Whether the key comes after those of all rows, which ascend and are in no set and no table. */
    #ascends(key: ArrayLike<ValueId>): boolean {
        if (this.#ascending !== this.count || this.#membership !== this.#table || this.#table.entered > 0) return false;
        return this.keys.length > 0 && (this.count === 0 || key[0]! > this.columns[this.#key0]![this.count - 1]!);
    }

    /** Adds a row with the key that the table was last asked for. */
    #append(): number {
        const row = this.#newRow();
        this.#table.enter(row);
        return row;
    }

    #newRow(): number {
        if (this.count === this.#capacity) this.#growColumns();
        return this.count++;
    }

    #growColumns(): void {
        const length = grownLength(this.memory, this.#capacity, 4 * this.arity);
        for (let column = 0; column < this.arity; column++) {
            this.columns[column] = grownInts(this.memory, this.columns[column]!, length);
        }
        this.#capacity = length;
    }
}

/** As `fill`, whose call costs more than writing a few values. */
function fillRows(column: Int32Array, value: ValueId, from: number, to: number): void {
    if (to - from > 128) column.fill(value, from, to);
    else for (let row = from; row < to; row++) column[row] = value;
}

/** How many of these values, one after another, are each larger than the one before. */
function countBeyond(values: Int32Array | undefined, from: number, to: number): number {
    if (values === undefined) return 0;
    let row = from;
    while (row < to && (row === 0 || values[row]! > values[row - 1]!)) row++;
    return row - from;
}
