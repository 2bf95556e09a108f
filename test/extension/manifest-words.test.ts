import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { extensionManifest } from '#extension/manifest.ts';

const WORDS = fileURLToPath(new URL('../../extension/words', import.meta.url));
const ENGLISH = 'package.nls.json';

/** Where VS Code shows what stands in a manifest. */
const SHOWN = new Set([
    ...['description', 'markdownDescription', 'enumDescriptions', 'title', 'label'],
    ...['displayName', 'fullName', 'userDescription', 'sampleRequest'],
]);
/** What language models read, and nobody else. */
const FOR_MODELS = 'inputSchema';
/** What is called the same in every language. */
const NAME = 'Rulelang';

const manifest = extensionManifest('1.0.0');

test('what a manifest shows is called by its key', () => {
    const hardWired = [...textsOf(manifest)].filter(({ key, text }) => SHOWN.has(key) && text !== NAME && keyIn(text) === undefined);
    expect(hardWired).toEqual([]);
});

test('every catalogue has the keys of the manifest, and no other', () => {
    const used = new Set([...textsOf(manifest)].flatMap(({ text }) => keyIn(text) ?? []));
    const catalogues = readdirSync(WORDS).filter(name => /^package\.nls(?:\.[\w-]+)?\.json$/u.test(name));
    expect(catalogues).toContain(ENGLISH);
    for (const name of catalogues) expect(Object.keys(wordsOf(name)).sort(), name).toEqual([...used].sort());
});

function wordsOf(name: string): Record<string, string> {
    return JSON.parse(readFileSync(`${WORDS}/${name}`, 'utf8'));
}

function keyIn(text: string): string | undefined {
    return /^%([\w.-]+)%$/u.exec(text)?.[1];
}

/** Every text of a manifest, with the property in which it, or the list it is in, stands. */
function* textsOf(value: unknown, key = ''): Iterable<{ readonly key: string; readonly text: string }> {
    if (typeof value === 'string') yield { key, text: value };
    else if (Array.isArray(value)) for (const item of value) yield* textsOf(item, key);
    else if (typeof value === 'object' && value !== null) {
        for (const [name, part] of Object.entries(value)) if (name !== FOR_MODELS) yield* textsOf(part, name);
    }
}
