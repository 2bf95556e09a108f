import type { Database } from '#engine/contracts/database.ts';
import { type Listing, listPredicate, nullLabels } from '#engine/results/listing.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { NullLabel } from '#engine/values/text.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { labelNulls } from '#server/terminal/label-nulls.ts';

/** The shown relations of one evaluation. */
export interface Results {
    readonly database: Database;
    readonly listings: readonly Listing[];
    /** Labels of nulls by their first appearance in the listings. */
    readonly label: NullLabel;
}

/** The shown relations of a database, with labels for their nulls. */
export function resultsOf(database: Database, keys: readonly PredicateKey[]): Results {
    const listings = keys.map(key => listPredicate(database, key));
    return { database, listings, label: labelled(listings, database.dictionary) };
}

/** Labels of nulls by their first appearance in listings. */
export function labelled(listings: readonly Listing[], dictionary: Dictionary): NullLabel {
    const label = nullLabels(dictionary);
    labelNulls({ listings: [], all: listings.flatMap(withNulls), label }, 0);
    return label;
}

const MAY_HOLD_NULLS: ReadonlySet<Type['kind']> = new Set<Type['kind']>(['list', 'set', 'map', 'struct', 'mixed']);

/** The columns of a listing in which nulls stand, if any. */
function withNulls(listing: Listing): Listing[] {
    const { dictionary, relation } = listing;
    const held = [...listing.columns.keys()].filter(column => {
        if (MAY_HOLD_NULLS.has(listing.columns[column]?.type.kind ?? 'mixed')) return true;
        return relation.columns[column]?.subarray(0, relation.count).some(id => dictionary.isNull(id)) ?? false;
    });
    if (held.length === 0) return [];
    const columns = held.flatMap(column => listing.columns[column] ?? []);
    return [{ ...listing, columns, at: (row, column) => listing.at(row, held[column] ?? 0) }];
}
