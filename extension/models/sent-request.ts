import {
    type Disposable,
    type LanguageModelChat,
    type LanguageModelChatMessage,
    LanguageModelChatMessageRole,
    LanguageModelTextPart,
    Uri,
    window,
    workspace,
} from 'vscode';

const SCHEME = 'rulelang-request';

/** What a model was sent last, kept for the user to read as long as the window is open. */
export interface SentRequest {
    note(model: LanguageModelChat, messages: readonly LanguageModelChatMessage[]): void;
    /** Shows it as text; false where nothing was sent. */
    show(): Promise<boolean>;
}

export function createSentRequest(subscriptions: Disposable[]): SentRequest {
    let text: string | undefined;
    let count = 0;
    subscriptions.push(workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: () => text ?? '' }));
    return {
        note(model, messages) {
            text = [`${model.name} (${model.vendor}, ${model.id})`, ...messages.map(messageText)].join('\n\n');
        },
        async show() {
            if (text === undefined) return false;
            const uri = Uri.from({ scheme: SCHEME, path: '/request.txt', query: `${++count}` });
            await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
            return true;
        },
    };
}

function messageText({ role, content }: LanguageModelChatMessage): string {
    const parts = content.map(part => (part instanceof LanguageModelTextPart ? part.value : JSON.stringify(part, undefined, 4)));
    return `--- ${LanguageModelChatMessageRole[role]} ---\n${parts.join('\n')}`;
}
