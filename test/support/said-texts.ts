import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Two words. */
const WORDS = /\p{L}+ \p{L}{2,}/u;

interface Node {
    readonly type: string;
    readonly [field: string]: unknown;
}

/** The source files below a folder, from the root. */
export function sourcesIn(folder: string): string[] {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    return names.filter(name => name.endsWith('.ts') && !name.startsWith('generated')).map(name => `${folder}/${name}`);
}

export function programOf(file: string): unknown {
    const known = PROGRAMS.get(file) ?? parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program;
    PROGRAMS.set(file, known);
    return known;
}

const PROGRAMS = new Map<string, unknown>();

/** What a source says, as it stands in catalogues: the texts of `say` with places for their values, those of `counted`, with one and several. */
export function saidIn(program: unknown): string[] {
    return nodesOf(program).flatMap(node => {
        if (isSaying(node)) return [templateText(node['quasi'] as Node)];
        if (node.type !== 'CallExpression' || (node['callee'] as Node)['name'] !== 'counted') return [];
        const noun = (node['arguments'] as readonly Node[])[1]?.['value'];
        return typeof noun === 'string' ? [`{0} ${noun}`, `{0} ${noun}s`] : [];
    });
}

/** What is said while a module is loaded, before anybody could choose a language. */
export function saidTooEarly(program: unknown): string[] {
    return outsideFunctions(program).flatMap(node => (isSaying(node) ? [templateText(node['quasi'] as Node)] : []));
}

/** The texts of several words that are not said, but for those of types, imports, comparisons, names and faults of the program itself. */
export function unsaidIn(node: unknown): string[] {
    if (!isNode(node)) return partsOf(node).flatMap(unsaidIn);
    if (node.type.startsWith('TS') && !/As|NonNull|Satisfies/u.test(node.type)) return [];
    if (/^(?:Import|ExportAll)/u.test(node.type) || isFault(node)) return [];
    if (isSaying(node)) return [...chosenWords(node), ...unsaidIn((node['quasi'] as Node)['expressions'])];
    if (node.type === 'SwitchCase') return unsaidIn(node['consequent']);
    if (node.type === 'BinaryExpression' && node['operator'] !== '+') return [];
    if (node.type === 'Property')
        return ['example', 'scripts'].includes(String((node['key'] as Node)['name'])) ? [] : unsaidIn(node['value']);
    if (node.type === 'TemplateLiteral') {
        const text = templateText(node);
        return [...(WORDS.test(text) ? [text] : []), ...unsaidIn(node['expressions'])];
    }
    if (node.type === 'Literal') return typeof node['value'] === 'string' && WORDS.test(node['value']) ? [node['value']] : [];
    return partsOf(node).flatMap(unsaidIn);
}

/** Words that a text chooses from for a value, as in say`${count} ${count === 1 ? 'row' : 'rows'}`: another language has other places for them. */
function chosenWords(saying: Node): string[] {
    const values = partsOf((saying['quasi'] as Node)['expressions']) as Node[];
    return values.filter(({ type }) => type === 'ConditionalExpression').flatMap(choicesOf);
}

function choicesOf({ type, consequent, alternate, value }: Node): string[] {
    if (type === 'ConditionalExpression') return [consequent, alternate].flatMap(choice => choicesOf(choice as Node));
    return type === 'Literal' && /^[\p{L} ]+$/u.test(String(value)) ? [String(value)] : [];
}

/** `throw new Error('…')`: nobody reads it unless something is broken. */
function isFault({ type, callee }: Node): boolean {
    return type === 'NewExpression' && /^(?:Type|Range)?Error$/u.test(String((callee as Node)['name']));
}

function isSaying({ type, tag }: Node): boolean {
    return type === 'TaggedTemplateExpression' && (tag as Node)['name'] === 'say';
}

function templateText({ quasis }: Node): string {
    const texts = (quasis as readonly { readonly value: { readonly cooked: string } }[]).map(({ value }) => value.cooked);
    return texts.reduce((before, text, at) => `${before}{${at - 1}}${text}`);
}

function isNode(node: unknown): node is Node {
    return typeof node === 'object' && node !== null && 'type' in node;
}

function partsOf(node: unknown): unknown[] {
    return typeof node === 'object' && node !== null ? Object.values(node) : [];
}

function nodesOf(node: unknown): Node[] {
    const inside = partsOf(node).flatMap(node => nodesOf(node));
    return isNode(node) ? [node, ...inside] : inside;
}

function outsideFunctions(node: unknown): Node[] {
    if (isNode(node) && /Function|ClassBody/u.test(node.type)) return [];
    const inside = partsOf(node).flatMap(outsideFunctions);
    return isNode(node) ? [node, ...inside] : inside;
}
