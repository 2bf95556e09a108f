import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { languagePage } from '#language/editing/language-page.ts';
import { programForModels } from '#language/editing/program-for-models.ts';
import { say } from '#language/program/say.ts';
import { AGENT_TOOL_METHODS } from '#server/protocol/agent-tools.ts';
import { RUN_ERRORS } from '#server/protocol/runs.ts';
import { TRIAL_METHODS } from '#server/protocol/translations.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';
import { usualLimits } from '../usual-limits.ts';

/** Tools for language models that the client asks, the same as for agents, only in workspaces that the user trusts. */
export const agentTools: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { options, folders, trust, documents } = server;
        // Few sessions call a tool, so only those wait for the import.
        const loaded = async () => {
            const { editorPlace, editorTools } = await import('#server/mcp/editor-tools.ts');
            const place = editorPlace(options, usualLimits(options), folders);
            return { place, call: editorTools(place) };
        };
        const model = async (dataDirectory: string | undefined) =>
            (await import('../editor-model.ts')).editorModel({ allowNet: options.allowNet ?? [], dataDirectory });
        let tools: ReturnType<typeof loaded> | undefined;
        answerMethods(
            server,
            { ...AGENT_TOOL_METHODS, ...TRIAL_METHODS },
            {
                'rulelang/callTool': async (call, signal) => {
                    tools ??= loaded();
                    return (await tools).call(call, signal);
                },
                'rulelang/tryRules': async ({ uri, program, rules }, signal) => {
                    const { triedRules } = await import('#server/mcp/tried-rules.ts');
                    tools ??= loaded();
                    return triedRules((await tools).call, { uri, program, rules }, signal);
                },
                'rulelang/compareTranslation': async (asked, signal) => {
                    const { comparedRows } = await import('#server/mcp/compared-rows.ts');
                    tools ??= loaded();
                    return comparedRows((await tools).place, asked, signal);
                },
                'rulelang/askModel': async ({ dataDirectory, ...question }, signal) => (await model(dataDirectory)).ask(question, signal),
                'rulelang/configuredModel': async ({ dataDirectory }) => (await model(dataDirectory)).who(),
                'rulelang/modelContext': ({ uri, rows }) => {
                    const document = uri === undefined ? undefined : documents.get(uri)?.program;
                    return { language: languagePage(), ...(document !== undefined && { program: programForModels(document, rows) }) };
                },
            },
            () => {
                if (trust.granted) return;
                throw new ResponseError(
                    LSPErrorCodes.RequestFailed,
                    say`Nothing runs in a workspace that is not trusted`,
                    RUN_ERRORS.untrusted,
                );
            },
        );
    },
};
