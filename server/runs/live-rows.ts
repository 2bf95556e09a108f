import type { Database } from '#engine/contracts/database.ts';
import { type Listing, listPredicate } from '#engine/results/listing.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { translation } from './kept-rows.ts';
import { columnsOf, differenceOf, listingOf, merged, placeOf, type RowIds, rowIds, type SortedRows } from './sorted-rows.ts';

/** Rows of an output that follows edits. They are its own copy, which stays unchanged. */
export interface LiveRows {
    readonly listing: Listing;
    /** Of its `@post`: nothing stands for the total order of the values. */
    readonly post: string;
    readonly marks: Marks;
}

/** Effects of edits on some rows. */
export interface Marks {
    readonly added: number;
    readonly removed: number;
    /** The rows by their ids; absent where they are too many. */
    readonly rows?: { readonly added: ReadonlyMap<string, RowIds>; readonly removed: ReadonlyMap<string, RowIds> };
}

/** The rows of an output after an edit, and what that has made of them. */
export interface RowsStep extends Omit<LiveRows, 'marks'> {
    readonly added: readonly RowIds[];
    readonly removed: readonly RowIds[];
}

/** Rows that come and go in a relation. */
export interface IdsChange {
    readonly added: readonly RowIds[];
    readonly removed: readonly RowIds[];
}

/** The rows of an output with those that are gone among them. */
export interface MarkedListing {
    readonly listing: Listing;
    /** The mark of a row; absent if the edits did not touch it. */
    readonly marks: ReadonlyMap<number, 'added' | 'removed'>;
    /** By row, its place among those that are there; -1 of one that is gone. */
    readonly places: Int32Array;
}

/** If more rows than this change, they are listed anew, and counted without a mark for each. */
const MOST_MARKED = 5000;

const UNCHANGED: Marks = { added: 0, removed: 0, rows: { added: new Map(), removed: new Map() } };

export function firstRows(database: Database, key: PredicateKey): LiveRows {
    return { ...listedAnew(database, key), marks: UNCHANGED };
}

/** The rows of an output in another state of the same database, where these rows have come and gone in its relation. */
export function followedRows(before: LiveRows, database: Database, { added, removed }: IdsChange): RowsStep {
    const { listing } = before;
    const described = database.program.predicates.get(listing.predicate);
    const post = postOf(database, listing.predicate);
    const columns = described?.columns ?? [];
    if (post !== before.post || columns.length !== listing.columns.length) return evaluatedRows(before, database, listing.predicate);
    const now = { ...listing, columns, name: described?.name ?? listing.name };
    if (added.length + removed.length === 0)
        return { listing: listingOf(now, listing.relation.columns, listing.count), post, added, removed };
    if (post !== '' || added.length + removed.length > MOST_MARKED) return evaluatedRows(before, database, listing.predicate);
    const sorted = sortedRows(listing);
    const places = removed.map(row => placeOf(sorted, row)).sort((a, b) => a - b);
    if (places.includes(-1)) return evaluatedRows(before, database, listing.predicate);
    const rows = merged(sorted, places, added);
    return { listing: listingOf(now, rows.columns, rows.count), post, added, removed };
}

/** The rows of an output in another database. */
export function evaluatedRows(before: LiveRows | undefined, database: Database, key: PredicateKey): RowsStep {
    const now = listedAnew(database, key);
    if (before === undefined) return { ...now, added: [], removed: [] };
    const { dictionary } = before.listing;
    const translate = dictionary === database.dictionary ? undefined : translation(dictionary, id => id, database.dictionary);
    const columns = before.listing.relation.columns.map(column => (translate === undefined ? column : column.map(translate)));
    const old = { dictionary: database.dictionary, columns, count: before.listing.count };
    const { gone, come } =
        before.post === '' && now.post === '' ? differenceOf(old, sortedRows(now.listing)) : differenceOfSets(old, sortedRows(now.listing));
    return {
        ...now,
        added: come.map(row => rowIds(now.listing.relation.columns, row)),
        removed: gone.map(row => rowIds(columns, row)),
    };
}

