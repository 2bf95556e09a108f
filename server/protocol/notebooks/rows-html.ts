import { type Cell, cellText, type OutputColumn } from '../runs.ts';

/** Rows of an output, as many of them as are shown. */
export interface ShownRows {
    readonly columns: readonly Pick<OutputColumn, 'name' | 'shape'>[];
    readonly cells: readonly (readonly Cell[])[];
}

/** A table of rows: numbers to the right, and unknown and missing values told from texts by their classes. */
export function rowsHtml({ columns, cells }: ShownRows): string {
    const aligned = columns.map(({ shape }) => (shape === 'number' ? ' class="number"' : ''));
    const head = columns.map(({ name }, i) => `<th scope="col"${aligned[i]}>${escaped(name)}</th>`).join('');
    const rows = cells.map(row => `<tr>${row.map((cell, i) => `<td${aligned[i] ?? ''}>${cellHtml(cell)}</td>`).join('')}</tr>`);
    return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

/** The same as text, with cells below each other. */
export function rowsText({ columns, cells }: ShownRows): string {
    const rows = [columns.map(({ name }) => name), ...cells.map(row => row.map(cellText))].map(row =>
        row.map(text => text.replaceAll(/\s+/gu, ' ')),
    );
    const widths = columns.map((_, i) => Math.max(...rows.map(row => [...(row[i] ?? '')].length)));
    const padded = (text: string, i: number): string => {
        const blanks = ' '.repeat(Math.max(0, (widths[i] ?? 0) - [...text].length));
        return columns[i]?.shape === 'number' ? `${blanks}${text}` : `${text}${blanks}`;
    };
    return rows.map(row => row.map(padded).join('  ').trimEnd()).join('\n');
}

function cellHtml(cell: Cell): string {
    const text = escaped(cellText(cell));
    return typeof cell !== 'string' && 'null' in cell ? `<span class="null">${text}</span>` : text;
}

/** A text as it stands between tags and in quotes. */
export function escaped(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
