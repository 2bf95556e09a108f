import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { EXTENSION, extensionFiles, isNode, type Node, partsOf } from './source-words.ts';

/** Most lines of a function and of a file: what is longer hides its parts. */
const LONGEST = { function: 80, file: 500 };

test('no function of the extension is too long', () => {
    const long = extensionFiles().flatMap(file => {
        const source = readFileSync(join(EXTENSION, file), 'utf8');
        if (linesOf(source) <= LONGEST.function) return [];
        return functionsIn(source).flatMap(({ name, lines }) => (lines > LONGEST.function ? [`${file} ${name}: ${lines}`] : []));
    });
    expect(long).toEqual([]);
});

test('no file of the extension is too long', () => {
    const lines = extensionFiles().map(file => [file, linesOf(readFileSync(join(EXTENSION, file), 'utf8'))] as const);
    expect(lines.length).toBeGreaterThan(300);
    expect(lines.filter(([, count]) => count > LONGEST.file)).toEqual([]);
});

test.each([
    [[['one', 3]], 'function one() {\n    two();\n}'],
    [[['made', 2]], 'const made = () =>\n    1;'],
    [
        [
            ['outer', 4],
            ['inner', 2],
        ],
        'const outer = async () => {\n    function inner() {\n    }\n};',
    ],
    [[['#draw', 2]], 'class Drawn {\n    #draw() {\n    }\n}'],
    [[['constructor', 1]], 'class Drawn { constructor() {} }'],
    [[['', 1]], 'call(() => undefined);'],
])('%j in %s', (found, source) => {
    expect(functionsIn(source).map(({ name, lines }) => [name, lines])).toEqual(found);
});

interface FoundFunction {
    /** Empty if it has none. */
    readonly name: string;
    readonly lines: number;
}

function functionsIn(source: string): FoundFunction[] {
    const visit = (node: unknown, name: string): FoundFunction[] => {
        if (!isNode(node)) return partsOf(node).flatMap(part => visit(part, name));
        const own = nameOf(node) ?? name;
        const inner = partsOf(node).flatMap(part => visit(part, /^(?:Variable|Method|Property)/u.test(node.type) ? own : ''));
        const isFunction = /^(?:Function|ArrowFunction)/u.test(node.type) && isNode(node['body']);
        return isFunction ? [{ name: own, lines: linesOf(source.slice(Number(node['start']), Number(node['end']))) }, ...inner] : inner;
    };
    return visit(parseSync('source.ts', source).program, '');
}

/** The name that a node gives to the function in it. */
function nameOf(node: Node): string | undefined {
    const named = isNode(node['id']) ? node['id'] : node['key'];
    if (!isNode(named) || typeof named['name'] !== 'string') return undefined;
    return named.type === 'PrivateIdentifier' ? `#${named['name']}` : named['name'];
}

function linesOf(text: string): number {
    return text.trimEnd().split('\n').length;
}
