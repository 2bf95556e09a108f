import {
    type ExtensionContext,
    LanguageModelTextPart,
    type LanguageModelTool,
    LanguageModelToolResult,
    l10n,
    lm,
    MarkdownString,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { type AgentTool, isAsked, type ToolInput, toolId } from './agent-tool.ts';
import tools from './tools.json' with { type: 'json' };

/** Offers the tools of agents to the language models of the editor, where it has those. */
export function offerTools({ subscriptions }: ExtensionContext, server: Server): void {
    // Other hosts than VS Code may have no language models.
    if (typeof lm?.registerTool !== 'function') return;
    for (const tool of tools) subscriptions.push(lm.registerTool(toolId(tool), languageModelTool(tool, server)));
}

function languageModelTool(tool: AgentTool, server: Server): LanguageModelTool<ToolInput> {
    return {
        prepareInvocation: ({ input }) => ({
            invocationMessage: l10n.t('Rulelang: {0}', tool.name),
            ...(isAsked(tool, readSetting('model.samples')) && { confirmationMessages: question(tool, input) }),
        }),
        invoke: async ({ input }, token) => {
            if (!workspace.isTrusted) throw new Error(l10n.t('Tools of Rulelang work only in a workspace that the user trusts.'));
            const dataDirectory = readSetting('platform.dataDir');
            const call = { name: tool.name, input, ...(dataDirectory !== '' && { dataDirectory }) };
            const { text } = await server.ask('rulelang/callTool', call, token);
            return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
        },
    };
}

function question({ name, givesRows }: AgentTool, input: ToolInput): { readonly title: string; readonly message: MarkdownString } {
    const message = new MarkdownString();
    for (const [key, value] of Object.entries(input)) {
        message.appendText(`${key}:`);
        message.appendCodeblock(typeof value === 'string' ? value : JSON.stringify(value, undefined, 4), 'rulelang');
    }
    if (['text', 'binaryfile'].includes(String(input['type'])))
        message.appendText(l10n.t('What the document says is sent to the language model of the services. '));
    if (name === 'infer_schema' && input['name'] !== undefined)
        message.appendText(l10n.t('If the source is a text or a document, what it says is sent to the language model of the services. '));
    if (givesRows) message.appendText(l10n.t('The model sees the answer, in which there may be rows of your data.'));
    return { title: l10n.t('Let the model use the tool {0}?', name), message };
}
