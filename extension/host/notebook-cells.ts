import { type NotebookCell, NotebookCellKind, type NotebookDocument, type TextDocument, type Uri, workspace } from 'vscode';
import { type CellLines, cellAt, joinedCells } from '#server/protocol/notebooks/joined-cells.ts';
import { CELL_LANGUAGES, NOTEBOOK_TYPE } from '#server/protocol/notebooks/notebook-blocks.ts';
import type { WireRange } from '#server/protocol/runs.ts';

/** The notebook that is open at an address. */
export function notebookAt(uri: Uri): NotebookDocument | undefined {
    const text = uri.toString();
    return workspace.notebookDocuments.find(notebook => notebook.notebookType === NOTEBOOK_TYPE && notebook.uri.toString() === text);
}

/** The address of the program to which a document belongs: of a cell, that of its notebook. */
export function programOf({ uri }: Pick<TextDocument, 'uri'>): Uri {
    if (uri.scheme !== 'vscode-notebook-cell') return uri;
    const text = uri.toString();
    const isOwn = ({ document }: NotebookCell): boolean => document.uri.toString() === text;
    return workspace.notebookDocuments.find(notebook => notebook.getCells().some(isOwn))?.uri ?? uri;
}

/** The cells that are the program of a notebook, in its order. */
export function programCells(notebook: NotebookDocument): readonly NotebookCell[] {
    return notebook
        .getCells()
        .filter(({ kind, document }) => kind === NotebookCellKind.Code && CELL_LANGUAGES.includes(document.languageId));
}

/** The text of the program that its cells are together. */
export function notebookText(notebook: NotebookDocument): string {
    return joined(notebook).text;
}

/** The cell in which a place of the program of a notebook is, and the place there. */
export function placeInCell(
    notebook: NotebookDocument,
    { start, end }: WireRange,
): { readonly cell: NotebookCell; readonly range: WireRange } | undefined {
    const { cells } = joined(notebook);
    const index = cellAt(cells, start.line);
    const cell = index === undefined ? undefined : programCells(notebook)[index];
    const { first, count } = cells[index ?? -1] ?? ({ first: 0, count: 0 } satisfies CellLines);
    if (cell === undefined) return undefined;
    const last = Math.max(0, count - 1);
    return {
        cell,
        range: {
            start: { ...start, line: Math.min(start.line - first, last) },
            end: { ...end, line: Math.min(end.line - first, last) },
        },
    };
}

function joined(notebook: NotebookDocument): ReturnType<typeof joinedCells> {
    return joinedCells(programCells(notebook).map(({ document }) => ({ language: document.languageId, text: document.getText() })));
}
