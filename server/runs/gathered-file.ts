import type { ValueId } from '#engine/values/value-id.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { type GivenRows, gatherRows } from '#server/remote/given-rows.ts';
import { type ExportOptions, exportRows } from './export-rows.ts';

/** Rows of the platform that come piece by piece, and are written to a file then. */
export interface GatheredFile {
    /** Takes further rows, as JSON. */
    give(rows: string): void;
    write(file: Omit<ExportOptions, 'label'>): Promise<{ rows: number }>;
}

/** Nulls keep the numbers that answers of the platform give them. */
export function gatheredFile({ name, ...table }: Omit<GivenRows, 'rows'> & { readonly name: string }): GatheredFile {
    const labels = new Map<ValueId, string>();
    const values = gatherRows(table, (text, dictionary) => {
        const [, number] = /^_:n(\d{1,9})$/u.exec(text) ?? [];
        if (number === undefined) return undefined;
        const id = dictionary.givenNull(Number(number), true);
        labels.set(id, `z${number}`);
        return id;
    });
    return {
        give: rows => values.add(exactJson(rows) as GivenRows['rows']),
        write: async file => {
            const rows = values.rows();
            await exportRows([{ name, ...rows }], { ...file, label: id => labels.get(id) ?? '' });
            return { rows: rows.count };
        },
    };
}
