import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { extensionManifest } from '#extension/manifest.ts';
import { isAsked } from '#extension/models/agent-tool.ts';
import tools from '#extension/models/tools.json' with { type: 'json' };
import { extensionTools } from '#server/tools/offered-tools.ts';
import { TOOLS } from '#server/tools/tools.ts';

const EXTENSION = fileURLToPath(new URL('../../extension', import.meta.url));

interface Manifest {
    readonly contributes: { readonly languageModelTools: readonly LanguageModelTool[] };
}

interface LanguageModelTool {
    readonly name: string;
    readonly displayName: string;
    readonly modelDescription: string;
    readonly inputSchema: unknown;
    readonly when: string;
}

test('the extension knows the tools that agents have: npm run generate', () => {
    expect(readFileSync(`${EXTENSION}/models/tools.json`, 'utf8')).toBe(extensionTools());
});

test('its manifest offers them under the same titles, only in workspaces that are trusted', () => {
    const words = JSON.parse(readFileSync(`${EXTENSION}/words/package.nls.json`, 'utf8'));
    const { languageModelTools } = (extensionManifest('1.0.0') as Manifest).contributes;
    const described = languageModelTools.map(tool => ({ ...tool, displayName: words[tool.displayName.slice(1, -1)] }));
    const titles = new Map(TOOLS.map(({ name, title }) => [name, title]));
    expect(described).toEqual(
        tools.map(({ name, description, input }) =>
            expect.objectContaining({
                name: `rulelang_${name}`,
                displayName: titles.get(name),
                modelDescription: description,
                inputSchema: input,
                when: 'isWorkspaceTrusted',
            }),
        ),
    );
});

test('the user is asked before something changes, and before a model gets rows', () => {
    const unasked = (samples: string) => tools.filter(tool => !isAsked(tool, samples)).map(({ name }) => name);
    const harmless = ['check', 'format', 'analyze_program', 'list_projects', 'list_concepts', 'list_sources', 'translate', 'search_docs'];
    expect(unasked('never')).toEqual(harmless);
    expect(unasked('schema')).toEqual(harmless);
    expect(unasked('rows')).toEqual(expect.arrayContaining([...harmless, 'explain', 'why_not']));
    for (const name of ['run', 'query', 'save_concept', 'edit_concept', 'run_concept']) expect(unasked('rows')).not.toContain(name);
});
