import type { GroupedOutput, ResultPage, RowView } from '#server/protocol/runs.ts';

/** The source of a view's rows: the run process behind an editor, or a platform server behind a page in the browser. */
export interface RowSource {
    /** Some rows of a view, from an offset on. */
    page(view: RowView, offset: number, limit: number): Promise<ResultPage>;
    /** The whole text of a cell, by its row in the view. */
    cell(view: RowView, row: number, column: number): Promise<string>;
    /** Returns the columns of a view of groups, if the source can group rows. */
    grouped?(view: RowView): Promise<GroupedOutput>;
    /** Rows of a view as clauses of the language, where the source can write them. */
    facts?(view: RowView, offset: number, limit: number): Promise<string>;
}

/** Thrown when an answer is no longer of use; the caller then stays silent. */
export class Superseded extends Error {}
