// The files of the documentation, and the addresses that the services serve them at.
import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';

/** Files beside the pages that these may show or link. */
const SHOWN = /\.(?:png|svg|json|yml)$/u;

/** Pages about this project itself, which its users do not need. */
const OWN = /^(?:decisions\/|dependencies\.md$)/u;

/** Address by file: `/docs/language` of `docs/language.md`. The README at the root of the project is a page among the others. */
export async function documentationFiles() {
    const names = (await readdir('docs', { recursive: true }))
        .map(name => name.replaceAll('\\', '/'))
        .filter(name => !OWN.test(name))
        .sort();
    const pages = names.filter(name => name.endsWith('.md')).map(name => [`docs/${name}`, `/docs/${name.slice(0, -'.md'.length)}`]);
    const others = names.filter(name => SHOWN.test(name)).map(name => [`docs/${name}`, `/docs/${name}`]);
    return new Map([...pages, ...others, ['README.md', '/docs/README']]);
}

/** Where a link of a file leads; undefined where what it leads to is not served. */
export function servedLink(href, file, files) {
    if (/^https?:|^#/u.test(href)) return href;
    const [path, anchor] = href.split('#');
    const address = files.get(posix.join(posix.dirname(file), path));
    return address && (anchor === undefined ? address : `${address}#${anchor}`);
}

/** The part of an address that a heading makes, as on GitHub. */
export function anchorOf(title) {
    return title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-');
}
