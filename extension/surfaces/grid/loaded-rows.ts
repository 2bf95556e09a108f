import type { ResultPage, RowView } from '#server/protocol/runs.ts';
import { createRowStore, type RowStore } from './row-store.ts';

export interface LoadedRowsEvents {
    page(view: RowView, offset: number, limit: number): Promise<ResultPage>;
    /** The first rows of another view are there, and take the place of those of before; `follows` for other rows of the same view. */
    replaced(matching: number, follows: boolean): void;
    /** Rows that are shown have come. */
    loaded(): void;
    failed(reason: Error): void;
}

/** The rows of a view, and beside them those of the next one until its first rows are there. */
export interface LoadedRows {
    readonly store: RowStore;
    /** Rows of the view that was asked for last; undefined before its first page. */
    readonly matching: number | undefined;
    /** The search text of the rows. */
    readonly sought: string;
    /** Asks for rows of another view, or for other rows of the same one. */
    load(view: RowView, first: number, last: number, follows: boolean): void;
}

export function createLoadedRows(firstView: RowView, events: LoadedRowsEvents): LoadedRows {
    let sought = firstView.search ?? '';
    let coming: RowStore | undefined;
    let isFollowing = false;
    const storeOf = (view: RowView): RowStore => {
        const made = createRowStore(
            (offset, limit) => events.page(view, offset, limit),
            () => {
                if (made === coming) {
                    store = made;
                    sought = view.search ?? '';
                    coming = undefined;
                    events.replaced(made.matching ?? 0, isFollowing);
                }
                if (made === store) events.loaded();
            },
            reason => {
                if (made === store || made === coming) events.failed(reason);
            },
        );
        return made;
    };
    let store = storeOf(firstView);
    return {
        get store() {
            return store;
        },
        get matching() {
            return (coming ?? store).matching;
        },
        get sought() {
            return sought;
        },
        load(view, first, last, follows) {
            // Rows of another view that still come stay rows of another view.
            isFollowing = follows && (coming === undefined || isFollowing);
            coming = storeOf(view);
            coming.want(first, last);
        },
    };
}
