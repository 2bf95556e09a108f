import { type Uri, ViewColumn, window } from 'vscode';
import { columnOf } from '#extension/host/open-place.ts';

/** Finds the column of other views of the program, else the column next to it. So they never open more than two columns. */
export function columnBeside(document: Uri, columns: readonly ViewColumn[]): ViewColumn {
    const { all, activeTabGroup } = window.tabGroups;
    const own = columnOf(document) ?? activeTabGroup.viewColumn;
    const there = columns.find(column => column !== own) ?? columns[0];
    if (there !== undefined) return there;
    if (all.length < 2) return ViewColumn.Beside;
    return own === all.length ? own - 1 : own + 1;
}
