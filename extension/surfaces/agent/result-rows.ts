/** Rows that a call gave. */
export interface ResultRows {
    /** Whose rows they are; none where no concept has them. */
    readonly concept?: string;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly unknown[])[];
    /** All that there are, of which these are the first. */
    readonly count: number;
    /** Of the first of these rows among the stored ones. */
    readonly from: number;
}

/** Reads the rows in the result of any tool. */
export function rowsIn(result: unknown, concept: string | undefined): ResultRows | undefined {
    if (result === null || typeof result !== 'object') return undefined;
    const { columns, rows, rows_processed: processed, count, page, page_size: size } = result as Record<string, unknown>;
    if (!isTexts(columns) || columns.length === 0 || !isRows(rows)) return undefined;
    const from = typeof page === 'number' && typeof size === 'number' ? (page - 1) * size : 0;
    const all = [processed, count].find(one => typeof one === 'number') ?? rows.length;
    return { columns, rows, count: all, from, ...(concept !== undefined && { concept }) };
}

function isTexts(value: unknown): value is readonly string[] {
    return Array.isArray(value) && value.every(one => typeof one === 'string');
}

function isRows(value: unknown): value is readonly (readonly unknown[])[] {
    return Array.isArray(value) && value.every(one => Array.isArray(one));
}
