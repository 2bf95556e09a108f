import { type CancellationToken, LSPErrorCodes, type Position, ResponseError } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import type { LanguageServer } from './language-server.ts';
import { upToDate } from './turns.ts';

interface DocumentParams {
    readonly textDocument: { readonly uri: string };
}

type Answer<P, R> = (params: P, token?: CancellationToken) => Promise<R | null>;

/** Answers a request about a document; nothing for one that is not open. */
export function aboutDocument<P extends DocumentParams, R>(
    { documents, guard }: Pick<LanguageServer, 'documents' | 'guard'>,
    method: string,
    answer: (document: EditorDocument, params: P) => R | undefined,
): Answer<P, R> {
    return guard.request(method, (params: P, token?: CancellationToken) => {
        const { uri } = params.textDocument;
        const document = documents.get(uri);
        if (document === undefined) return null;
        const { version } = document;
        const rest = upToDate(document, () => token?.isCancellationRequested === true || documents.get(uri) !== document);
        if (rest === undefined) return answer(document, params) ?? null;
        return rest.then(() => {
            if (document.version !== version) throw new ResponseError(LSPErrorCodes.ContentModified, say`The text has changed since`);
            return answer(document, params) ?? null;
        });
    });
}

/** Answers a request about a place that speaks of every file of the workspace, once all of them are read. */
export function acrossFiles<P extends DocumentParams & { readonly position: Position }, R>(
    server: Pick<LanguageServer, 'documents' | 'guard' | 'reading'>,
    method: string,
    answer: (document: EditorDocument, offset: number, params: P) => R | undefined,
): Answer<P, R> {
    const answered = aboutPlace(server, method, answer);
    return async (params, token) => {
        await server.reading.named();
        return answered(params, token);
    };
}

/** Answers a request about a place in a document. */
export function aboutPlace<P extends DocumentParams & { readonly position: Position }, R>(
    server: Pick<LanguageServer, 'documents' | 'guard'>,
    method: string,
    answer: (document: EditorDocument, offset: number, params: P) => R | undefined,
): Answer<P, R> {
    return aboutDocument(server, method, (document, params: P) => answer(document, document.offsetAt(params.position), params));
}
