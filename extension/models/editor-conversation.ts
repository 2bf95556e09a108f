import {
    type CancellationToken,
    type ChatParticipantToolToken,
    type LanguageModelChat,
    LanguageModelChatMessage,
    LanguageModelChatMessageRole,
    LanguageModelTextPart,
    LanguageModelToolCallPart,
    LanguageModelToolResultPart,
    l10n,
    lm,
} from 'vscode';
import { toolId } from './agent-tool.ts';
import type { SentRequest } from './sent-request.ts';
import tools from './tools.json' with { type: 'json' };
import { type Conversation, noTool } from './write-rules.ts';

/** Data that a model may get beside the question. */
type Samples = 'never' | 'schema' | 'rows';

/** Answers of a model that call tools, one after the other, at most. */
const ROUNDS = 8;
/** Tools whose answers hold no rows and no text of a program. */
const TOOLS_BY_SAMPLES: Readonly<Record<Samples, readonly string[]>> = {
    never: ['search_docs'],
    schema: ['search_docs', 'list_projects', 'list_sources'],
    rows: tools.map(({ name }) => name),
};

export interface ConversationSettings {
    readonly model: LanguageModelChat;
    /** The messages so far. */
    readonly messages: LanguageModelChatMessage[];
    readonly token: CancellationToken;
    readonly sent: SentRequest;
    /** The purpose of the question to the model, unless it is rules. */
    readonly justification?: string;
    /** Calls of tools are shown in this chat; without one there are no tools. */
    readonly chat?: { readonly samples: Samples; readonly token: ChatParticipantToolToken };
}

/** A conversation with a model of the editor. */
export function editorConversation({
    model,
    messages,
    token,
    sent,
    chat,
    justification = l10n.t('To write rules for your program'),
}: ConversationSettings): Conversation {
    const names = chat === undefined ? [] : TOOLS_BY_SAMPLES[chat.samples];
    const offered = tools
        .filter(({ name }) => names.includes(name))
        .map(tool => ({ name: toolId(tool), description: tool.description, inputSchema: tool.input }));

    const answer = async (round: number): Promise<readonly (LanguageModelTextPart | LanguageModelToolCallPart)[]> => {
        sent.note(`${model.name} (${model.vendor}, ${model.id})`, messages.map(sentMessage));
        const { stream } = await model.sendRequest(messages, { justification, tools: round < ROUNDS ? offered : [] }, token);
        const parts: (LanguageModelTextPart | LanguageModelToolCallPart)[] = [];
        for await (const part of stream)
            if (part instanceof LanguageModelTextPart || part instanceof LanguageModelToolCallPart) parts.push(part);
        messages.push(LanguageModelChatMessage.Assistant(parts));
        return parts;
    };

    const result = async ({ callId, name, input }: LanguageModelToolCallPart): Promise<LanguageModelToolResultPart> => {
        if (!offered.some(tool => tool.name === name)) return failed(callId, noTool(name));
        try {
            const { content } = await lm.invokeTool(name, { input, toolInvocationToken: chat?.token }, token);
            return new LanguageModelToolResultPart(callId, content as LanguageModelTextPart[]);
        } catch (reason) {
            // The user may have said no; the model goes on without it.
            if (token.isCancellationRequested) throw reason;
            return failed(callId, reason instanceof Error ? reason.message : String(reason));
        }
    };

    return {
        async say(words) {
            messages.push(LanguageModelChatMessage.User(words));
            for (let round = 0; ; round++) {
                const parts = await answer(round);
                const calls = parts.filter(part => part instanceof LanguageModelToolCallPart);
                if (calls.length === 0 || round === ROUNDS)
                    return parts.map(part => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
                const results: LanguageModelToolResultPart[] = [];
                for (const call of calls) results.push(await result(call));
                messages.push(LanguageModelChatMessage.User(results));
            }
        },
    };
}

function sentMessage({ role, content }: LanguageModelChatMessage): { readonly role: string; readonly text: string } {
    const parts = content.map(part => (part instanceof LanguageModelTextPart ? part.value : JSON.stringify(part, undefined, 4)));
    return { role: LanguageModelChatMessageRole[role], text: parts.join('\n') };
}

function failed(callId: string, words: string): LanguageModelToolResultPart {
    return new LanguageModelToolResultPart(callId, [new LanguageModelTextPart(words)]);
}
