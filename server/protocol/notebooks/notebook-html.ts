import { type Block, readMarkdown, type Span } from '../markdown.ts';
import { escaped, rowsHtml, type ShownRows } from './rows-html.ts';

/** A cell as a page shows it. */
export interface PageCell {
    readonly kind: 'markdown' | 'code';
    readonly language: string;
    readonly text: string;
    readonly outputs: readonly PageOutput[];
}

export type PageOutput =
    /** `count` says how many rows there are, and of what. */
    { readonly kind: 'rows'; readonly count: string; readonly shown: ShownRows } | { readonly kind: 'message'; readonly message: string };

/** A notebook as a page that needs nothing else: no script, no picture and no other file. */
export function notebookHtml(title: string, cells: readonly PageCell[]): string {
    return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
${STYLE}
</style>
</head>
<body>
<main>
${cells.map(cellHtml).join('\n')}
</main>
</body>
</html>
`;
}

function cellHtml({ kind, language, text, outputs }: PageCell): string {
    if (kind === 'markdown') return readMarkdown(text).map(blockHtml).join('\n');
    const code = `<pre class="code" data-language="${escaped(language)}"><code>${escaped(text)}</code></pre>`;
    return `<section>\n${[code, ...outputs.map(outputHtml)].join('\n')}\n</section>`;
}

function outputHtml(output: PageOutput): string {
    if (output.kind === 'message') return `<p class="message">${escaped(output.message)}</p>`;
    const { count, shown } = output;
    const table = shown.cells.length === 0 ? '' : `\n<div class="rows" tabindex="0">${rowsHtml(shown)}</div>`;
    return `<p class="count">${escaped(count)}</p>${table}`;
}

function blockHtml(block: Block): string {
    switch (block.kind) {
        case 'paragraph':
            return `<p>${spansHtml(block.spans)}</p>`;
        case 'heading':
            return `<h${block.level}>${spansHtml(block.spans)}</h${block.level}>`;
        case 'code':
            return `<pre><code>${escaped(block.text)}</code></pre>`;
        case 'list': {
            const items = block.items.map(item => `<li>${itemHtml(item)}</li>`).join('\n');
            return block.start === undefined ? `<ul>\n${items}\n</ul>` : `<ol start="${block.start}">\n${items}\n</ol>`;
        }
        case 'quote':
            return `<blockquote>\n${block.blocks.map(blockHtml).join('\n')}\n</blockquote>`;
        case 'table': {
            const row = (cells: readonly (readonly Span[])[], tag: 'th' | 'td'): string =>
                `<tr>${cells.map(cell => `<${tag}>${spansHtml(cell)}</${tag}>`).join('')}</tr>`;
            const rows = block.rows.map(cells => row(cells, 'td')).join('\n');
            return `<table><thead>${row(block.head, 'th')}</thead><tbody>\n${rows}\n</tbody></table>`;
        }
        case 'rule':
            return '<hr>';
    }
}

/** A text of one line stands by itself in its item. */
function itemHtml([first, ...others]: readonly Block[]): string {
    const text = first?.kind === 'paragraph' ? spansHtml(first.spans) : first && blockHtml(first);
    return [text ?? '', ...others.map(blockHtml)].join('\n');
}

function spansHtml(spans: readonly Span[]): string {
    return spans.map(spanHtml).join('');
}

const TAGS = { strong: 'strong', emphasis: 'em', struck: 's' } as const;

function spanHtml(span: Span): string {
    switch (span.kind) {
        case 'text':
            return escaped(span.text);
        case 'code':
            return `<code>${escaped(span.text)}</code>`;
        case 'link':
            return `<a href="${escaped(span.target)}">${spansHtml(span.spans)}</a>`;
        default:
            return `<${TAGS[span.kind]}>${spansHtml(span.spans)}</${TAGS[span.kind]}>`;
    }
}

const STYLE = `:root { color-scheme: light dark; --line: #d0d7de; --quiet: #57606a; --code: #f6f8fa; --error: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --quiet: #9198a1; --code: #1f242c; --error: #ff8a80; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 860px; margin: 0 auto; padding: 16px; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 24px 0 8px; }
pre, code { font-family: ui-monospace, monospace; font-size: 13px; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 4px; padding: 8px 12px; overflow-x: auto; }
section { margin: 16px 0; }
section pre { margin: 0 0 8px; }
table { border-collapse: collapse; font-size: 13px; }
th, td { border: 1px solid var(--line); padding: 2px 8px; text-align: left; vertical-align: top; white-space: pre-wrap; }
.rows { overflow-x: auto; max-height: 480px; }
.rows td { font-family: ui-monospace, monospace; }
.rows th { position: sticky; top: 0; background: var(--code); }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
.count, .null { color: var(--quiet); }
.count { margin: 8px 0 4px; font-size: 13px; }
.message { color: var(--error); white-space: pre-wrap; }
blockquote { border-left: 3px solid var(--line); margin: 0; padding-left: 12px; color: var(--quiet); }`;
