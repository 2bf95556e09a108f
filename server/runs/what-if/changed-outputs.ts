import { type Listing, listPredicate } from '#engine/results/listing.ts';
import { allRows } from '#engine/results/post-process.ts';
import { sortRows } from '#engine/results/sort-rows.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { compareListings, type RowDifference } from '../compare-listings.ts';
import type { TriedResults } from '../held-run.ts';
import { listingOf } from '../sorted-rows.ts';

/** The change of a row. */
export type Fate = 'comes' | 'goes';

/** The changes of an output. */
export interface ChangedOutput {
    /** The rows that come and go. */
    readonly listing: Listing;
    /** The change of each of them. */
    readonly fates: readonly Fate[];
    /** Rows that the output has. */
    readonly rows: number;
}

/** Computes the effect of a trial on some outputs, whose rows without it are in `before`. */
export function changedOutputs(tried: TriedResults, before: readonly Listing[]): ChangedOutput[] {
    const { changes, database } = tried;
    const isListed = ({ predicate }: Listing): boolean =>
        changes === undefined || (database.program.predicates.get(predicate)?.post ?? []).length > 0;
    return before.map(listing =>
        isListed(listing)
            ? comparedOutput(listing, listPredicate(database, listing.predicate as PredicateKey))
            : followedOutput(listing, tried),
    );
}

/** From the rows that have come and gone in its relation. */
function followedOutput(listing: Listing, { database, changes = [], row: valuesOf }: TriedResults): ChangedOutput {
    const { predicate } = listing;
    const net = new Map<string, { readonly values: readonly ValueId[]; readonly fate: Fate }>();
    for (const step of changes) {
        const { added = [], removed = [] } = step.get(predicate) ?? {};
        for (const [rows, fate] of [
            [removed, 'goes'],
            [added, 'comes'],
        ] as const) {
            for (const row of rows) {
                const values = valuesOf(predicate, row);
                const key = values.join(',');
                const known = net.get(key);
                if (known !== undefined && known.fate !== fate) net.delete(key);
                else net.set(key, { values, fate });
            }
        }
    }
    const all = [...net.values()];
    const columns = listing.columns.map((_, column) => Int32Array.from(all, ({ values }) => values[column] ?? 0));
    const { dictionary } = database;
    const { relation } = listingOf({ ...listing, dictionary }, columns, all.length);
    const keys = columns.map((_, column) => ({ column, descending: false }));
    const order = sortRows(dictionary, relation, allRows(relation), keys);
    return {
        listing: listingOf(
            { ...listing, dictionary },
            columns.map(column => order.map(row => column[row] ?? 0)),
            all.length,
        ),
        fates: Array.from(order, row => all[row]?.fate ?? 'comes'),
        rows: listing.count,
    };
}

const FATES: Readonly<Record<RowDifference, Fate>> = { added: 'comes', now: 'comes', removed: 'goes', was: 'goes' };

/** The effect of a change on an output, from all its rows before and after. */
export function comparedOutput(before: Listing, after: Listing | undefined): ChangedOutput {
    const [compared] = compareListings([before], after === undefined ? [] : [after]);
    if (compared === undefined) return { listing: listingOf(before, [], 0), fates: [], rows: before.count };
    const { listing, kinds } = compared;
    const { columns, relation, count } = listing;
    // The first column says what became of a row.
    return {
        listing: listingOf({ ...listing, columns: columns.slice(1) }, relation.columns.slice(1), count),
        fates: kinds.map(kind => FATES[kind]),
        rows: before.count,
    };
}
