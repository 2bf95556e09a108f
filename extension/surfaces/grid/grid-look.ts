import type { OutputSummary } from '#server/protocol/runs.ts';
import type { ColumnLayout } from './column-layout.ts';
import type { HeaderEvents } from './header-cell.ts';
import type { SortKey } from './narrowing.ts';
import type { Row, RowMark } from './row-store.ts';
import type { Place, Selection } from './selection.ts';

export interface GridData {
    readonly output: OutputSummary;
    /** Rows that are shown; unknown before the first page. */
    readonly rows: number | undefined;
    row(index: number): Row | undefined;
    mark(row: Row): RowMark | undefined;
    want(first: number, last: number): void;
    /** The search text of the rows; empty without a search. */
    sought(): string;
}

export interface GridEvents extends HeaderEvents {
    /** The selection was moved by the mouse. */
    selected(selection: Selection): void;
    scrolled(): void;
    opened(place: Place): void;
}

export interface GridLook {
    readonly layout: ColumnLayout;
    readonly sort: readonly SortKey[];
    readonly filterRow: boolean;
    readonly filters: ReadonlyMap<number, string>;
    readonly selection: Selection;
    readonly rowHeight: number;
    /** Of each column, the most characters from the point on of a number that is there. */
    readonly decimals: ReadonlyMap<number, number>;
}

export interface ScrollPosition {
    /** In pixels of rows, which may be more than a browser scrolls. */
    readonly top: number;
    readonly left: number;
}
