import { type Block, blocksOf, CELL_LANGUAGES, CELL_WORD, endMark, markOf, startMark } from './notebook-blocks.ts';

/** A cell as people edit it: its text has no fence, and lines that end in `\n`. */
export interface NotebookCell {
    readonly kind: 'markdown' | 'code';
    /** `rulelang`, `sql`, `python` or any other word; `markdown` of Markdown. */
    readonly language: string;
    readonly text: string;
    /** The cell as the file has it, so that unchanged cells stay as they were. */
    readonly written?: WrittenCell;
}

export interface WrittenCell {
    /** The lines of the cell, fences included. */
    readonly lines: readonly string[];
    /** The lines between the cell before and this one, where they are not the usual ones. */
    readonly gap?: readonly string[];
}

export interface Notebook {
    readonly cells: readonly NotebookCell[];
    /** How its file is written. */
    readonly form: NotebookForm;
}

export interface NotebookForm {
    readonly mark: '' | '\ufeff';
    readonly lineBreak: '\n' | '\r\n';
    /** The lines after the last cell. */
    readonly end: readonly string[];
}

export const USUAL_FORM: NotebookForm = { mark: '', lineBreak: '\n', end: [''] };

/** Reads the text of a notebook: Markdown, of which fenced blocks of some languages are cells of their own. Every text is a notebook. */
export function readNotebook(text: string): Notebook {
    const { lines, ...written } = linesOf(text);
    const blocks = blocksOf(lines);
    const cells = blocks.map((block, i) => {
        const before = blocks[i - 1];
        const gap = lines.slice(before?.to ?? 0, block.from);
        const isUsual = sameLines(gap, usualGap(before === undefined));
        return { ...cellOf(block, lines), written: { lines: lines.slice(block.from, block.to), ...(!isUsual && { gap }) } };
    });
    return { cells, form: { ...written, end: lines.slice(blocks.at(-1)?.to ?? 0) } };
}

/** The text of a notebook. What was read from a file comes out as it was; what reads as other cells by now is written in the usual form. */
export function writeNotebook({ cells, form }: Notebook): string {
    const kept = notebookText(cells, form);
    const read = readNotebook(kept).cells;
    const isSame = read.length === cells.length && cells.every((cell, i) => sameCell(cell, read[i]));
    return isSame
        ? kept
        : notebookText(
              cells.map(({ kind, language, text }) => ({ kind, language, text })),
              form,
          );
}

function notebookText(cells: readonly NotebookCell[], { mark, lineBreak, end }: NotebookForm): string {
    const lines = cells.flatMap((cell, i) => {
        const before = cells[i - 1];
        const { written } = cell;
        const isKept = written !== undefined && isOf(cell, written.lines);
        return [
            ...(written?.gap ?? usualGap(before === undefined)),
            ...(isKept ? written.lines : usualLines(cell, before?.kind === 'markdown')),
        ];
    });
    return `${mark}${[...lines, ...end].join(lineBreak)}`;
}

function isOf(cell: NotebookCell, lines: readonly string[]): boolean {
    const blocks = blocksOf(lines);
    const [only] = blocks;
    return only !== undefined && blocks.length === 1 && sameCell(cell, cellOf(only, lines));
}

/** A cell in the form that is written where there is no other; after Markdown, Markdown has a mark before it. */
function usualLines({ kind, language, text }: NotebookCell, isAfterMarkdown: boolean): string[] {
    const lines = plain(text).split('\n');
    if (kind === 'code') {
        const fence = '`'.repeat(Math.max(3, ...lines.map(line => (/^\s*(`+)/u.exec(line)?.[1]?.length ?? 0) + 1)));
        const name = language === '' ? 'text' : language;
        return [`${fence}${CELL_LANGUAGES.includes(name) ? name : `${name} ${CELL_WORD}`}`, ...(text === '' ? [] : lines), fence];
    }
    if (text === '') return [startMark()];
    if (standsAlone(lines)) return isAfterMarkdown ? [startMark(), '', ...lines] : lines;
    let word = 1;
    while (lines.includes(endMark(String(word)))) word++;
    return [startMark(String(word)), ...lines, endMark(String(word))];
}

/** Whether lines of Markdown read as one cell without marks, whatever follows. */
function standsAlone(lines: readonly string[]): boolean {
    if (lines.some(line => markOf(line) !== undefined)) return false;
    const [own, next, more] = blocksOf([...lines, '', '```rulelang', '```']);
    return (
        own?.kind === 'markdown' &&
        own.from === 0 &&
        own.textFrom === 0 &&
        own.to === lines.length &&
        next?.kind === 'code' &&
        more === undefined
    );
}

function cellOf(block: Block, lines: readonly string[]): NotebookCell {
    const text = plain(lines.slice(block.textFrom, block.textTo).join('\n'));
    return { kind: block.kind, language: block.kind === 'code' ? block.language : 'markdown', text };
}

function sameCell(one: NotebookCell, other: NotebookCell | undefined): boolean {
    return (
        one.kind === other?.kind && (one.kind === 'markdown' || one.language === other.language) && plain(one.text) === plain(other.text)
    );
}

function sameLines(some: readonly string[], others: readonly string[]): boolean {
    return some.length === others.length && some.every((line, i) => line === others[i]);
}

function usualGap(isFirst: boolean): string[] {
    return isFirst ? [] : [''];
}

function plain(text: string): string {
    return text.replaceAll(/\r\n?/gu, '\n');
}

/** The lines of a text, and how they are ended. */
export function linesOf(text: string): { readonly lines: readonly string[] } & Omit<NotebookForm, 'end'> {
    const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
    const whole = text.slice(mark.length);
    const lineBreak = whole.includes('\n') && !/(?<!\r)\n/u.test(whole) ? '\r\n' : '\n';
    return { lines: whole.split(lineBreak), mark, lineBreak };
}
