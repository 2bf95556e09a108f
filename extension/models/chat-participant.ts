import {
    type CancellationToken,
    type ChatContext,
    type ChatRequest,
    ChatRequestTurn,
    ChatResponseMarkdownPart,
    type ChatResponseStream,
    type ChatResponseTurn,
    chat,
    commands,
    type ExtensionContext,
    LanguageModelChatMessage,
    l10n,
    type TextDocument,
    Uri,
    WorkspaceEdit,
    window,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { userAgrees } from './agreement.ts';
import { editorConversation } from './editor-conversation.ts';
import { checkIn, instructionsFor } from './program-of-rules.ts';
import type { SentRequest } from './sent-request.ts';
import { checkedAnswer, withSections } from './write-rules.ts';

const PARTICIPANT = 'rulelang.chat';
const INSERT_RULES = 'rulelang.insertRules';
/** Earlier turns that a model is reminded of. */
const TURNS = 6;

/** Answers as `@rulelang` in the chat of the editor, where it has one. */
export function createChatParticipant(context: ExtensionContext, server: Server, sent: SentRequest): void {
    if (typeof chat?.createChatParticipant !== 'function') return;
    const participant = chat.createChatParticipant(PARTICIPANT, async (request, { history }, stream, token) => {
        if (!workspace.isTrusted) {
            stream.markdown(l10n.t('Language models are asked only in a workspace that you trust.'));
            return;
        }
        const sections = await documentation(server, request.prompt, token);
        if (request.command === 'docs') {
            stream.markdown(safe(sections));
            return;
        }
        if (!(await userAgrees(context))) {
            stream.markdown(l10n.t('Nothing was sent. These sections of the documentation may help:'));
            stream.markdown(`\n\n${safe(sections)}`);
            return;
        }
        await answer({ request, history, stream, token, sections });
    });
    context.subscriptions.push(participant, commands.registerCommand(INSERT_RULES, insertRules));

    async function answer(turn: Turn): Promise<void> {
        const { request, history, stream, token, sections } = turn;
        const document = programInView();
        const line = document?.lineCount ?? 0;
        const messages = [
            LanguageModelChatMessage.User(await instructionsFor(server, document, token)),
            LanguageModelChatMessage.User(withSections(sections)),
            ...history.slice(-TURNS).map(earlier),
        ];
        const asked = { samples: readSetting('model.samples'), token: request.toolInvocationToken };
        const conversation = editorConversation({ model: request.model, messages, token, sent, chat: asked });
        stream.progress(l10n.t('Writing and checking'));
        const { words, rules, problems } = await checkedAnswer(conversation, request.prompt, checkIn(server, document, line, token));
        if (problems !== undefined) {
            if (words !== '') stream.markdown(`${safe(words)}\n\n`);
            stream.markdown(l10n.t('The model wrote rules with errors, and could not correct them:'));
            stream.markdown(`\n\n\`\`\`\`text\n${problems}\n\`\`\`\`\n`);
            return;
        }
        if (rules === undefined) {
            stream.markdown(safe(words));
            return;
        }
        stream.markdown(`${safe(words)}\n\n\`\`\`\`rulelang\n${rules}\n\`\`\`\`\n`);
        if (document !== undefined)
            stream.button({ command: INSERT_RULES, title: l10n.t('Insert'), arguments: [document.uri.toString(), rules] });
    }
}

interface Turn {
    readonly request: ChatRequest;
    readonly history: ChatContext['history'];
    readonly stream: ChatResponseStream;
    readonly token: CancellationToken;
    readonly sections: string;
}

async function documentation(server: Server, question: string, token: CancellationToken): Promise<string> {
    return (await server.ask('rulelang/callTool', { name: 'search_docs', input: { question } }, token)).text;
}

function programInView(): TextDocument | undefined {
    const { document } = window.activeTextEditor ?? {};
    return document?.languageId === 'rulelang' ? document : undefined;
}

function earlier(turn: ChatRequestTurn | ChatResponseTurn): LanguageModelChatMessage {
    if (turn instanceof ChatRequestTurn) return LanguageModelChatMessage.User(turn.prompt);
    const said = turn.response.map(part => (part instanceof ChatResponseMarkdownPart ? part.value.value : ''));
    return LanguageModelChatMessage.Assistant(said.join(''));
}

/** Nothing that a model wrote is fetched when it is shown. */
function safe(markdown: string): string {
    return markdown.replaceAll('![', '\\![');
}

/** Puts rules at the end of a program. Arguments come from outside. */
async function insertRules(uri: unknown, rules: unknown): Promise<void> {
    if (typeof uri !== 'string' || typeof rules !== 'string') return;
    const document = workspace.textDocuments.find(open => open.uri.toString() === uri && open.languageId === 'rulelang');
    if (document === undefined) {
        void window.showInformationMessage(l10n.t('Open the program for which the rules were written.'));
        return;
    }
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, `\n${rules}\n`);
    await workspace.applyEdit(edit);
    await window.showTextDocument(Uri.parse(uri));
}
