import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { EXPORT_FORMATS } from '#server/protocol/result-formats.ts';
import {
    EXTENSION,
    extensionFiles,
    isCallOf,
    isHostFile,
    isNode,
    isNotSaid,
    isTranslation,
    LOOKS_LIKE_WORDS,
    type Node,
    nodesOf,
    partsOf,
    programOf,
    textOf,
} from './source-words.ts';

const CATALOGUE = join(EXTENSION, 'words/bundle.l10n.json');

/** Texts that look like words and are none, or are the same in every language. */
const NO_WORDS: ReadonlySet<string> = new Set(['nothing to do', 'Rulelang', 'rulelang run']);

/** Files whose texts are no words, and what they are. */
const OTHER_TEXTS: ReadonlyMap<string, string> = new Map([
    ['commands/new-sample-program.ts', 'a program'],
    ['notebooks/rows-markup.ts', 'markup'],
    ['webviews/page.ts', 'markup'],
]);

/** Texts of tables that are translated where they are shown. */
const TABLES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
    ['EXPORT_FORMATS.format.kind', Object.values(EXPORT_FORMATS).map(({ kind }) => kind)],
    ['EXPORT_FORMATS.format.label', Object.values(EXPORT_FORMATS).map(({ label }) => label)],
]);

test('what hosts, views and the browser page show is in the catalogue of their words', async () => {
    const shown = extensionFiles().flatMap(file => nodesOf(programOf(file)).flatMap(node => (isTranslation(node) ? textsIn(node) : [])));
    const catalogue = Object.fromEntries([...new Set(shown)].sort().map(text => [text, text]));
    await expect(`${JSON.stringify(catalogue, undefined, 4)}\n`).toMatchFileSnapshot(CATALOGUE);
});

test('every language has these words, and no other', () => {
    const names = readdirSync(join(EXTENSION, 'words')).filter(name => name.startsWith('bundle.l10n'));
    const english = Object.keys(JSON.parse(readFileSync(CATALOGUE, 'utf8')));
    for (const name of names) {
        const words: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(EXTENSION, 'words', name), 'utf8'));
        expect(Object.keys(words).sort(), name).toEqual([...english].sort());
        for (const [text, translated] of Object.entries(words)) expect(placesIn(translated), text).toEqual(placesIn(text));
    }
});

test('the host has no words of its own', () => {
    const files = extensionFiles().filter(file => isHostFile(file) && !OTHER_TEXTS.has(file));
    const hardWired = files.flatMap(file => hardWiredIn(programOf(file)).map(text => `${file}: ${text}`));
    expect(hardWired).toEqual([]);
});

test.each([
    [['Open it'], "window.showErrorMessage('Open it')"],
    [['Results: '], 'panel.title = `Results: $' + '{name}`'],
    [['Stop the run'], "const item = { tooltip: 'Stop the run' }"],
    [[], "window.showErrorMessage(l10n.t('Open it'))"],
    [[], "log.info('The rows are kept')"],
    [[], "import { Uri } from 'Some where'; type A = 'an outcome'"],
])('%j in %s', (found, source) => {
    expect(hardWiredIn(parseSync('source.ts', source).program)).toEqual(found);
});

/** The texts with which a call of `l10n.t` begins. */
function textsIn({ arguments: given }: Node): readonly string[] {
    const [first] = given as readonly Node[];
    const listed = first === undefined ? undefined : TABLES.get(pathOf(first));
    if (listed !== undefined) return listed;
    if (first?.type !== 'Literal') throw new Error('what l10n.t translates is no text that can be read');
    return [String(first['value'])];
}

/** How a member is written, `table.key.field` for `table[key].field`. */
function pathOf({ type, name, object, property }: Node): string {
    if (type === 'MemberExpression' && isNode(object) && isNode(property)) return `${pathOf(object)}.${pathOf(property)}`;
    return String(name);
}

/** The texts that look like words, outside of what is translated, logged, imported, or a type. */
function hardWiredIn(node: unknown): string[] {
    if (isNode(node)) {
        if (isNotSaid(node) || isCallOf(node, 'log')) return [];
        if (isTranslation(node)) return (node['arguments'] as readonly Node[]).slice(1).flatMap(hardWiredIn);
        const text = textOf(node);
        if (text !== undefined) return LOOKS_LIKE_WORDS.test(text) && !NO_WORDS.has(text) ? [text] : [];
    }
    return partsOf(node).flatMap(hardWiredIn);
}

/** The places for values, such as `{0}`. */
function placesIn(text: string): string[] {
    return [...text.matchAll(/\{\d+\}/gu)].map(([place]) => place).sort();
}
