// The sections of the pages that the documentation assistant answers from.
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { anchorOf, documentationFiles, servedLink } from './documentation-files.mjs';

/** Pages for those who work on the project. */
const LEFT_OUT = /^docs\/(?:(?:decisions|ci|reference)\/|dependencies\.md$)/u;

export async function documentationSections() {
    const files = await documentationFiles();
    const pages = [...files.keys()].filter(file => file.endsWith('.md') && !LEFT_OUT.test(file));
    const sections = await Promise.all(pages.map(async file => sectionsOf(file, await readFile(file, 'utf8'), files)));
    return sections.flat();
}

/** The name of a problem stands below its code. */
const PROBLEM = /^\*\*([^*]+)\*\* · /u;

/** A comment `<!-- asked: … -->` has words that people use for what the section says in others. */
function sectionsOf(file, text, files) {
    const url = files.get(file);
    const sections = [];
    let page = '';
    let fenced = false;
    for (const line of text.split('\n')) {
        if (line.startsWith('```')) fenced = !fenced;
        const [, title] = (!fenced && /^#{1,3} (.+)$/.exec(line)) || [];
        if (title === undefined) sections.at(-1)?.lines.push(line);
        else {
            page ||= title;
            sections.push({ title, lines: [] });
        }
    }
    return sections
        .map(({ title, lines }) => ({ title, whole: lines.join('\n').trim() }))
        .map(({ title, whole }) => ({
            title: title === page ? title : [page, `${title} ${PROBLEM.exec(whole)?.[1] ?? ''}`.trim()].join(': '),
            url: title === page ? url : `${url}#${anchorOf(title)}`,
            text: shown(whole, href => servedLink(href.startsWith('#') ? `${posix.basename(file)}${href}` : href, file, files)),
            keywords: [...whole.matchAll(/<!-- asked: (.*?) -->/gsu)].map(([, keywords]) => keywords).join(' '),
        }))
        .filter(({ text: content }) => content !== '');
}

/** The text without what only this project reads, with links that open where the page is served. */
function shown(text, served) {
    return text
        .replaceAll(/<!--.*?-->\n*/gsu, '')
        .replaceAll(/^```(\w+) .*$/gmu, '```$1')
        .replaceAll(/!\[[^\]]*\]\([^)]*\)/gu, '')
        .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/gu, (_, label, href) => {
            const address = served(href);
            return address === undefined ? label : `[${label}](${address})`;
        });
}
