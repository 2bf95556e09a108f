import { type Disposable, Uri, window, workspace } from 'vscode';

const SCHEME = 'rulelang-request';

interface SentMessage {
    readonly role: string;
    readonly text: string;
}

/** The last request to a model, kept for the user to read as long as the window is open. */
export interface SentRequest {
    note(model: string, messages: readonly SentMessage[]): void;
    /** Shows it as text; false where nothing was sent. */
    show(): Promise<boolean>;
}

export function createSentRequest(subscriptions: Disposable[]): SentRequest {
    let text: string | undefined;
    let count = 0;
    subscriptions.push(workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: () => text ?? '' }));
    return {
        note(model, messages) {
            text = [model, ...messages.map(one => `--- ${one.role} ---\n${one.text}`)].join('\n\n');
        },
        async show() {
            if (text === undefined) return false;
            const uri = Uri.from({ scheme: SCHEME, path: '/request.txt', query: `${++count}` });
            await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
            return true;
        },
    };
}
