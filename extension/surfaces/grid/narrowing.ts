import type { OutputSummary, RowFilter, RowView } from '#server/protocol/runs.ts';
import { filterWords, readFilter } from './filter-text.ts';

export interface SortKey {
    readonly column: number;
    readonly descending: boolean;
}

/** How the rows of an output are sorted, filtered and searched. */
export interface Narrowing {
    readonly sort: readonly SortKey[];
    /** As they are written, by column. */
    readonly filters: ReadonlyMap<number, string>;
    readonly search: string;
}

/** A filter in words; `fault` says that it cannot be asked, and the words say why. */
export interface FilterInWords {
    readonly column: number;
    readonly words: string;
    readonly fault: boolean;
}

/** Returns the narrowed view of rows. A text that is not a filter leaves all of them. */
export function rowView({ key, columns }: OutputSummary, { sort, filters: texts, search }: Narrowing): RowView {
    const filters = [...texts].flatMap(([column, text]): readonly RowFilter[] => {
        const read = readFilter(text, column, columns[column]?.shape ?? 'text');
        return read.kind === 'tests' ? read.tests : [];
    });
    return {
        output: key,
        ...(sort.length === 0 ? {} : { sort }),
        ...(filters.length === 0 ? {} : { filters }),
        ...(search === '' ? {} : { search }),
    };
}

/** The keys after a click on the header of a column, which sorts ascending, then descending, then not at all; `extend` keeps those of other columns. */
export function sortedBy(sort: readonly SortKey[], column: number, extend: boolean): readonly SortKey[] {
    const old = sort.find(key => key.column === column);
    const next: readonly SortKey[] =
        old === undefined ? [{ column, descending: false }] : old.descending ? [] : [{ column, descending: true }];
    if (!extend) return next;
    return old === undefined ? [...sort, ...next] : sort.flatMap(key => (key.column === column ? next : [key]));
}

export function filtersInWords({ columns }: OutputSummary, filters: ReadonlyMap<number, string>): readonly FilterInWords[] {
    return [...filters].flatMap(([column, text]): FilterInWords[] => {
        const about = columns[column];
        if (about === undefined) return [];
        const read = readFilter(text, column, about.shape);
        const fault = read.kind === 'fault';
        const words = fault ? `${about.name}: ${read.fault}` : filterWords(text, about);
        return words === undefined ? [] : [{ column, words, fault }];
    });
}
