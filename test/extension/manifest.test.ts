import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SETTINGS, type Setting, type SettingName, settingComplaint, settingValue } from '#extension/host/settings.ts';
import { extensionManifest } from '#extension/manifest.ts';
import { OFFERED } from '#extension/web/offered.ts';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '#language/editing/semantic-tokens.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STAGE = join(ROOT, 'dist/extension');

interface Manifest {
    readonly activationEvents: readonly string[];
    readonly extensionKind: readonly string[];
    readonly icon: string;
    readonly main: string;
    readonly capabilities: {
        readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
    };
    readonly contributes: {
        readonly commands: readonly { readonly command: string; readonly category: string; readonly title: string }[];
        readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
        readonly keybindings: readonly { readonly command: string; readonly when: string }[];
        readonly configuration: { readonly properties: Readonly<Record<string, ConfigurationProperty>> };
        readonly languages: readonly { readonly configuration: string; readonly icon: Readonly<Record<string, string>> }[];
        readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
        readonly grammars: readonly { readonly path: string }[];
        readonly snippets: readonly { readonly path: string }[];
        readonly semanticTokenTypes: readonly { readonly id: string }[];
        readonly semanticTokenModifiers: readonly { readonly id: string }[];
        readonly semanticTokenScopes: readonly { readonly scopes: Readonly<Record<string, readonly string[]>> }[];
    };
}

interface ConfigurationProperty {
    readonly type: string;
    readonly default: unknown;
    readonly scope: string;
    readonly markdownDescription: string;
    readonly enum?: readonly string[];
    readonly enumDescriptions?: readonly string[];
}

const manifest: Manifest = JSON.parse(readFileSync(join(STAGE, 'package.json'), 'utf8'));
const { contributes } = manifest;
const words: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(STAGE, 'package.nls.json'), 'utf8'));
const settings: Readonly<Record<string, Setting>> = SETTINGS;

test('the staged manifest is the one that extension/manifest.ts makes', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(manifest).toEqual(JSON.parse(JSON.stringify(extensionManifest(version))));
});

test('the extension is started by its language, its documents and views and test cases only', () => {
    expect(manifest.activationEvents).toEqual([
        'onWebviewPanel:rulelang.results',
        'onDebugResolve:rulelang',
        'onFileSystem:rulelang-concept',
        'workspaceContains:**/*.test.rulelang',
    ]);
    expect(manifest.extensionKind).toEqual(['workspace']);
});

test('a view that is empty says one thing that can be done, and does it', () => {
    for (const { view, contents, when } of contributes.viewsWelcome) {
        const text = words[contents.slice(1, -1)] ?? '';
        const buttons = text.split('\n').filter(line => /^\[[^\]]+\]\(command:[\w.]+\)$/u.test(line));
        expect(buttons.length, `${view} ${when}`).toBe(1);
    }
});

