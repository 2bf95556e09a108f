import { Range, Selection, type TextEditor, TextEditorRevealType, ThemeColor, Uri, ViewColumn, window } from 'vscode';
import type { WireRange } from '#server/protocol/runs.ts';

const HIGHLIGHT = window.createTextEditorDecorationType({
    backgroundColor: new ThemeColor('editor.rangeHighlightBackground'),
    isWholeLine: true,
});

/** Opens a place in the editor group that shows its file, or the program, so that the results stay in sight. */
export async function openPlace(uri: Uri, range: WireRange, program: Uri): Promise<void> {
    const column = columnOf(uri) ?? columnOf(program) ?? ViewColumn.One;
    const place = new Range(range.start.line, range.start.character, range.end.line, range.end.character);
    const editor = await window.showTextDocument(uri, { viewColumn: column, preview: true });
    editor.selection = new Selection(place.start, place.start);
    editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
    highlight(editor, place);
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
