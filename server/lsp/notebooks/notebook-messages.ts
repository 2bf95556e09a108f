import type {
    Message,
    MessageReader,
    MessageWriter,
    NotificationMessage,
    RequestMessage,
    ResponseMessage,
    TextEdit,
} from 'vscode-languageserver/node';
import type { Encoding } from '#server/workspace/text-positions.ts';
import { cellEdit, isMembers, ofCell, toCells, toProgram } from './cell-places.ts';
import { diagnosticRefresh } from './diagnostic-refresh.ts';
import { notebookTexts } from './notebook-texts.ts';
import { type OpenCell, type OpenNotebooks, openNotebooks } from './open-notebooks.ts';
import { tokensOfCell } from './tokens-of-cell.ts';

/** Requests about parts of a notebook's program, in the place of a client's requests about a cell. */
const REQUESTS_OF_PARTS: ReadonlyMap<string, string> = new Map([
    ['textDocument/semanticTokens/full', 'textDocument/semanticTokens/range'],
    ['textDocument/semanticTokens/full/delta', 'textDocument/semanticTokens/range'],
    ['textDocument/formatting', 'textDocument/rangeFormatting'],
]);
const FORMATTING: ReadonlySet<string> = new Set([
    'textDocument/formatting',
    'textDocument/rangeFormatting',
    'textDocument/onTypeFormatting',
]);

/** Between a client, which speaks of cells, and a server, which knows the program of a notebook as one text. */
export interface NotebookMessages {
    /** Translates a message of the client for the server. */
    incoming(message: Message): Message[];
    /** Translates a message of the server for the client. */
    outgoing(message: Message): Message[];
}

export function withNotebooks(
    reader: MessageReader,
    writer: MessageWriter,
): { readonly reader: MessageReader; readonly writer: MessageWriter } {
    const messages = notebookMessages();
    return {
        reader: {
            onError: reader.onError,
            onClose: reader.onClose,
            onPartialMessage: reader.onPartialMessage,
            listen: callback =>
                reader.listen(message => {
                    for (const told of messages.incoming(message)) callback(told);
                }),
            dispose: () => reader.dispose(),
        },
        writer: {
            onError: writer.onError,
            onClose: writer.onClose,
            write: async message => {
                for (const told of messages.outgoing(message)) await writer.write(told);
            },
            end: () => writer.end(),
            dispose: () => writer.dispose(),
        },
    };
}

interface Asked {
    readonly method: string;
    /** The address of the cell that it is about. */
    readonly cell: string | undefined;
}

function notebookMessages(): NotebookMessages {
    let encoding: Encoding = 'utf-16';
    const notebooks = openNotebooks(() => encoding);
    const texts = notebookTexts(() => encoding);
    const asked = new Map<number | string, Asked>();
    const refresh = diagnosticRefresh(notebooks);

    const request = (message: RequestMessage): Message => {
        const { id, method, params } = message;
        const uri = documentOf(params);
        const cell = uri === undefined ? undefined : notebooks.cell(uri);
        if (id !== null) asked.set(id, { method, cell: cell?.uri ?? (uri !== undefined && texts.has(uri) ? uri : undefined) });
        const told = toProgram(params, notebooks) as RequestMessage['params'];
        const part = REQUESTS_OF_PARTS.get(method);
        if (cell === undefined || part === undefined || !isMembers(told)) return { ...message, params: told } as Message;
        return { ...message, method: part, params: { ...told, range: linesOf(cell) } } as Message;
    };
    const response = (message: ResponseMessage): Message[] => {
        const { id, result } = message;
        const about = id === null ? undefined : asked.get(id);
        if (id === null || about === undefined || message.error !== undefined) return [message];
        asked.delete(id);
        if (about.method === 'initialize') encoding = encodingOf(result) ?? encoding;
        const answered = (told: unknown): Message => ({ ...message, result: told }) as Message;
        if (about.cell === undefined) return [answered(toCells(result, notebooks))];
        const cell = notebooks.cell(about.cell);
        // The text of a notebook is not laid out as its program is, and a cell that has gone has no places.
        if (cell === undefined) return [texts.has(about.cell) && !FORMATTING.has(about.method) ? message : answered(null)];
        const told = answered(resultOf(result, about.method, cell, notebooks));
        return about.method === 'textDocument/diagnostic' ? [told, ...refresh.told(cell, result)] : [told];
    };

    return {
        incoming(message) {
            if (!('method' in message)) return refresh.isAnswered(message as ResponseMessage) ? [] : [message];
            const { method, params } = message as NotificationMessage;
            if (method === 'initialize') refresh.begin(params);
            switch (method) {
                case 'notebookDocument/didOpen':
                    return notebooks.open(params as never);
                case 'notebookDocument/didChange':
                    return notebooks.change(params as never);
                case 'notebookDocument/didClose':
                    return notebooks.close(params as never);
                case 'textDocument/didOpen':
                case 'textDocument/didChange':
                case 'textDocument/didClose':
                    return [texts.heard(message as NotificationMessage)];
                default:
                    if ('id' in message) return [request(message as RequestMessage)];
                    return [{ ...message, params: toProgram(params, notebooks) } as Message];
            }
        },
        outgoing(message) {
            if (!('method' in message)) return response(message as ResponseMessage);
            const { method, params } = message as NotificationMessage;
            if (method === 'textDocument/publishDiagnostics') return published(message, params, notebooks);
            return [{ ...message, params: toCells(params, notebooks) } as Message];
        },
    };
}

/** The diagnostics of a program, cell by cell. */
function published(message: Message, params: unknown, notebooks: OpenNotebooks): Message[] {
    const { uri, diagnostics } = (params ?? {}) as { readonly uri?: unknown; readonly diagnostics?: unknown };
    const cells = typeof uri === 'string' ? notebooks.cells(uri) : undefined;
    if (cells === undefined) return [message];
    return cells.map(cell => {
        const own = { uri: cell.uri, version: cell.version, diagnostics: toCells(diagnostics, notebooks, cell) };
        return { ...message, params: own } as Message;
    });
}

function resultOf(result: unknown, method: string, cell: OpenCell, notebooks: OpenNotebooks): unknown {
    if (method.startsWith('textDocument/semanticTokens/')) return tokensOfCell(result, cell);
    if (FORMATTING.has(method)) {
        // A query is laid out as its author likes it.
        if (cell.language !== 'rulelang' || !Array.isArray(result)) return null;
        const isOwn = ({ range }: TextEdit): boolean => range.start.line >= cell.first && range.end.line <= cell.first + cell.count;
        return result.filter(isOwn).map(edit => cellEdit(edit, cell));
    }
    if (method === 'textDocument/diagnostic' && isMembers(result)) return { ...result, ...ofCell(result, notebooks, cell) };
    return toCells(result, notebooks, cell);
}

/** The document that a request is about. */
function documentOf(params: unknown): string | undefined {
    if (!isMembers(params)) return undefined;
    const { uri, textDocument, item } = params;
    if (typeof uri === 'string') return uri;
    return documentOf(textDocument ?? item);
}

function encodingOf(result: unknown): Encoding | undefined {
    const capabilities = isMembers(result) ? result.capabilities : undefined;
    return isMembers(capabilities) ? (capabilities.positionEncoding as Encoding | undefined) : undefined;
}

function linesOf({ first, count }: OpenCell): object {
    return { start: { line: first, character: 0 }, end: { line: first + count, character: 0 } };
}
