import { cellProgram } from './notebook-program.ts';
import type { NotebookCell } from './notebook-text.ts';

/** A notebook as a program: its prose as comments, its queries as rules, and cells of other languages as comments too. */
export function notebookRules(cells: readonly Pick<NotebookCell, 'kind' | 'language' | 'text'>[]): string {
    return cells.map(cell => `${cellRules(cell).join('\n')}\n`).join('\n');
}

function cellRules({ kind, language, text }: Pick<NotebookCell, 'kind' | 'language' | 'text'>): readonly string[] {
    const lines = text.replaceAll(/\r\n?/gu, '\n').trimEnd().split('\n');
    if (kind === 'markdown') return lines.map(comment);
    const { lines: program, end } = cellProgram(language, lines);
    if (language === 'rulelang') return program;
    if (end !== '.') return lines.map(comment);
    const [head = '', ...query] = program;
    return [head.trim(), ...query.slice(0, -1), `${query.at(-1)?.trimEnd() ?? ''}${end}`];
}

function comment(line: string): string {
    return line.trim() === '' ? '%' : `% ${line}`;
}
