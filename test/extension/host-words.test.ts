import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const EXTENSION = fileURLToPath(new URL('../../extension', import.meta.url));
const CATALOGUE = join(EXTENSION, 'words/bundle.l10n.json');

/** Two words, or one with a capital. */
const WORDS = /\p{L}{2,} \p{L}{2,}|^\p{Lu}\p{Ll}+/u;

/** Texts that look like words and are none, or are the same in every language. */
const NO_WORDS: ReadonlySet<string> = new Set(['nothing to do', 'Rulelang', 'rulelang run']);

/** Files whose texts are no words, and what they are. */
const OTHER_TEXTS: ReadonlyMap<string, string> = new Map([
    ['commands/new-sample-program.ts', 'a program'],
    ['webviews/page.ts', 'markup'],
]);

test('what the host shows is in the catalogue of its words', async () => {
    const shown = hostFiles().flatMap(file => nodesOf(programOf(file)).flatMap(node => (isTranslation(node) ? textsIn(node) : [])));
    const catalogue = Object.fromEntries([...new Set(shown)].sort().map(text => [text, text]));
    await expect(`${JSON.stringify(catalogue, undefined, 4)}\n`).toMatchFileSnapshot(CATALOGUE);
});

test('every language has the words of the host, and no other', () => {
    const names = readdirSync(join(EXTENSION, 'words')).filter(name => name.startsWith('bundle.l10n'));
    const english = Object.keys(JSON.parse(readFileSync(CATALOGUE, 'utf8')));
    for (const name of names) {
        const words: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(EXTENSION, 'words', name), 'utf8'));
        expect(Object.keys(words).sort(), name).toEqual([...english].sort());
        for (const [text, translated] of Object.entries(words)) expect(placesIn(translated), text).toEqual(placesIn(text));
    }
});

test('the host has no words of its own', () => {
    const files = hostFiles().filter(file => !OTHER_TEXTS.has(file));
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

interface Node {
    readonly type: string;
    readonly [field: string]: unknown;
}

/** The files that know VS Code. */
function hostFiles(): string[] {
    const files = readdirSync(EXTENSION, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
    return files.filter(file => readFileSync(join(EXTENSION, file), 'utf8').includes("from 'vscode';")).sort();
}

function programOf(file: string): unknown {
    return parseSync(file, readFileSync(join(EXTENSION, file), 'utf8')).program;
}

function partsOf(node: unknown): unknown[] {
    return typeof node === 'object' && node !== null ? Object.values(node) : [];
}

function nodesOf(node: unknown): Node[] {
    const inside = partsOf(node).flatMap(nodesOf);
    return isNode(node) ? [node, ...inside] : inside;
}

function isNode(node: unknown): node is Node {
    return typeof node === 'object' && node !== null && 'type' in node;
}

/** The texts with which a call of `l10n.t` begins. */
function textsIn({ arguments: given }: Node): string[] {
    const [first] = given as readonly Node[];
    if (first?.type !== 'Literal') throw new Error('what l10n.t translates is no text that can be read');
    return [String(first['value'])];
}

/** A call of a method of an object with this name; any method where none is given. */
function isCallOf({ type, callee }: Node, object: string, method?: string): boolean {
    if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false;
    const [owner, called] = [callee['object'], callee['property']] as readonly Node[];
    return owner?.['name'] === object && (method === undefined || called?.['name'] === method);
}

function isTranslation(node: Node): boolean {
    return isCallOf(node, 'l10n', 't');
}

/** The texts that look like words, outside of what is translated, logged, imported, or a type. */
function hardWiredIn(node: unknown): string[] {
    if (isNode(node)) {
        if (node.type.startsWith('TS') && /Literal|Alias|Interface/u.test(node.type)) return [];
        if (node.type === 'ImportDeclaration' || isCallOf(node, 'log')) return [];
        if (isTranslation(node)) return (node['arguments'] as readonly Node[]).slice(1).flatMap(hardWiredIn);
        const text = textOf(node);
        if (text !== undefined) return WORDS.test(text) && !NO_WORDS.has(text) ? [text] : [];
    }
    return partsOf(node).flatMap(hardWiredIn);
}

function textOf({ type, value }: Node): string | undefined {
    if (type === 'TemplateElement') return (value as { readonly cooked: string }).cooked;
    return type === 'Literal' && typeof value === 'string' ? value : undefined;
}

/** The places for values, such as `{0}`. */
function placesIn(text: string): string[] {
    return [...text.matchAll(/\{\d+\}/gu)].map(([place]) => place).sort();
}
