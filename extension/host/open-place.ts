import {
    type NotebookCell,
    NotebookEditorRevealType,
    NotebookRange,
    Range,
    Selection,
    type TextEditor,
    TextEditorRevealType,
    ThemeColor,
    Uri,
    ViewColumn,
    window,
} from 'vscode';
import type { WireRange } from '#server/protocol/runs.ts';
import { notebookAt, placeInCell } from './notebook-cells.ts';

const HIGHLIGHT = window.createTextEditorDecorationType({
    backgroundColor: new ThemeColor('editor.rangeHighlightBackground'),
    isWholeLine: true,
});

/** Times that a cell is opened, and the milliseconds in between. */
const TRIALS = 10;
const PAUSE = 100;

/** Opens a place in the editor group that shows its file, or the program, so that the results stay in sight. */
export async function openPlace(uri: Uri, range: WireRange, program: Uri): Promise<void> {
    const notebook = notebookAt(uri);
    const inCell = notebook && placeInCell(notebook, range);
    if (inCell !== undefined) return openPlaceInCell(inCell.cell, inCell.range);
    const column = columnOf(uri) ?? columnOf(program) ?? ViewColumn.One;
    const place = new Range(range.start.line, range.start.character, range.end.line, range.end.character);
    const editor = await window.showTextDocument(uri, { viewColumn: column, preview: true });
    editor.selection = new Selection(place.start, place.start);
    editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
    highlight(editor, place);
}

/** The same in a cell of a notebook, which is brought in sight: the editor has no text editor for others. */
export async function openPlaceInCell({ notebook, document, index }: NotebookCell, range: WireRange): Promise<void> {
    const seen = window.visibleNotebookEditors.find(editor => editor.notebook === notebook)?.viewColumn;
    const cells = new NotebookRange(index, index + 1);
    const editor = await window.showNotebookDocument(notebook, { selections: [cells], ...(seen !== undefined && { viewColumn: seen }) });
    editor.revealRange(cells, NotebookEditorRevealType.InCenterIfOutsideViewport);
    for (let tried = 0; tried < TRIALS; tried++) {
        try {
            return await openPlace(document.uri, range, document.uri);
        } catch {
            // It takes a moment until the cell is drawn.
            await new Promise(resolve => setTimeout(resolve, PAUSE));
        }
    }
}

/** The column in which a file is seen. */
export function columnOf(uri: Uri): ViewColumn | undefined {
    return window.visibleTextEditors.find(editor => editor.document.uri.toString() === uri.toString())?.viewColumn;
}

/** Until the cursor moves. */
function highlight(editor: TextEditor, place: Range): void {
    editor.setDecorations(HIGHLIGHT, [place]);
    const { active } = editor.selection;
    const listener = window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        if (textEditor.document !== editor.document || selections[0]?.active.isEqual(active)) return;
        textEditor.setDecorations(HIGHLIGHT, []);
        listener.dispose();
    });
}

export function parseUri(text: string): Uri {
    return Uri.parse(text, true);
}
