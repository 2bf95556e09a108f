/** What a backslash in a text of SQL does: nothing, or it takes the next sign as it stands. */
export type Backslashes = 'kept' | 'escapes';

/** Comments, texts and names in quotes of SQL, as alternatives of a pattern with the flag `u`. `$$` begins a text in PostgreSQL, `#` a comment in MySQL. */
export function quotedParts(backslashes: Backslashes): string {
    const quoted = (quote: string, escapes: boolean): string =>
        `${quote}(?:[^${quote}${escapes ? String.raw`\\` : ''}]|${quote}${quote}${escapes ? String.raw`|\\[\s\S]` : ''})*${quote}`;
    const inTexts = backslashes === 'escapes';
    return [
        String.raw`--[^\n]*`,
        ...(inTexts ? [String.raw`#[^\n]*`] : []),
        String.raw`\/\*[\s\S]*?\*\/`,
        String.raw`\$(?<tag>\w*)\$(?!\{)[\s\S]*?\$\k<tag>\$`,
        String.raw`\b[eE]${quoted("'", true)}`,
        quoted("'", inTexts),
        quoted('"', inTexts),
        quoted('`', false),
    ].join('|');
}

export function isComment(part: string): boolean {
    return /^(?:--|#|\/\*)/u.test(part);
}
