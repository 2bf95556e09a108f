import type { CancellationToken, Position } from 'vscode-languageserver/node';
import type { EditorDocument } from '#server/workspace/documents.ts';
import type { LanguageServer } from './language-server.ts';

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
    return guard.request(method, (params: P) => {
        const document = documents.get(params.textDocument.uri);
        return (document && answer(document, params)) ?? null;
    });
}

/** Answers a request about a place in a document. */
export function aboutPlace<P extends DocumentParams & { readonly position: Position }, R>(
    server: Pick<LanguageServer, 'documents' | 'guard'>,
    method: string,
    answer: (document: EditorDocument, offset: number, params: P) => R | undefined,
): Answer<P, R> {
    return aboutDocument(server, method, (document, params: P) => answer(document, document.offsetAt(params.position), params));
}
