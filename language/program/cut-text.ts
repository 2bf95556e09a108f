/** Cuts a text to at most so many characters, with `…` for the rest. It never splits a surrogate pair. */
export function cutText(text: string, most: number): string {
    return text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
