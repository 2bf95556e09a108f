import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDERS = ['language', 'engine', 'server', 'extension'];

/** The fields with words for people. What they are about stands beside them as data: another language has other words. */
const WORDS: ReadonlySet<unknown> = new Set(['message', 'remedy']);

/** Who reads words of others, which come without data. */
const OF_OTHERS: ReadonlyMap<string, string> = new Map([
    ['language/library/pattern.ts', 'JavaScript about a regular expression'],
    ['server/api/read-body.ts', 'JavaScript about JSON'],
    ['server/compute/duckdb-failures.ts', 'DuckDB about a query'],
    ['server/compute/duckdb.ts', 'Node about a package'],
    ['server/compute/query-failures.ts', 'DuckDB about a query'],
    ['server/sources/databases/database-errors.ts', 'drivers about a server'],
    ['server/store/data-directory.ts', 'DuckDB about a disk'],
    ['server/store/store-file.ts', 'DuckDB about a file'],
    ['server/store/store.ts', 'DuckDB about a file'],
    ['server/translate/rdf/turtle.ts', 'N3 about a text'],
    ['server/translate/rdf/rdf-xml.ts', 'Saxes about a text'],
]);

const READERS: ReadonlySet<unknown> = new Set([
    ...['includes', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf', 'search'],
    ...['match', 'matchAll', 'replace', 'replaceAll', 'split'],
]);
const MATCHERS: ReadonlySet<unknown> = new Set(['exec', 'test']);
const EQUALITIES: ReadonlySet<unknown> = new Set(['===', '!==']);

test('nothing looks for something in words that are made for people', () => {
    const files = FOLDERS.flatMap(folder =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
    ).filter(file => file.endsWith('.ts'));
    const reading = files.filter(file => readsWords(readFileSync(join(ROOT, file), 'utf8')));
    expect(reading.sort()).toEqual([...OF_OTHERS.keys()].sort());
});

test.each([
    [true, "found.message.includes('x')"],
    [true, "problem.remedy?.startsWith('cast')"],
    [true, "/'(.+)'/u.exec(problem.remedy ?? '')"],
    [true, 'function f({ code, message: text }) { return NAME.exec(text); }'],
    [true, "const words = error.message; words.trim().split('\\n')"],
    [true, "if (remedy === 'swap the sides') swap();"],
    [false, "const shown = message + ': ' + remedy;"],
    [false, "function f({ message }, text) { return text.includes('message'); }"],
    [false, 'if (remedy === undefined) return message.length;'],
])('%s for %s', (reads, source) => {
    expect(readsWords(source)).toBe(reads);
});

interface Node {
    readonly type: string;
    readonly [field: string]: unknown;
}

function readsWords(source: string): boolean {
    if (![...WORDS].some(name => source.includes(String(name)))) return false;
    const nodes = nodesOf(parseSync('source.ts', source).program);
    const names = new Set(WORDS);
    for (const node of nodes) {
        const { type, key, value, id, init } = node as Node & Record<'key' | 'value' | 'id' | 'init', Node | null | undefined>;
        if (type === 'Property' && WORDS.has(key?.['name']) && value?.type === 'Identifier') names.add(value['name']);
        if (type === 'VariableDeclarator' && id?.type === 'Identifier' && isWords(init, names)) names.add(id['name']);
    }
    return nodes.some(node => isRead(node, names));
}

function nodesOf(node: unknown, found: Node[] = []): Node[] {
    if (typeof node !== 'object' || node === null) return found;
    if ('type' in node) found.push(node as Node);
    for (const part of Object.values(node)) nodesOf(part, found);
    return found;
}

function isText(value: unknown): boolean {
    return typeof value === 'string' && value !== '';
}

function isRead({ type, callee, arguments: given, operator, left, right }: Node, names: ReadonlySet<unknown>): boolean {
    if (type === 'BinaryExpression' && EQUALITIES.has(operator)) {
        return [left, right].some(side => isWords(side, names)) && [left, right].some(side => isText((side as Node)['value']));
    }
    if (type !== 'CallExpression' || (callee as Node).type !== 'MemberExpression') return false;
    const { object, property } = callee as Node & { readonly property: Node };
    const method = property['name'];
    return READERS.has(method) ? isWords(object, names) : MATCHERS.has(method) && isWords((given as Node[])[0], names);
}

/** An expression whose value is a field with words, or a variable for one, cut or replaced where it is missing. */
function isWords(node: unknown, names: ReadonlySet<unknown>): boolean {
    if (typeof node !== 'object' || node === null) return false;
    const { type, name, property, expression, left, callee } = node as Node & { readonly property?: Node };
    switch (type) {
        case 'Identifier':
            return names.has(name);
        case 'MemberExpression':
            return WORDS.has(property?.['name']);
        case 'CallExpression': {
            const { object: called } = callee as Node;
            return isWords(called, names);
        }
        case 'LogicalExpression':
            return isWords(left, names);
        case 'ChainExpression':
        case 'TSNonNullExpression':
        case 'TSAsExpression':
        case 'ParenthesizedExpression':
            return isWords(expression, names);
        default:
            return false;
    }
}