/** The rows after a step; its changes are added to the marks where these do not begin `anew`. */
export function withMarks(before: LiveRows | undefined, { listing, post, added, removed }: RowsStep, anew: boolean): LiveRows {
    const isOther = before?.listing.dictionary !== listing.dictionary;
    const { marks } = anew || isOther || before === undefined ? { marks: UNCHANGED } : before;
    if (marks.rows === undefined || added.length + removed.length > MOST_MARKED)
        return { listing, post, marks: { added: marks.added + added.length, removed: marks.removed + removed.length } };
    const rows = { added: new Map(marks.rows.added), removed: new Map(marks.rows.removed) };
    for (const row of removed) if (!rows.added.delete(keyOf(row))) rows.removed.set(keyOf(row), row);
    for (const row of added) if (!rows.removed.delete(keyOf(row))) rows.added.set(keyOf(row), row);
    return { listing, post, marks: { added: rows.added.size, removed: rows.removed.size, rows } };
}

/** The rows with those that are gone among them, or behind them where they are not in the order of their values; nothing where none is marked. */
export function markedListing({ listing, post, marks: { rows } }: LiveRows): MarkedListing | undefined {
    if (rows === undefined || rows.added.size + rows.removed.size === 0) return undefined;
    const gone = [...rows.removed.values()];
    const own = sortedRows(listing);
    const all = post === '' ? merged(own, [], gone) : withRows(own, gone);
    const marks = new Map<number, 'added' | 'removed'>();
    const places = new Int32Array(all.count);
    let place = 0;
    const mark = post === '' ? marking(all, rows) : undefined;
    for (let row = 0; row < all.count; row++) {
        const found = mark === undefined ? markIn(rows, keyOf(rowIds(all.columns, row))) : mark.get(row);
        if (found !== undefined) marks.set(row, found);
        places[row] = found === 'removed' ? -1 : place++;
    }
    return { listing: listingOf(listing, all.columns, all.count), marks, places };
}

type MarkedRows = NonNullable<Marks['rows']>;

function marking(all: SortedRows, { added, removed }: MarkedRows): Map<number, 'added' | 'removed'> {
    return new Map([
        ...Array.from(added.values(), row => [placeOf(all, row), 'added'] as const),
        ...Array.from(removed.values(), row => [placeOf(all, row), 'removed'] as const),
    ]);
}

function markIn({ added, removed }: MarkedRows, key: string): 'added' | 'removed' | undefined {
    return added.has(key) ? 'added' : removed.has(key) ? 'removed' : undefined;
}

function withRows({ dictionary, columns, count }: SortedRows, rows: readonly RowIds[]): SortedRows {
    const values = columns.map((column, at) => Int32Array.from([...column, ...rows.map(row => row[at] ?? 0)]));
    return { dictionary, columns: values, count: count + rows.length };
}

function differenceOfSets(before: SortedRows, after: SortedRows): ReturnType<typeof differenceOf> {
    const keys = ({ columns, count }: SortedRows): string[] => Array.from({ length: count }, (_, row) => keyOf(rowIds(columns, row)));
    const [old, now] = [keys(before), keys(after)];
    const [were, are] = [new Set(old), new Set(now)];
    return {
        gone: old.flatMap((key, row) => (are.has(key) ? [] : [row])),
        come: now.flatMap((key, row) => (were.has(key) ? [] : [row])),
    };
}

function listedAnew(database: Database, key: PredicateKey): Omit<LiveRows, 'marks'> {
    const listing = listPredicate(database, key);
    return { listing: listingOf(listing, columnsOf(listing), listing.count), post: postOf(database, key) };
}

function postOf({ program }: Database, key: PredicateKey): string {
    const post = program.predicates.get(key)?.post ?? [];
    return post.length === 0 ? '' : JSON.stringify(post);
}

function sortedRows({ dictionary, relation, count }: Listing): SortedRows {
    return { dictionary, columns: relation.columns, count };
}

function keyOf(row: RowIds): string {
    return row.join(',');
}
