/** Rows as spreadsheets paste them. A cell with a tab, a line break or a quote is quoted. */
export function tsv(rows: readonly (readonly string[])[]): string {
    return rows.map(row => row.map(tsvCell).join('\t')).join('\n');
}

function tsvCell(text: string): string {
    return /["\t\n\r]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
