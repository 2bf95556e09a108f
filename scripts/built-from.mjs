// What `dist/` was built from, as a digest: tests build it once, and not again for each suite.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const DIGEST = 'dist/built-from';
/** All that is built, and what says how. */
const INPUTS = ['language', 'engine', 'server', 'extension', 'syntaxes', 'docs', 'samples', 'scripts', 'package.json', 'package-lock.json'];
/** What programs of the samples write. */
const WRITTEN = new Set(['out']);
const TOP = ['CHANGELOG.md', 'LICENSE', 'README.md', 'licences.txt'];

function* filesOf(path) {
    let entries;
    try {
        entries = readdirSync(path, { withFileTypes: true });
    } catch {
        yield path;
        return;
    }
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
        const name = `${path}/${entry.name}`;
        if (WRITTEN.has(entry.name)) continue;
        if (entry.isDirectory()) yield* filesOf(name);
        else if (!name.endsWith('.tsbuildinfo')) yield name;
    }
}

function digest() {
    const hash = createHash('sha256').update(process.version);
    for (const path of [...INPUTS, ...TOP]) for (const file of filesOf(path)) hash.update(`${file}\0`).update(readFileSync(file));
    return hash.digest('hex');
}

export const noteBuild = () => writeFileSync(DIGEST, digest());

/** Whether `dist/` is what a build would make now. */
export function isBuilt() {
    try {
        return readFileSync(DIGEST, 'utf8') === digest();
    } catch {
        return false;
    }
}
