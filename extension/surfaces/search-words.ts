/** Splits a search text into words. */
export function searchWords(text: string): readonly string[] {
    return text.toLowerCase().split(/\s+/u).filter(Boolean);
}

/** Whether texts have all of these words in them, in any order. */
export function hasWords(words: readonly string[], ...texts: readonly string[]): boolean {
    const text = texts.join(' ').toLowerCase();
    return words.every(word => text.includes(word));
}
