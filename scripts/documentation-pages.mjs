// The documentation as pages that the services serve: dist/documentation/<page>.html, and the files that they show.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Marked } from 'marked';
import { anchorOf, documentationFiles, servedLink } from './documentation-files.mjs';

const MENU = ['README', 'tutorial/README', 'language', 'functions', 'data', 'command-line', 'platform', 'vscode', 'problems/README'];

/** The pages as services serve them: addresses begin at the root, and nothing runs the programs in them. */
const SERVED = { folder: 'dist/documentation', link: address => address, withPrograms: text => ({ text, links: new Map() }) };

/**
 * Writes all pages; `link` says how one address leads to another, `withPrograms` gives a page links below its programs, and where they lead. `icon` is
 * the address of a picture of the pages, if they have one.
 */
export async function writeDocumentationPages({ folder, link, withPrograms, icon } = SERVED) {
    /** The file that has what is at an address. */
    const target = async address => {
        const file = address.replace(/^\/docs/u, folder);
        await mkdir(dirname(file), { recursive: true });
        return file;
    };
    const files = await documentationFiles();
    const pages = [...files].filter(([file]) => file.endsWith('.md'));
    const texts = new Map(await Promise.all(pages.map(async ([file, address]) => [address, { file, text: await readFile(file, 'utf8') }])));
    const titles = MENU.map(name => `/docs/${name}`).map(address => [address, escaped(titleOf(texts.get(address).text))]);
    for (const [address, { file, text: written }] of texts) {
        const { text, links } = withPrograms(written, address);
        const to = href => href && (href.startsWith('/') ? link(href, address) : href);
        const inner = html(text, href => links.get(href) ?? to(servedLink(href, file, files)));
        const menu = titles.map(([other, title]) => `<a href="${to(other)}">${title}</a>`).join(' ');
        await writeFile(await target(`${address}.html`), page(titleOf(text), menu, inner, to('/docs/documentation.css'), to(icon)));
    }
    for (const [file, address] of files) if (!file.endsWith('.md')) await cp(file, await target(address));
}

function titleOf(text) {
    return /^# (.+)$/mu.exec(text)?.[1] ?? '';
}

function page(title, menu, inner, style, icon) {
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${style}">${
        icon === undefined
            ? ''
            : `
<link rel="icon" href="${icon}">`
    }
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
