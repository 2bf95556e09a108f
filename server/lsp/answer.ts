import { type CancellationToken, LSPErrorCodes, type Position, ResponseError } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import type { LanguageServer } from './language-server.ts';
import { upToDate } from './turns.ts';

interface DocumentParams {
    readonly textDocument: { readonly uri: string };
}

type Answer<P, R> = (params: P, token?: CancellationToken) => Promise<R | null>;

/**
 * Answers a request about a document; nothing for one that is not open. Where the answer comes upon files that are gone or others than they
 * were read, it is found again once they are read.
 */
export function aboutDocument<P extends DocumentParams, R>(
    { documents, guard, reading }: Pick<LanguageServer, 'documents' | 'guard' | 'reading'>,
    method: string,
    answer: (document: EditorDocument, params: P) => R | undefined,
): Answer<P, R> {
    const answerNow = (params: P, token?: CancellationToken): R | null | Promise<R | null> => {
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
    };
    return guard.request(method, async (params: P, token?: CancellationToken) => {
        const { noticed } = documents.index;
        const answered = await answerNow(params, token);
        if (documents.index.noticed === noticed) return answered;
        await reading.settled();
        return answerNow(params, token);
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
    server: Pick<LanguageServer, 'documents' | 'guard' | 'reading'>,
    method: string,
    answer: (document: EditorDocument, offset: number, params: P) => R | undefined,
): Answer<P, R> {
    return aboutDocument(server, method, (document, params: P) => answer(document, document.offsetAt(params.position), params));
}
