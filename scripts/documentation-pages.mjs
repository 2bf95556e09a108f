// The documentation as pages that the services serve: dist/documentation/<page>.html, and the files that they show.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Marked } from 'marked';
import { anchorOf, documentationFiles, servedLink } from './documentation-files.mjs';

const MENU = ['README', 'tutorial/README', 'language', 'functions', 'data', 'command-line', 'platform', 'vscode', 'problems/README'];

export async function writeDocumentationPages() {
    const files = await documentationFiles();
    const pages = [...files].filter(([file]) => file.endsWith('.md'));
    const texts = new Map(await Promise.all(pages.map(async ([file, address]) => [address, { file, text: await readFile(file, 'utf8') }])));
    const menu = MENU.map(name => `/docs/${name}`).map(address => `<a href="${address}">${escaped(titleOf(texts.get(address).text))}</a>`);
    for (const [address, { file, text }] of texts) {
        const inner = html(text, href => servedLink(href, file, files));
        await writeFile(await target(`${address}.html`), page(titleOf(text), menu.join(' '), inner));
    }
    for (const [file, address] of files) if (!file.endsWith('.md')) await cp(file, await target(address));
}

/** The file that is served at an address. */
async function target(address) {
    const file = address.replace(/^\/docs\//u, 'dist/documentation/');
    await mkdir(dirname(file), { recursive: true });
    return file;
}

function titleOf(text) {
    return /^# (.+)$/mu.exec(text)?.[1] ?? '';
}

function page(title, menu, inner) {
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="/docs/documentation.css">
</head>
<body>
<nav>${menu}</nav>
<main>
${inner}</main>
</body>
</html>
`;
}

/** Links to what is not served become the text that they stand under. */
function html(text, served) {
    const marked = new Marked({
        renderer: {
            html: () => '',
            heading({ tokens, depth, text: title }) {
                return `<h${depth} id="${anchorOf(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
            },
            link({ href, tokens }) {
                const inner = this.parser.parseInline(tokens);
                const target = served(href);
                return target === undefined ? inner : `<a href="${escaped(target)}">${inner}</a>`;
            },
            image({ href, text: alternative }) {
                const target = served(href);
                return target === undefined ? '' : `<img src="${escaped(target)}" alt="${escaped(alternative)}">`;
            },
        },
    });
    return marked.parse(text);
}

function escaped(text) {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
