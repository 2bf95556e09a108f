import { visible } from '#server/notices/visible-text.ts';

/** A text as the value of an attribute. */
export function quoted(text: string): string {
    return `"${escaped(text)}"`;
}

const REFERENCES = new Map([
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['>', '&gt;'],
    ['"', '&quot;'],
    ["'", '&apos;'],
]);

/** XML has no place for most control characters, for halves of surrogate pairs and for U+FFFE and U+FFFF, even as references. */
export function escaped(text: string): string {
    return visible(text)
        .replace(/[&<>"']/gu, character => REFERENCES.get(character) ?? character)
        .replace(/[\ud800-\udfff\ufffe\uffff]/gu, '\ufffd');
}
