import type { Cell } from '#server/protocol/runs.ts';
import { cellText } from './cell-text.ts';
import type { OutputView } from './output-view.ts';
import { areaOf } from './selection.ts';
import { tableText } from './table-text.ts';

/** Rows that are handed on at most. */
const MOST = 200;

/** The rows of a selection as a table in Markdown, all their columns; empty where nothing is selected. */
export function selectedRows(view: OutputView): string {
    const area = areaOf(view.selection);
    const rows: (readonly Cell[])[] = [];
    const last = Math.min(area?.bottom ?? -1, (area?.top ?? 0) + MOST - 1);
    for (let row = area?.top ?? 0; row <= last; row++) {
        const cells = view.row(row);
        if (cells !== undefined) rows.push(cells);
    }
    if (rows.length === 0) return '';
    return tableText(
        'markdown',
        view.output.columns,
        rows.map(row => row.map(cellText)),
    );
}
