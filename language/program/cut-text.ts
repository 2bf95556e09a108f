/** A text of so many characters at most, with `…` for what is left out. A character of two units stays whole: half of one is no text. */
export function cutText(text: string, most: number): string {
    return text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
