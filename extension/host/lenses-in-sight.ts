import { type Disposable, type TextDocument, window } from 'vscode';
import type { BaseLanguageClient, Middleware } from 'vscode-languageclient/node';
import { lensPart } from './lens-part.ts';

const METHOD = 'textDocument/codeLens';

/** Asks for the lenses of the part of a long text that is in sight, and for those of another when it is scrolled there. */
export interface LensesInSight {
    readonly middleware: Middleware;
    follow(client: BaseLanguageClient): Disposable;
}

export function lensesInSight(): LensesInSight {
    /** The parts that were asked for last. */
    const asked = new WeakMap<TextDocument, string>();
    const rangeIn = (uri: string): object | undefined => {
        const editors = window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri);
        const document = editors[0]?.document;
        if (document === undefined) return undefined;
        const part = lensPart(
            document.lineCount,
            editors.flatMap(({ visibleRanges }) => visibleRanges),
        );
        if (part === undefined) return undefined;
        asked.set(document, `${part.from}-${part.to}`);
        return { start: { line: part.from, character: 0 }, end: { line: part.to, character: 0 } };
    };
    return {
        middleware: {
            sendRequest(type, params, token, next) {
                if ((typeof type === 'string' ? type : type.method) !== METHOD) return next(type, params, token);
                const range = rangeIn((params as { readonly textDocument: { readonly uri: string } }).textDocument.uri);
                return next(type, range === undefined ? params : Object.assign({}, params, { range }), token);
            },
        },
        follow: client =>
            window.onDidChangeTextEditorVisibleRanges(({ textEditor: { document } }) => {
                const before = asked.get(document);
                if (before === undefined) return;
                rangeIn(document.uri.toString());
                if (asked.get(document) !== before) client.getFeature(METHOD).getProvider(document)?.onDidChangeCodeLensEmitter.fire();
            }),
    };
}
