/** A line of a Markdown table; what would act in it is written as a character reference, and a line break as one of HTML. */
export function markdownRow(cells: readonly string[]): string {
    return `| ${cells.map(markdownCell).join(' | ')} |\n`;
}

/** The line below the names of the columns: those of numbers stand at the right. */
export function markdownRule(areNumbers: readonly boolean[]): string {
    return `|${areNumbers.map(isNumber => (isNumber ? ' ---: ' : ' --- ')).join('|')}|\n`;
}

function markdownCell(text: string): string {
    return text.replace(/[\\`*_[\]|~<&]/gu, character => `\\${character}`).replace(/\r\n?|\n/gu, '<br>');
}
