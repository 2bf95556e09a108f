/** The word with a capital for its first letter. */
export function capitalised(word: string): string {
    return word.charAt(0).toUpperCase() + word.slice(1);
}
