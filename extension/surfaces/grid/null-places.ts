import type { OutputSummary } from '#server/protocol/runs.ts';
import type { RowSource } from './row-source.ts';

/** A column in which a null is found, and in how many rows. */
export interface NullPlace {
    readonly output: OutputSummary;
    readonly column: number;
    readonly rows: number;
}

/** Columns that are looked through for a null. */
const LOOKED_AT = 200;

/** Finds the places of a null, by its label; `whole` is false if there are more columns than `LOOKED_AT`. */
export async function nullPlaces(
    source: RowSource,
    outputs: readonly OutputSummary[],
    label: string,
): Promise<{ readonly places: readonly NullPlace[]; readonly whole: boolean }> {
    const columns = outputs.flatMap(output => output.columns.map((_, column) => ({ output, column })));
    const places: NullPlace[] = [];
    for (const { output, column } of columns.slice(0, LOOKED_AT)) {
        const filters = [{ column, operator: 'labelled', value: label }] as const;
        const { matching } = await source.page({ output: output.key, filters: [...filters] }, 0, 1);
        if (matching > 0) places.push({ output, column, rows: matching });
    }
    return { places, whole: columns.length <= LOOKED_AT };
}
