import { readdir, readFile } from 'node:fs/promises';

/** The words of the page by language; those of English are in its sources. */
export async function pageWords() {
    const folder = 'extension/words';
    const tagOf = name => /^bundle\.l10n\.([\w-]+)\.json$/u.exec(name)?.[1];
    const names = (await readdir(folder)).filter(name => tagOf(name) !== undefined);
    const words = async name => [tagOf(name), JSON.parse(await readFile(`${folder}/${name}`, 'utf8'))];
    return Object.fromEntries(await Promise.all(names.map(words)));
}
