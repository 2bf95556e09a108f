// The sections of the pages that the documentation assistant answers from.
import { readdir, readFile } from 'node:fs/promises';

/** Pages for those who work on the project. */
const LEFT_OUT = /^(?:decisions|ci|images|reference)\/|^dependencies\.md$/;

export async function documentationSections() {
    const pages = (await readdir('docs', { recursive: true }))
        .map(name => name.replaceAll('\\', '/'))
        .filter(name => name.endsWith('.md') && !LEFT_OUT.test(name))
        .sort();
    const texts = await Promise.all(pages.map(async name => [`/docs/${name.slice(0, -3)}`, await readFile(`docs/${name}`, 'utf8')]));
    return [...texts, ['/', await readFile('README.md', 'utf8')]].flatMap(([url, text]) => sectionsOf(url, text));
}

function sectionsOf(url, text) {
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
        .map(({ title, lines }) => ({
            title: title === page ? title : `${page}: ${title}`,
            url:
                title === page
                    ? url
                    : `${url}#${title
                          .toLowerCase()
                          .replaceAll(/[^\w -]/g, '')
                          .replaceAll(' ', '-')}`,
            text: lines.join('\n').trim(),
        }))
        .filter(({ text: content }) => content !== '');
}
