import type {
    DidChangeNotebookDocumentParams,
    DidCloseNotebookDocumentParams,
    DidOpenNotebookDocumentParams,
    Message,
    TextDocumentContentChangeEvent,
    TextDocumentItem,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type CellLines, joinedCell, joinedCells } from '#server/protocol/notebooks/joined-cells.ts';
import { type Encoding, textPositions } from '#server/workspace/text-positions.ts';

/** A cell that the editor holds, and its lines in the program of its notebook. */
export interface OpenCell extends CellLines {
    readonly uri: string;
    readonly notebook: string;
    readonly language: string;
    readonly version: number;
    /** The characters of its last line. */
    readonly lastLength: number;
}

/** The notebooks that the editor holds. Their events become events of the texts of their programs for the rest of the server. */
export interface OpenNotebooks {
    open(params: DidOpenNotebookDocumentParams): Message[];
    change(params: DidChangeNotebookDocumentParams): Message[];
    close(params: DidCloseNotebookDocumentParams): Message[];
    /** Whether any notebook is open. */
    readonly isAny: boolean;
    cell(uri: string): OpenCell | undefined;
    /** The cells of a notebook, in their order; undefined if the notebook is not open. */
    cells(notebook: string): readonly OpenCell[] | undefined;
}

interface Notebook {
    version: number;
    /** The addresses of its cells; some may have no text of a program. */
    order: string[];
    cells: readonly OpenCell[];
}

export function openNotebooks(encoding: () => Encoding): OpenNotebooks {
    const notebooks = new Map<string, Notebook>();
    const texts = new Map<string, TextDocument>();
    const places = new Map<string, OpenCell>();
    const hold = ({ uri, languageId, version, text }: TextDocumentItem): void => {
        texts.set(uri, TextDocument.create(uri, languageId, version, text));
    };
    const textsOf = ({ order }: Notebook): readonly TextDocument[] => order.flatMap(uri => texts.get(uri) ?? []);
    /** Finds out where the cells of a notebook are now. */
    const place = (uri: string, notebook: Notebook): void => {
        let first = 0;
        notebook.cells = textsOf(notebook).map((text): OpenCell => {
            const { lineCount: count, version, languageId: language } = text;
            const lastLength = textPositions(text, encoding()).positionAt(text.getText().length).character;
            const cell = { uri: text.uri, notebook: uri, language, version, lastLength, first, count };
            first += count + 1;
            places.set(cell.uri, cell);
            return cell;
        });
    };
    const changed = (uri: string, notebook: Notebook, contentChanges: TextDocumentContentChangeEvent[]): Message =>
        notification('textDocument/didChange', { textDocument: { uri, version: ++notebook.version }, contentChanges });
    const whole = (notebook: Notebook): string =>
        joinedCells(textsOf(notebook).map(text => ({ language: text.languageId, text: text.getText() }))).text;

    return {
        open({ notebookDocument: { uri, cells }, cellTextDocuments }) {
            const notebook: Notebook = { version: 0, order: cells.map(({ document }) => document), cells: [] };
            notebooks.set(uri, notebook);
            cellTextDocuments.forEach(hold);
            place(uri, notebook);
            const textDocument = { uri, languageId: 'rulelang', version: 0, text: whole(notebook) };
            return [notification('textDocument/didOpen', { textDocument })];
        },
        change({ notebookDocument: { uri }, change: { cells } }) {
            const notebook = notebooks.get(uri);
            if (notebook === undefined || cells === undefined) return [];
            const { structure, textContent = [] } = cells;
            const messages: Message[] = [];
            if (structure !== undefined) {
                const { array, didOpen = [], didClose = [] } = structure;
                notebook.order.splice(array.start, array.deleteCount, ...(array.cells ?? []).map(({ document }) => document));
                for (const closed of didClose) {
                    texts.delete(closed.uri);
                    places.delete(closed.uri);
                }
                didOpen.forEach(hold);
            }
            for (const { document, changes } of textContent) {
                const text = texts.get(document.uri);
                const cell = places.get(document.uri);
                if (text === undefined) continue;
                const edits = changes.flatMap(change => edited(text, document.version, change, cell, encoding()) ?? []);
                if (structure === undefined && edits.length > 0) messages.push(changed(uri, notebook, edits));
                place(uri, notebook);
            }
            if (structure === undefined) return messages;
            place(uri, notebook);
            return [changed(uri, notebook, [{ text: whole(notebook) }])];
        },
        close({ notebookDocument: { uri }, cellTextDocuments }) {
            if (!notebooks.delete(uri)) return [];
            for (const cell of cellTextDocuments) {
                texts.delete(cell.uri);
                places.delete(cell.uri);
            }
            return [notification('textDocument/didClose', { textDocument: { uri } })];
        },
        get isAny() {
            return notebooks.size > 0;
        },
        cell: uri => places.get(uri),
        cells: notebook => notebooks.get(notebook)?.cells,
    };
}

/** Changes the text of a cell, and gives the same change of the program; a query is written anew, since it is another text there. */
function edited(
    text: TextDocument,
    version: number,
    change: TextDocumentContentChangeEvent,
    cell: OpenCell | undefined,
    encoding: Encoding,
): TextDocumentContentChangeEvent | undefined {
    const before = text.lineCount;
    if ('range' in change) {
        const positions = textPositions(text, encoding);
        const [start, end] = [positions.offsetAt(change.range.start), positions.offsetAt(change.range.end)];
        TextDocument.update(text, [{ text: change.text, range: { start: text.positionAt(start), end: text.positionAt(end) } }], version);
    } else TextDocument.update(text, [change], version);
    if (cell === undefined) return undefined;
    const at = (line: number): { line: number; character: number } => ({ line: cell.first + line, character: 0 });
    if ('range' in change && cell.language === 'rulelang') {
        const { start, end } = change.range;
        const range = { start: { ...start, line: cell.first + start.line }, end: { ...end, line: cell.first + end.line } };
        return { range, text: change.text };
    }
    const lines = joinedCell({ language: cell.language, text: text.getText() });
    return { range: { start: at(0), end: at(before + 1) }, text: lines.map(line => `${line}\n`).join('') };
}

function notification(method: string, params: object): Message {
    return { jsonrpc: '2.0', method, params } as Message;
}
