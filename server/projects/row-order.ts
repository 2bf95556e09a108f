import { say } from '#language/program/say.ts';
/** A column by which rows are sorted, zero-based; the first key of a list is the major one. */
export interface RowOrderKey {
    readonly column: number;
    readonly descending: boolean;
}

/** The keys of an order, or why the text is none. */
export type RowOrder = { readonly ok: true; readonly keys: readonly RowOrderKey[] } | { readonly ok: false; readonly reason: string };

/**
 * Reads `column[:asc|desc]`, several with commas. A column is a zero-based index, or a name: the exact one, else the first one that is equal
 * but for letter case.
 */
export function readRowOrder(text: string, columns: readonly string[]): RowOrder {
    const keys: RowOrderKey[] = [];
    for (const part of text.split(',')) {
        const [, written = '', direction = 'asc'] = /^(.*?)(?:\s*:\s*(asc|desc))?$/su.exec(part.trim()) ?? [];
        const name = written.trim();
        if (name === '') return { ok: false, reason: say`a column is missing` };
        const column = columnNamed(name, columns);
        if (column < 0) return { ok: false, reason: say`there is no column '${name}'` };
        keys.push({ column, descending: direction === 'desc' });
    }
    return { ok: true, keys };
}

function columnNamed(name: string, columns: readonly string[]): number {
    if (/^\d+$/u.test(name) && Number(name) < columns.length) return Number(name);
    const exact = columns.indexOf(name);
    return exact >= 0 ? exact : columns.findIndex(column => column.toLowerCase() === name.toLowerCase());
}
