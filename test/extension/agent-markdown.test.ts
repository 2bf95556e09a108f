import { expect, test } from 'vitest';
import { type Block, isWebAddress, readMarkdown, type Span } from '#server/protocol/markdown.ts';

/** Blocks on a line each, spans with signs around them, so that a test can be read. */
function drawn(blocks: readonly Block[]): string[] {
    return blocks.map(drawnBlock);
}

function drawnBlock(block: Block): string {
    switch (block.kind) {
        case 'paragraph':
            return `p ${spans(block.spans)}`;
        case 'heading':
            return `h${block.level} ${spans(block.spans)}`;
        case 'code':
            return `code ${block.language}: ${block.text}`;
        case 'list':
            return `list ${block.start ?? '-'} ${block.items.map(item => drawn(item).join(' / ')).join(' | ')}`;
        case 'quote':
            return `quote ${drawn(block.blocks).join(' / ')}`;
        case 'table':
            return `table ${[block.head, ...block.rows].map(row => row.map(spans).join(', ')).join(' | ')}`;
        case 'rule':
            return 'rule';
    }
}

function spans(all: readonly Span[]): string {
    return all.map(drawnSpan).join('');
}

function drawnSpan(span: Span): string {
    switch (span.kind) {
        case 'text':
            return span.text;
        case 'code':
            return `{${span.text}}`;
        case 'strong':
            return `<b>${spans(span.spans)}</b>`;
        case 'emphasis':
            return `<i>${spans(span.spans)}</i>`;
        case 'struck':
            return `<s>${spans(span.spans)}</s>`;
        case 'link':
            return `<a ${span.target}>${spans(span.spans)}</a>`;
    }
}

test.each([
    ['one\ntwo\n\nthree', ['p one\ntwo', 'p three']],
    ['# A *b*\n\n### C ###', ['h1 A <i>b</i>', 'h3 C']],
    ['a **b `c` d** ~~e~~ __f__', ['p a <b>b {c} d</b> <s>e</s> <b>f</b>']],
    ['large_town and own_share, 2 * 3 * 4', ['p large_town and own_share, 2 * 3 * 4']],
    ['``a ` b``', ['p {a ` b}']],
    ['```rulelang\na(X) <- b(X).\n# no heading\n```\nafter', ['code rulelang: a(X) <- b(X).\n# no heading', 'p after']],
    ['```\nnot closed\n**yet**', ['code : not closed\n**yet**']],
    ['- a\n- b\n  more\n- c', ['list - p a | p b\nmore | p c']],
    ['1. a\n2. b', ['list 1 p a | p b']],
    ['3) a\n\n4) b', ['list 3 p a | p b']],
    ['- a\n  - b\n  - c\n- d', ['list - p a / list - p b | p c | p d']],
    ['- a\n\n  ```\n  code\n  ```', ['list - p a / code : code']],
    ['It was in\n1998. Then', ['p It was in\n1998. Then']],
    ['> a\n> - b', ['quote p a / list - p b']],
    ['| a | b |\n|---|:-:|\n| 1 | x\\|y |\n| 2 | z | too many |\n\nend', ['table a, b | 1, x|y | 2, z', 'p end']],
    ['a | b, no table', ['p a | b, no table']],
    ['---\n***', ['rule', 'rule']],
    [String.raw`\*no\* \[x\](y)`, ['p *no* [x](y)']],
])('%j', (text, expected) => {
    expect(drawn(readMarkdown(text))).toEqual(expected);
});

test.each([
    ['[a](https://e.org/x?q=1)', 'p <a https://e.org/x?q=1>a</a>'],
    ['<https://e.org>', 'p <a https://e.org>https://e.org</a>'],
    ['see https://e.org/a_b.', 'p see <a https://e.org/a_b>https://e.org/a_b</a>.'],
    ['[a](javascript:alert(1))', 'p a (javascript:alert(1))'],
    ['[a](JaVaScRiPt:x)', 'p a (JaVaScRiPt:x)'],
    ['[a](data:text/html,x)', 'p a (data:text/html,x)'],
    ['[a](//e.org)', 'p a (//e.org)'],
    ['[a](vscode://x/y)', 'p a (vscode://x/y)'],
    ['[a](command:workbench.action.quit)', 'p a (command:workbench.action.quit)'],
    ['![pixel](https://e.org/p.png)', 'p pixel (https://e.org/p.png)'],
    ['<img src="https://e.org/p.png" onerror="x()">', 'p <img src="<a https://e.org/p.png>https://e.org/p.png</a>" onerror="x()">'],
    ['<script>alert(1)</script>', 'p <script>alert(1)</script>'],
])('addresses that are no links, and markup: %j', (text, expected) => {
    expect(drawn(readMarkdown(text)).join('\n')).toBe(expected);
});

test('what leads to the web', () => {
    expect(['https://a.b', 'http://localhost:1/x', 'https://', 'https:///x', 'ftp://a', 'javascript:1', ''].map(isWebAddress)).toEqual([
        true,
        true,
        false,
        false,
        false,
        false,
        false,
    ]);
});

test('no text takes long or fails, finished or not', () => {
    const whole = '# a\n\n- **b** `c` [d](https://e.org) ~~f~~\n  > g\n\n| h | i |\n|---|---|\n| j | k |\n\n```x\nl\n```\n';
    for (let end = 0; end <= whole.length; end++) readMarkdown(whole.slice(0, end));
    for (const sign of ['*', '_', '`', '[', '![', '~~', '> ', '- ', '<', '**a ', '[a](', '`a ``', '|', '\\']) {
        readMarkdown(sign.repeat(20_000));
        readMarkdown(`${sign}\n`.repeat(2_000));
    }
    // A cubic one would run into the limit of the test.
});
