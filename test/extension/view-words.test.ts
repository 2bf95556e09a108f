import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import {
    extensionFiles,
    isHostFile,
    isNode,
    isNotSaid,
    isTranslation,
    LOOKS_LIKE_WORDS,
    type Node,
    partsOf,
    programOf,
    textOf,
} from './source-words.ts';

/** Where views, the browser page and the playground are. */
const VIEWS = /^(?:surfaces|webviews|notebooks\/outputs|page|playground\/page)\//u;
/** Styles, programs, the words of programming languages, and what providers call themselves. */
const WITHOUT_WORDS = /^(?:page\/editor\/(?:editor-theme|plain-colours)|surfaces\/(?:agent\/model-providers|platform\/beginning))\.ts$/u;
/** What is called the same in every language, and keys of a keyboard. */
const NO_WORDS = /^(?:Rulelang|Escape|Del|Arrow(?:Up|Down|Left|Right)|(?:(?:Mod|Ctrl|Shift|Alt)[-+])+\w+(?: Mod-\w)?)$/u;

/** Attributes, fields and properties of elements that people read or hear. */
const SHOWN = new Set(['title', 'aria-label', 'placeholder', 'alt', 'label', 'text', 'detail', 'textContent']);
/** Calls whose texts are names: of classes, events, attributes and elements. */
const NAMING =
    /^(?:querySelector(?:All)?|closest|matches|addEventListener|removeEventListener|getElementById|setAttribute|toggle|add|remove|getContext)$/u;

test('views and the browser page have no words of their own', () => {
    const files = extensionFiles().filter(file => VIEWS.test(file) && !WITHOUT_WORDS.test(file) && !isHostFile(file));
    expect(files.length).toBeGreaterThan(60);
    const hardWired = files.flatMap(file => hardWiredIn(programOf(file)).map(text => `${file}: ${text}`));
    expect(hardWired).toEqual([]);
});

test.each([
    [['empty'], "element('span', { class: 'empty cell' }, 'empty')"],
    [['none'], "element('p', {}, rows > 0 ? l10n.t('{0} rows', rows) : 'none')"],
    [[' of '], 'element("p", {}, `$' + '{one} of $' + '{all}`)'],
    [['holds'], "element('span', { role: 'img', 'aria-label': 'holds' })"],
    [['stop'], "iconButton(icon('stop'), 'stop', stop)"],
    [['near'], "made.textContent = near ? 'near' : ''"],
    [['find'], "const item = { kind: 'search', label: 'find' }"],
    [['Is a null'], "const SIGNS = [['null', 'Is a null']]"],
    [['Starting'], "const phase = () => 'Starting'"],
    [[], "if (event.key === 'Enter') element('button', { class: 'link place' }, l10n.t('Open'), '·', '—')"],
    [[], "root.querySelector('td button')?.classList.toggle('busy'); switch (key) { case 'Escape': }"],
])('%j in %s', (found, source) => {
    expect(hardWiredIn(parseSync('source.ts', source).program)).toEqual(found);
});

/** The texts that are not translated and look like words; any text with letters where it is `shown`, which values of a text that is translated are. */
function hardWiredIn(node: unknown, shown = false): string[] {
    if (!isNode(node)) return partsOf(node).flatMap(part => hardWiredIn(part, shown));
    if (isNotSaid(node)) return [];
    const text = textOf(node);
    if (text !== undefined) return (shown ? /\p{L}{2}/u : LOOKS_LIKE_WORDS).test(text) && !NO_WORDS.test(text) ? [text] : [];
    switch (node.type) {
        case 'CallExpression':
            return hardWiredInCall(node, shown);
        case 'Property':
            return hardWiredInProperty(node, shown);
        case 'AssignmentExpression':
            return hardWiredIn(node['right'], isNode(node['left']) && SHOWN.has(nameOf(node['left']['property'])));
        case 'BinaryExpression':
            return node['operator'] === '+' ? partsOf(node).flatMap(part => hardWiredIn(part, shown)) : [];
        case 'ConditionalExpression':
            return [...hardWiredIn(node['test']), ...hardWiredIn(node['consequent'], shown), ...hardWiredIn(node['alternate'], shown)];
        case 'SwitchCase':
            return hardWiredIn(node['consequent']);
        case 'MemberExpression':
            return hardWiredIn(node['object']);
        case 'ArrowFunctionExpression':
        case 'FunctionExpression':
            return hardWiredIn(node['body'], shown);
        default:
            return partsOf(node).flatMap(part => hardWiredIn(part, shown));
    }
}

function hardWiredInCall(node: Node, shown: boolean): string[] {
    const given = node['arguments'] as readonly Node[];
    const callee = node['callee'] as Node;
    const called = callee.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee);
    const owner = callee.type === 'MemberExpression' ? hardWiredIn(callee['object'], shown) : [];
    if (isTranslation(node)) return given.slice(1).flatMap(value => hardWiredIn(value, true));
    if (called === 'element') return [...attributes(given[1]), ...given.slice(2).flatMap(child => hardWiredIn(child, true))];
    if (called === 'iconButton') return [...hardWiredIn(given[1], true), ...hardWiredIn(given[2]), ...attributes(given[3])];
    if (called === 'setAttributes') return attributes(given[1]);
    if (called === 'setAttribute') return SHOWN.has(textOf(given[0] as Node) ?? '') ? hardWiredIn(given[1], true) : [];
    return [...owner, ...given.filter(one => !NAMING.test(called) || textOf(one) === undefined).flatMap(one => hardWiredIn(one))];
}

/** Of attributes, only those that are shown have texts; others name classes and states. */
function attributes(given: Node | undefined): string[] {
    if (given?.type !== 'ObjectExpression') return hardWiredIn(given);
    return (given['properties'] as readonly Node[]).flatMap(property => {
        const isNaming = property.type === 'Property' && !SHOWN.has(nameOf(property['key']));
        return isNaming ? [] : hardWiredIn(property);
    });
}

function hardWiredInProperty({ key, value }: Node, shown: boolean): string[] {
    return hardWiredIn(value, shown || SHOWN.has(nameOf(key)));
}

/** How an identifier, or a key that is a text, is written. */
function nameOf(node: unknown): string {
    if (!isNode(node)) return '';
    return String(node['name'] ?? node['value'] ?? '');
}