test('titles of commands begin with a capital, and end with dots where they ask for more', () => {
    for (const { command, title } of contributes.commands) expect(words[title.slice(1, -1)], command).toMatch(/^[A-Z][\w ,’'-]*…?$/u);
});

test('every file that the manifest names is there', () => {
    const files = [
        manifest.icon,
        manifest.main,
        ...contributes.languages.flatMap(language => [language.configuration, ...Object.values(language.icon)]),
        ...contributes.grammars.map(grammar => grammar.path),
        ...contributes.snippets.map(snippet => snippet.path),
    ];
    expect(files.filter(file => !existsSync(join(STAGE, file)))).toEqual([]);
});

describe('settings', () => {
    const properties = Object.entries(contributes.configuration.properties);

    test('the manifest and the description agree', () => {
        expect(properties.map(([name]) => name)).toEqual(Object.keys(settings).map(name => `rulelang.${name}`));
        for (const [name, property] of properties) {
            const setting = settings[name.slice('rulelang.'.length)];
            expect(property.default, name).toEqual(setting?.default);
            expect(property.scope, name).toBe(setting?.scope);
            expect(words[property.markdownDescription.slice(1, -1)], name).toMatch(/^[A-Z][^!]+\.$/u);
            expect(property.enumDescriptions?.length, name).toBe(property.enum?.length);
        }
    });

    test('every setting is classified, and what a hostile workspace could use is restricted', () => {
        const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
        expect(supported).toBe('limited');
        for (const [name] of properties) {
            const setting = settings[name.slice('rulelang.'.length)];
            expect(['plain', 'limit', 'path', 'command'], name).toContain(setting?.hazard);
            expect(restrictedConfigurations.includes(name), name).toBe(setting?.hazard !== 'plain');
        }
        expect(restrictedConfigurations.filter(name => !Object.hasOwn(contributes.configuration.properties, name))).toEqual([]);
    });

    test('a value that does not fit is not taken', () => {
        expect(settingValue('grid.density', 'comfortable')).toBe('comfortable');
        for (const given of [null, undefined, 'huge', 'toString', 3, []]) expect(settingValue('grid.density', given)).toBe('compact');
        expect(settingValue('run.maxMemory', 512)).toBe(512);
        for (const given of [null, -1, 1.5, '512', Number.NaN, 1e12]) expect(settingValue('run.maxMemory', given)).toBe(4096);
        const parameters = { rate: '3', most: 4.5, strict: true, names: ['Ada', 7, [false]] };
        expect(settingValue('run.parameters', parameters)).toEqual(parameters);
        for (const given of [null, { rate: null }, { rate: {} }, [1], 'rate', 3]) expect(settingValue('run.parameters', given)).toEqual({});
    });

    test('a value that does not fit is told with what would', () => {
        for (const [name, { default: usual }] of Object.entries(SETTINGS))
            expect(settingComplaint(name as SettingName, usual), name).toBe(undefined);
        expect(settingComplaint('run.maxMemory', '512')).toBe(
            'The setting `rulelang.run.maxMemory` must be a whole number from 64 to 1,048,576, but is "512".',
        );
        expect(settingComplaint('grid.density', 'huge')).toBe(
            'The setting `rulelang.grid.density` must be one of compact, comfortable, but is "huge".',
        );
        expect(settingComplaint('problems.severity', { RL9001: 'of' })).toMatch(/but 'RL9001' is "of"\.$/u);
        expect(settingComplaint('run.parameters', { least: 3, majority: { of: 50 } })).toBe(
            'The setting `rulelang.run.parameters` must be an object of texts, numbers, booleans and lists of them, but \'majority\' is {"of":50}.',
        );
        expect(settingComplaint('run.parameters', null)).toMatch(/but is null\.$/u);
    });

    test('a name that sounds of a path, a command, an address or a limit is not called plain', () => {
        const sounds = /path|folder|file|root|command|executable|arguments|env|host|url|address|port|memory|timeout|limit|max/iu;
        const plain = Object.entries(settings).filter(([, setting]) => setting.hazard === 'plain');
        expect(plain.map(([name]) => name).filter(name => sounds.test(name))).toEqual([]);
    });
});

describe('commands', () => {
    const names = contributes.commands.map(({ command }) => command);

    test('share one prefix and one category', () => {
        expect(new Set(contributes.commands.map(({ category }) => category))).toEqual(new Set(['Rulelang']));
        expect(names.filter(name => !name.startsWith('rulelang.'))).toEqual([]);
        expect(new Set(names).size).toBe(names.length);
    });

    test('menus and keys name commands that exist, and keys are bound to the language or a view', () => {
        const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
        expect(used.map(({ command }) => command).filter(name => !names.includes(name))).toEqual([]);
        const bound = /editorLangId == rulelang|focusedView == rulelang\./u;
        expect(contributes.keybindings.filter(({ when }) => !bound.test(when))).toEqual([]);
    });

    test('main.ts and the views register each of them', () => {
        const views = ['notebooks', 'translations', 'views'].flatMap(folder =>
            readdirSync(join(ROOT, 'extension', folder), { withFileTypes: true }).flatMap(entry =>
                entry.isFile() ? [join(folder, entry.name)] : [],
            ),
        );
        expect(registeredIn(['main.ts', 'program-features.ts', ...views])).toEqual([...names].sort());
    });

    test('an editor in a browser registers those that are offered there, and no other command is seen there', () => {
        const offered = OFFERED.map(name => `rulelang.${name}`);
        expect(registeredIn(['web/main.ts', 'program-features.ts', 'views/program-view.ts'])).toEqual([...offered].sort());
        const { menus, keybindings } = contributes;
        const places = [...Object.values(menus).flat(), ...keybindings];
        const everywhere = places.filter(({ when = '' }) => !when.endsWith('(!isWeb || remoteName)'));
        expect(everywhere.map(({ command }) => command).filter(command => !offered.includes(command))).toEqual([]);
        const inPalette = (menus.commandPalette ?? []).map(({ command }) => command);
        expect(names.filter(name => !offered.includes(name) && !inPalette.includes(name))).toEqual([]);
    });
});

/** The commands that these files of the extension register. */
function registeredIn(files: readonly string[]): string[] {
    const source = files.map(name => readFileSync(join(ROOT, 'extension', name), 'utf8')).join('\n');
    return [...source.matchAll(/register(?:OnNode)?\(\s*'(\w+)'/gu)].map(match => `rulelang.${match[1]}`).sort();
}

test('the semantic tokens of the server are declared', () => {
    const standardTypes = ['function', 'variable', 'parameter', 'type', 'string', 'number', 'keyword', 'comment'];
    const standardModifiers = ['definition'];
    const types = contributes.semanticTokenTypes.map(({ id }) => id);
    const modifiers = contributes.semanticTokenModifiers.map(({ id }) => id);
    expect([...types, ...standardTypes].sort()).toEqual([...TOKEN_TYPES].sort());
    expect([...modifiers, ...standardModifiers].sort()).toEqual([...TOKEN_MODIFIERS].sort());
    const scoped = contributes.semanticTokenScopes.flatMap(({ scopes }) => Object.keys(scopes));
    const known: readonly string[] = [...TOKEN_TYPES, ...TOKEN_MODIFIERS];
    expect(scoped.flatMap(name => name.split('.')).filter(part => !known.includes(part))).toEqual([]);
});
