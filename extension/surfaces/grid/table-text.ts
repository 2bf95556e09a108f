import { markdownRow, markdownRule } from '#server/protocol/markdown-table.ts';
import type { OutputColumn } from '#server/protocol/runs.ts';

/** Formats for copied cells: a table that spreadsheets paste, without or with the names of its columns, one of Markdown, or facts. */
export const COPY_FORMATS = ['table', 'tableWithHeader', 'markdown', 'facts'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

/** Texts of cells as a table; facts are written where the values are. */
export function tableText(
    format: CopyFormat,
    columns: readonly (OutputColumn | undefined)[],
    rows: readonly (readonly string[])[],
): string {
    const names = columns.map(column => column?.name ?? '');
    if (format !== 'markdown') return tsv(format === 'tableWithHeader' ? [names, ...rows] : rows);
    return [markdownRow(names), markdownRule(columns.map(column => column?.shape === 'number')), ...rows.map(markdownRow)].join('');
}

/** Rows as spreadsheets paste them. A cell with a tab, a line break or a quote is quoted. */
export function tsv(rows: readonly (readonly string[])[]): string {
    return rows.map(row => row.map(tsvCell).join('\t')).join('\n');
}

function tsvCell(text: string): string {
    return /["\t\n\r]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
