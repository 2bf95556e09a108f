import { type CancellationToken, commands, LanguageModelChatMessage, l10n, lm, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { editorConversation } from './editor-conversation.ts';
import type { SentRequest } from './sent-request.ts';
import type { Conversation } from './write-rules.ts';

/** The model that is asked. */
export interface ChosenModel {
    readonly name: string;
    /** Begins a conversation with these instructions. `justification` explains its purpose to the user. */
    begin(system: string, justification: string, token: CancellationToken): Conversation;
}

/** A model of the editor, else the one that is configured on this machine; or why there is neither. */
export async function chosenModel(server: Server, sent: SentRequest): Promise<ChosenModel | { readonly reason: string }> {
    const [model] = hasEditorModels() ? await lm.selectChatModels() : [];
    if (model !== undefined) {
        const { name } = model;
        const begin: ChosenModel['begin'] = (system, justification, token) =>
            editorConversation({ model, messages: [LanguageModelChatMessage.User(system)], token, sent, justification });
        return { name, begin };
    }
    const found = await server.ask('rulelang/configuredModel', { dataDirectory: readSetting('platform.dataDir') });
    if (found.kind === 'none') return found;
    const { name, provider, address } = found;
    return { name, begin: (system, _, token) => machineConversation(server, `${name} (${provider}, ${address})`, system, token, sent) };
}

/** Other hosts than VS Code may have no language models. */
function hasEditorModels(): boolean {
    return typeof lm?.selectChatModels === 'function';
}

export function noModelText(reason: string): string {
    return l10n.t(
        'The editor has no language model: install an extension that brings one, such as GitHub Copilot, and sign in. Nor is one configured on this machine: {0}',
        reason,
    );
}

export async function tellNoModel(reason: string): Promise<void> {
    const search = l10n.t('Find extensions');
    const configure = l10n.t('Configure a model');
    const chosen = await window.showInformationMessage(noModelText(reason), configure, search);
    if (chosen === configure) await commands.executeCommand('rulelang.configureModel');
    if (chosen === search) await commands.executeCommand('workbench.extensions.search', '@category:"AI" @category:"Chat"');
}

interface Said {
    readonly role: 'user' | 'assistant';
    readonly text: string;
}

/** It calls no tools. */
function machineConversation(server: Server, model: string, system: string, token: CancellationToken, sent: SentRequest): Conversation {
    const messages: Said[] = [];
    return {
        async say(words) {
            messages.push({ role: 'user', text: words });
            sent.note(model, [{ role: 'system', text: system }, ...messages]);
            const dataDirectory = readSetting('platform.dataDir');
            const answer = await server.ask('rulelang/askModel', { system, messages, dataDirectory }, token);
            if (answer.kind === 'none') throw new Error(noModelText(answer.reason));
            messages.push({ role: 'assistant', text: answer.text });
            return answer.text;
        },
    };
}
