import type { LanguageClient, Message } from './language-client.ts';

export interface SentCell {
    readonly language: string;
    readonly text: string;
}

interface HeldCell {
    readonly uri: string;
    readonly language: string;
    version: number;
    text: string;
}

/** A notebook in a client that sends its cells, as editors with notebooks do. */
export class NotebookClient {
    readonly client: LanguageClient;
    readonly uri: string;
    readonly cells: HeldCell[] = [];
    #version = 1;
    #made = 0;

    constructor(client: LanguageClient, name: string) {
        this.client = client;
        this.uri = client.uri(name);
    }

    open(cells: readonly SentCell[]): void {
        this.cells.push(...cells.map(cell => this.#held(cell)));
        this.client.notify('notebookDocument/didOpen', {
            notebookDocument: { uri: this.uri, notebookType: 'rulelang-notebook', version: this.#version, cells: this.cells.map(wire) },
            cellTextDocuments: this.cells.map(item),
        });
    }

    /** Puts other cells in the place of some. */
    splice(start: number, deleteCount: number, ...cells: readonly SentCell[]): void {
        const made = cells.map(cell => this.#held(cell));
        const gone = this.cells.splice(start, deleteCount, ...made);
        const array = { start, deleteCount, cells: made.map(wire) };
        this.#changed({ structure: { array, didOpen: made.map(item), didClose: gone.map(({ uri }) => ({ uri })) } });
    }

    /** Replaces a part of the text of a cell, given by offsets. */
    edit(index: number, start: number, end: number, text: string): void {
        const cell = this.cell(index);
        const range = { start: positionAt(cell.text, start), end: positionAt(cell.text, end) };
        cell.text = cell.text.slice(0, start) + text + cell.text.slice(end);
        cell.version++;
        this.#changed({ textContent: [{ document: { uri: cell.uri, version: cell.version }, changes: [{ range, text }] }] });
    }

    close(): void {
        this.client.notify('notebookDocument/didClose', {
            notebookDocument: { uri: this.uri },
            cellTextDocuments: this.cells.map(({ uri }) => ({ uri })),
        });
    }

    cell(index: number): HeldCell {
        const cell = this.cells[index];
        if (cell === undefined) throw new Error(`There is no cell ${index}`);
        return cell;
    }

    /** Asks about the n-th place of a text in a cell. */
    at(method: string, index: number, text: string, more: object = {}, nth = 0): Promise<Message['result']> {
        const { uri, text: whole } = this.cell(index);
        let offset = whole.indexOf(text);
        for (let i = 0; i < nth; i++) offset = whole.indexOf(text, offset + 1);
        return this.client.request(`textDocument/${method}`, { textDocument: { uri }, position: positionAt(whole, offset), ...more });
    }

    about(method: string, index: number, more: object = {}): Promise<Message['result']> {
        return this.client.request(`textDocument/${method}`, { textDocument: { uri: this.cell(index).uri }, ...more });
    }

    /** What a range of a cell holds. */
    textIn(uri: string, { start, end }: { start: Position; end: Position }): string {
        const text = this.cells.find(cell => cell.uri === uri)?.text ?? '';
        return text.slice(offsetAt(text, start), offsetAt(text, end));
    }

    /** The number of the cell, and what the range holds. */
    shown({ uri, range }: { uri: string; range: { start: Position; end: Position } }): string {
        return `${this.cells.findIndex(cell => cell.uri === uri)}: ${this.textIn(uri, range)}`;
    }

    #held({ language, text }: SentCell): HeldCell {
        return { uri: `vscode-notebook-cell:${new URL(this.uri).pathname}#c${++this.#made}`, language, version: 1, text };
    }

    #changed(cells: object): void {
        this.client.notify('notebookDocument/didChange', {
            notebookDocument: { uri: this.uri, version: ++this.#version },
            change: { cells },
        });
    }
}

interface Position {
    readonly line: number;
    readonly character: number;
}

function wire({ uri }: HeldCell): object {
    return { kind: 2, document: uri };
}

function item({ uri, language, version, text }: HeldCell): object {
    return { uri, languageId: language, version, text };
}

function positionAt(text: string, offset: number): Position {
    const before = text.slice(0, offset).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

function offsetAt(text: string, { line, character }: Position): number {
    const lines = text.split('\n');
    return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
}
