/** A part of a notebook: cells of code and of Markdown, one after another, with nothing but blank lines between them. */
export type Block = CodeBlock | MarkdownBlock;

interface Lines {
    /** The first line, and the line behind the last one; fences and marks belong to a block. */
    readonly from: number;
    readonly to: number;
    /** The lines of its text. */
    readonly textFrom: number;
    readonly textTo: number;
}

export interface CodeBlock extends Lines {
    readonly kind: 'code';
    readonly language: string;
    /** A line ends it. */
    readonly isClosed: boolean;
}

export interface MarkdownBlock extends Lines {
    readonly kind: 'markdown';
}

/** The type of these notebooks in editors. */
export const NOTEBOOK_TYPE = 'rulelang-notebook';

/** The languages of which every fenced block is a cell; one of another language is a cell where its fence says so. */
export const CELL_LANGUAGES: readonly string[] = ['rulelang', 'sql', 'python'];
export const CELL_WORD = 'cell';

interface Fence {
    readonly mark: string;
    /** The language of a cell. */
    readonly language?: string;
}

/** Splits a notebook into its cells, as Markdown is split: nothing within another fence or a comment begins a cell. */
export function blocksOf(lines: readonly string[]): Block[] {
    const blocks: Block[] = [];
    let from = 0;
    let isMarked = false;
    const endMarkdown = (to: number): void => {
        const start = isMarked ? from + 1 : from;
        const [textFrom, textTo] = withoutBlankLines(lines, start, to);
        if (isMarked || textFrom < textTo)
            blocks.push({
                kind: 'markdown',
                from: isMarked ? from : textFrom,
                to: isMarked && textFrom === textTo ? start : textTo,
                textFrom,
                textTo,
            });
        isMarked = false;
    };
    for (let at = 0; at < lines.length; ) {
        const line = lines[at] ?? '';
        const fence = fenceOf(line);
        const mark = fence === undefined ? markOf(line) : undefined;
        if (fence?.language !== undefined) {
            endMarkdown(at);
            const close = closingLine(lines, at + 1, fence.mark);
            const textTo = close ?? withoutEnd(lines);
            from = close === undefined ? lines.length : close + 1;
            const text = { textFrom: at + 1, textTo: Math.max(at + 1, textTo) };
            blocks.push({ kind: 'code', language: fence.language, isClosed: close !== undefined, from: at, to: from, ...text });
            at = from;
        } else if (fence !== undefined) at = (closingLine(lines, at + 1, fence.mark) ?? lines.length) + 1;
        else if (mark === '') {
            endMarkdown(at);
            from = at;
            isMarked = true;
            at++;
        } else if (mark !== undefined && lines.indexOf(endMark(mark), at + 1) !== -1) {
            endMarkdown(at);
            const end = lines.indexOf(endMark(mark), at + 1);
            blocks.push({ kind: 'markdown', from: at, to: end + 1, textFrom: at + 1, textTo: end });
            from = end + 1;
            at = from;
        } else at = afterComment(lines, at);
    }
    endMarkdown(lines.length);
    return blocks;
}

/** A line that begins a cell of Markdown after another one; with a word, the cell goes on to the line that ends it by that word. */
export function startMark(word = ''): string {
    return word === '' ? '<!-- cell -->' : `<!-- cell ${word} -->`;
}

export function endMark(word: string): string {
    return `<!-- end ${word} -->`;
}

/** The word of a line that begins a cell of Markdown, which may be empty. */
export function markOf(line: string): string | undefined {
    const mark = /^<!-- cell(?: (\w+))? -->\s*$/u.exec(line);
    return mark === null ? undefined : (mark[1] ?? '');
}

/** A cell begins in the first column. */
function fenceOf(line: string): Fence | undefined {
    const [, indentation, mark, info] = /^( {0,3})(`{3,}|~{3,})(.*)$/su.exec(line) ?? [];
    if (mark === undefined || info === undefined || (mark.startsWith('`') && info.includes('`'))) return undefined;
    const [language, ...more] = info.trim().split(/\s+/u);
    const isCell = language !== undefined && language !== '' && (CELL_LANGUAGES.includes(language) || more.includes(CELL_WORD));
    return { mark, ...(indentation === '' && isCell && { language }) };
}

function closingLine(lines: readonly string[], from: number, mark: string): number | undefined {
    for (let at = from; at < lines.length; at++) {
        const [, close] = /^ {0,3}(`{3,}|~{3,})\s*$/u.exec(lines[at] ?? '') ?? [];
        if (close?.startsWith(mark)) return at;
    }
    return undefined;
}

/** The line behind a comment that begins in this one, or behind this one. */
function afterComment(lines: readonly string[], at: number): number {
    const line = lines[at] ?? '';
    if (!/^ {0,3}<!--/u.test(line)) return at + 1;
    let end = line.indexOf('-->', line.indexOf('<!--') + 4) === -1 ? at + 1 : at;
    while (end > at && end < lines.length && !(lines[end] ?? '').includes('-->')) end++;
    return end + 1;
}

function withoutBlankLines(lines: readonly string[], from: number, to: number): [number, number] {
    let [start, end] = [from, to];
    while (start < end && isBlank(lines[start])) start++;
    while (end > start && isBlank(lines[end - 1])) end--;
    return [start, end];
}

/** The lines up to the last line break. */
function withoutEnd(lines: readonly string[]): number {
    return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

function isBlank(line: string | undefined): boolean {
    return line === undefined || /^[ \t\r]*$/u.test(line);
}
