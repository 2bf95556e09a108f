/** Returns the word with a small letter for its first one. */
export function uncapitalised(word: string): string {
    return word.charAt(0).toLowerCase() + word.slice(1);
}
