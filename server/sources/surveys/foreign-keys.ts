import { grouped } from '../grouped.ts';
import type { ForeignKey, FoundColumn } from './found-table.ts';

/** A column of a foreign key; those of one key follow each other. */
export interface KeyColumn {
    readonly key: string;
    readonly column: string;
    readonly table: string;
    readonly reference: string;
}

interface Columned {
    readonly name: string;
    readonly columns: readonly FoundColumn[];
}

/** The keys all of whose columns are among those of the table and of the tables that were found, in the order of their first columns. */
export function keysOf(rows: readonly KeyColumn[], columns: readonly FoundColumn[], found: readonly Columned[]): ForeignKey[] {
    const at = (name: string): number => columns.findIndex(column => column.name === name);
    const keys = [...grouped(rows, ({ key }) => key).values()].flatMap((parts): ForeignKey[] => {
        const table = parts[0]?.table ?? '';
        const referenced = found.find(({ name }) => name === table);
        const isWhole = parts.every(
            ({ column, reference }) => at(column) >= 0 && referenced?.columns.some(({ name }) => name === reference) === true,
        );
        return isWhole ? [{ table, columns: parts.map(({ column }) => column), references: parts.map(({ reference }) => reference) }] : [];
    });
    return keys.sort((a, b) => at(a.columns[0] ?? '') - at(b.columns[0] ?? ''));
}
