/** One `key=value` of a text whose values may hold commas. */
export interface KnownOption {
    readonly key: string;
    readonly value: string;
}

const KEY = /(^|,)\s*([A-Za-z_]\w*)\s*=/gu;

/**
 * Splits `key=value,key=value` (7.6). A value for which `holdsText` is true runs to the next `,key=` with a known key;
 * any other to the next `,word=`, so that unknown keys show. A text that begins with something else begins with an option
 * without key.
 */
export function splitKnownOptions(text: string, isKnown: (key: string) => boolean, holdsText: (key: string) => boolean): KnownOption[] {
    const options: { key: string; from: number; to: number }[] = [];
    for (const match of text.matchAll(KEY)) {
        const key = match[2] ?? '';
        const before = options.at(-1);
        if (before !== undefined && holdsText(before.key) && !isKnown(key)) continue;
        if (before !== undefined) before.to = match.index;
        options.push({ key, from: match.index + match[0].length, to: text.length });
    }
    const found = options.map(({ key, from, to }) => ({ key, value: text.slice(from, to).trim() }));
    const first = /^\s*[A-Za-z_]\w*\s*=/u.test(text) || text.trim() === '';
    return first ? found : [{ key: '', value: text.trim() }, ...found];
}
