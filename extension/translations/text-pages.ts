import { type Disposable, Uri, workspace } from 'vscode';

/** Texts to be read beside others, of a scheme of their own. */
export interface TextPages {
    /** The last part of the path is what the tab is called. */
    add(path: string, text: string): Uri;
}

/** The texts of documents that are closed are forgotten. */
export function createTextPages(scheme: string, subscriptions: Disposable[]): TextPages {
    const texts = new Map<string, string>();
    let count = 0;
    subscriptions.push(
        workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: ({ query }) => texts.get(query) ?? '' }),
        workspace.onDidCloseTextDocument(({ uri }) => uri.scheme === scheme && texts.delete(uri.query)),
    );
    return {
        add(path, text) {
            const query = `${++count}`;
            texts.set(query, text);
            return Uri.from({ scheme, path, query });
        },
    };
}
