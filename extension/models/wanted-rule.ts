/** A rule that a comment asks for. */
export interface WantedRule {
    /** The text of the comment, without its signs. */
    readonly words: string;
    /** The line above which the rule goes, zero-based; it may be the one after the last. */
    readonly line: number;
    /** Nothing is below the comment yet. */
    readonly isOpen: boolean;
}

/** The rule that the comment at some lines asks for, first and last included, zero-based: the one around a line, or those among several. */
export function wantedRule(lines: readonly string[], first: number, last: number): WantedRule | undefined {
    let [start, end] = [first, last];
    if (start === end && isComment(lines[start])) {
        while (isComment(lines[start - 1])) start--;
        while (isComment(lines[end + 1])) end++;
    }
    while (end > start && isBlank(lines[end])) end--;
    const comments = lines.slice(start, end + 1).filter(isComment);
    const words = comments.map(line => line.replace(/^\s*%+/u, '').trim()).join('\n');
    if (words.trim() === '') return undefined;
    return { words, line: end + 1, isOpen: isBlank(lines[end + 1]) };
}

function isComment(line: string | undefined): boolean {
    return line !== undefined && /^\s*%/u.test(line);
}

function isBlank(line: string | undefined): boolean {
    return line === undefined || line.trim() === '';
}
