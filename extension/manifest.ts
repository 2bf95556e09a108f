import { configurationOf, restrictedSettings, SETTINGS } from '#extension/host/settings.ts';
import { toolId } from '#extension/models/agent-tool.ts';
import tools from '#extension/models/tools.json' with { type: 'json' };
import { listedViews, viewsWelcome } from '#extension/views/explorer-views.ts';
import { offeredWhereItIs } from '#extension/web/offered.ts';
import source from './manifest.json' with { type: 'json' };

/** The manifest of the staged extension: its source, the version, and the tables of settings, views and tools. */
export function extensionManifest(version: string): object {
    const { capabilities, contributes, ...rest } = source;
    return {
        ...rest,
        version,
        capabilities: {
            ...capabilities,
            untrustedWorkspaces: { ...capabilities.untrustedWorkspaces, restrictedConfigurations: restrictedSettings(SETTINGS) },
        },
        contributes: {
            ...offeredWhereItIs({ ...contributes, views: { rulelang: listedViews(), ...contributes.views } }),
            viewsWelcome: viewsWelcome(),
            configuration: configurationOf(SETTINGS),
            languageModelTools: tools.map(languageModelTool),
        },
    };
}

/** A tool for the language models of the editor, described in English. */
function languageModelTool(tool: (typeof tools)[number]): object {
    const { name, description, input } = tool;
    return {
        name: toolId(tool),
        toolReferenceName: toolId(tool),
        displayName: `%tool.${name}%`,
        modelDescription: description,
        userDescription: `%tool.${name}.description%`,
        inputSchema: input,
        canBeReferencedInPrompt: true,
        tags: ['rulelang'],
        when: 'isWorkspaceTrusted',
    };
}
