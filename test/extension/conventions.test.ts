import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '#extension/manifest.json' with { type: 'json' };
import { listedViews, viewsWelcome } from '#extension/views/explorer-views.ts';
import words from '#extension/words/package.nls.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const { contributes } = manifest;
const textOf = (key: string): string => (words as Readonly<Record<string, string>>)[key.slice(1, -1)] ?? '';

test('the version of VS Code that is asked for is the one that the tests open', () => {
    const opened = /'code-server@\d+\.(\d+)\.\d+'/u.exec(read('test/vscode/code-server.ts'))?.[1];
    expect(manifest.engines.vscode).toBe(`^1.${opened}.0`);
});

test('a marketplace finds what it shows: a name, sentences, a picture of 128 pixels or more, a licence', () => {
    const picture = readFileSync(join(ROOT, 'extension', manifest.icon));
    expect(picture.toString('latin1', 1, 4)).toBe('PNG');
    expect(Math.min(picture.readUInt32BE(16), picture.readUInt32BE(20))).toBeGreaterThanOrEqual(128);
    expect(textOf(manifest.description)).toMatch(/^[A-Z].*\.$/u);
    expect(manifest.keywords.length).toBeGreaterThan(2);
    expect(manifest.categories).toContain('Programming Languages');
    expect([manifest.license, manifest.pricing, manifest.galleryBanner.theme]).toEqual(['Apache-2.0', 'Free', 'dark']);
});

test('a file is known by its name, or by the line in it that editors read', () => {
    const [language] = contributes.languages;
    const firstLine = new RegExp(language?.firstLine ?? '', 'u');
    for (const line of ['% -*- rulelang -*-', '%% -*- mode: rulelang; indent: 4 -*-']) expect(line).toMatch(firstLine);
    for (const line of ['% about rulelang', '% -*- prolog -*-', 'rulelang(1).']) expect(line).not.toMatch(firstLine);
});

test('an editor knows comments, brackets, words, blocks, and how a line goes on', () => {
    const configuration = JSON.parse(read('syntaxes/language-configuration.json'));
    expect(configuration).toMatchObject({ comments: { lineComment: '%' }, brackets: expect.arrayContaining([['(', ')']]) });
    expect('@output'.match(new RegExp(configuration.wordPattern, 'u'))?.[0]).toBe('@output');
    expect('% region Rates').toMatch(new RegExp(configuration.folding.markers.start, 'u'));
    expect('% endregion').toMatch(new RegExp(configuration.folding.markers.end, 'u'));
    expect(configuration.onEnterRules.length).toBeGreaterThan(0);
    for (const { beforeText } of configuration.onEnterRules) expect(() => new RegExp(beforeText.pattern, 'u')).not.toThrow();
});

test('there is one walkthrough of few steps, each with something to do, an end and a picture in the colours of the theme', () => {
    expect(contributes.walkthroughs).toHaveLength(1);
    const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);
    expect(steps.length).toBeLessThanOrEqual(5);
    for (const { id, description, completionEvents, media } of steps) {
        expect(textOf(description), id).toMatch(/\n\[[^\]]+\]\(command:rulelang\.\w+\)/u);
        expect(completionEvents.length, id).toBeGreaterThan(0);
        expect(textOf(media.altText), id).not.toBe('');
        expect(read(`extension/${media.svg}`).match(/(?:fill|stroke)="(?!none|var\(--vscode-)[^"]*"/gu), id).toBe(null);
    }
});

test('a command that is about what is looked at is not offered elsewhere', () => {
    const offered = new Set(contributes.menus.commandPalette.map(({ command }) => command));
    const bound = contributes.commands.filter(({ enablement = '' }) => /activeWebviewPanelId|resourceScheme/u.test(enablement));
    expect(bound.length).toBeGreaterThan(5);
    expect(bound.map(({ command }) => command).filter(command => !offered.has(command))).toEqual([]);
});

test('a new file, the title of an editor, the explorer and each view that can be empty offer what can be done', () => {
    expect(Object.keys(contributes.menus)).toEqual(
        expect.arrayContaining(['file/newFile', 'editor/title/run', 'explorer/context', 'view/title', 'view/item/context']),
    );
    const welcomed = new Set(viewsWelcome().map(({ view }) => view));
    expect(listedViews().filter(({ id }) => !welcomed.has(id))).toEqual([]);
});

test('tasks are commands of the command line, and name what they are about', () => {
    const [definition] = contributes.taskDefinitions;
    expect(definition).toMatchObject({ type: 'rulelang', required: ['command', 'file'] });
    expect(readdirSync(join(ROOT, 'server/cli/commands'))).toEqual(
        expect.arrayContaining((definition?.properties.command.enum ?? []).map(name => `${name}.ts`)),
    );
    for (const { description } of Object.values(definition?.properties ?? {})) expect(textOf(description), description).not.toBe('');
});
