/** A program with other text for a literal or a condition; a `not` before it goes with it. */
export function editedText(text: string, start: number, end: number, instead: string): string {
    return text.slice(0, start).replace(/not\s*$/u, '') + instead + text.slice(end);
}
