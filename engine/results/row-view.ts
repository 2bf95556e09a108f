import type { NullLabel } from '../values/text.ts';
import { type CellFilter, type CellTest, filterTest, searchTest } from './cell-tests.ts';
import { type Listing, withRows } from './listing.ts';
import { type SortKey, sortRows } from './sort-rows.ts';
import { textSearch } from './text-search.ts';

/** A choice of a listing's rows, and their order. Columns are those of the listing. */
export interface ViewDescription {
    /** The first is the major key; equal rows, and rows without keys, stay in listing order. */
    readonly sort: readonly SortKey[];
    /** Rows must pass all of them. */
    readonly filters: readonly CellFilter[];
    /** Keeps rows with a cell whose text contains this, letter case ignored. */
    readonly search: string;
}

/** Views of one listing. The last one is kept, and so are its rows before they were sorted: paging through it is cheap. */
export interface RowViews {
    view(description: ViewDescription): Listing;
}

export function rowViews(listing: Listing, label: NullLabel): RowViews {
    let filtered = { key: '', rows: listing.rows };
    let viewed = { key: '', view: listing };
    return {
        view: ({ sort, filters, search }) => {
            const filterKey = filters.length === 0 && search === '' ? '' : JSON.stringify([filters, search]);
            if (filterKey !== filtered.key) filtered = { key: filterKey, rows: keptRows(listing, filters, search, label) };
            const key = sort.length === 0 ? filterKey : JSON.stringify([filterKey, sort]);
            if (key !== viewed.key) {
                const { dictionary, relation } = listing;
                const rows = sort.length === 0 ? filtered.rows : sortRows(dictionary, relation, filtered.rows, sort);
                viewed = { key, view: key === '' ? listing : withRows(listing, rows) };
            }
            return viewed.view;
        },
    };
}

/** The rows that pass the filters and the search. Works column by column: a column's test remembers its answers. */
function keptRows({ dictionary, relation, columns, rows }: Listing, filters: readonly CellFilter[], search: string, label: NullLabel) {
    let kept = rows;
    for (const { column, ...filter } of filters) {
        const values = relation.columns[column]!;
        const test = filterTest(filter, dictionary, columns[column]!.type, label);
        kept = kept.filter(row => test(values[row]!));
    }
    if (search === '') return kept;
    const sought = textSearch(search, 'anywhere');
    const found = new Uint8Array(kept.length);
    const tests = new Map<string, CellTest>();
    for (const [column, { type }] of columns.entries()) {
        const values = relation.columns[column]!;
        const test = tests.get(JSON.stringify(type)) ?? searchTest(sought, dictionary, type, label);
        tests.set(JSON.stringify(type), test);
        for (let i = 0; i < kept.length; i++) if (found[i] === 0 && test(values[kept[i]!]!)) found[i] = 1;
    }
    return kept.filter((_, i) => found[i] === 1);
}
