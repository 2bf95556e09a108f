/** Text of a user as Markdown that shows it and does nothing else: no links, images, markup or character references. */
export function escapedText(text: string): string {
    return text
        .replace(/[\\`*_{}[\]()#+\-.!|~<>&$:@/^="']/g, character => `\\${character}`)
        .replace(/\r\n|\r|\n/g, '  \n')
        .replace(/^[ \t]+/gm, '');
}

/** A code span; a fence longer than every run of backticks inside keeps the text in it. */
export function inlineCode(text: string): string {
    const line = text.replace(/\s+/g, ' ');
    const fence = '`'.repeat(longestRun(line) + 1);
    const blank = line.startsWith('`') || line.endsWith('`') || line.trim() === '' ? ' ' : '';
    return `${fence}${blank}${line}${blank}${fence}`;
}

/** A block of code in our own language. */
export function codeBlock(text: string): string {
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
    return `${fence}rulelang\n${text}\n${fence}`;
}

/** A table of cells that are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
    return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Code in a cell of a table. */
export function codeCell(code: string): string {
    return inlineCode(code).replaceAll('|', '\\|');
}

/** Text in a cell of a table. */
export function textCell(sentence: string): string {
    return sentence.replaceAll('|', '\\|');
}

function longestRun(text: string): number {
    return Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length));
}
