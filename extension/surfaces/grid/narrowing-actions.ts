import type { Cell } from '#server/protocol/runs.ts';
import { cellText, isCut, isMissing, isNull } from './cell-text.ts';
import { filterTextOf } from './filter-text.ts';
import { sortedBy } from './narrowing.ts';
import type { OutputNow } from './output-now.ts';

/** A value of a column. */
export interface ColumnCell {
    readonly column: number;
    readonly cell: Cell;
}

/** Changes which rows of an output pass, and their order. */
export interface NarrowingActions {
    /** Sorts by a column, or the other way round; with `extend` by it as well. */
    sortBy(column: number, extend: boolean): void;
    sort(column: number, descending: boolean): void;
    /** Sets the text of a filter; `soon` waits until the user stops typing. */
    setFilter(column: number, text: string, soon: boolean): void;
    search(text: string): void;
    clearFilters(): void;
    /** Clears filters and search. */
    clear(): void;
    /** Lets only rows pass that have these values, besides what passes now. */
    narrow(cells: readonly ColumnCell[]): void;
    /** Lets only rows pass that have a null in a column. */
    followNull(column: number, label: string): void;
}

export interface NarrowingHost {
    draw(): void;
    reload(): void;
    reloadSoon(): void;
}

export function createNarrowing(now: OutputNow, { draw, reload, reloadSoon }: NarrowingHost): NarrowingActions {
    const changed = (): void => {
        draw();
        reload();
    };
    const clearFilters = (): void => {
        now.filters.clear();
        changed();
    };
    const setFilter = (column: number, text: string, soon: boolean): void => {
        if (text === '') now.filters.delete(column);
        else now.filters.set(column, text);
        draw();
        if (soon) reloadSoon();
        else reload();
    };
    return {
        sortBy(column, extend) {
            now.sort = sortedBy(now.sort, column, extend);
            changed();
        },
        sort(column, descending) {
            now.sort = [{ column, descending }];
            changed();
        },
        setFilter,
        search(text) {
            if (text === now.search) return;
            now.search = text;
            reloadSoon();
        },
        clearFilters,
        clear() {
            now.search = '';
            clearFilters();
        },
        narrow(cells) {
            for (const { column, cell } of cells) now.filters.set(column, filterOf(cell));
            changed();
        },
        followNull(column, label) {
            now.filters.clear();
            setFilter(column, filterTextOf(label, 'null'), false);
        },
    };
}

/** The filter that rows with a value pass; undefined if its text is cut. */
export function filterByCell(cell: Cell | undefined): string | undefined {
    return cell === undefined || isCut(cell) ? undefined : filterOf(cell);
}

function filterOf(cell: Cell): string {
    return filterTextOf(cellText(cell), isMissing(cell) ? 'missing' : isNull(cell) ? 'null' : 'value');
}
