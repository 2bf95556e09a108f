import { CELL_LIMIT, type Cell, type OutputColumn } from '#server/protocol/runs.ts';

/** A value of an answer of the platform as the grid shows it. Nulls are called as explanations call them. */
export function valueCell(value: unknown): Cell {
    if (value === null || value === undefined) return { null: '—', missing: true };
    const [, number] = typeof value === 'string' ? (/^_:n(\d+)$/u.exec(value) ?? []) : [];
    if (number !== undefined) return { null: `z${number}` };
    const text = valueText(value);
    if (text.length <= CELL_LIMIT) return text;
    const last = text.charCodeAt(CELL_LIMIT - 1);
    const isPair = last >= 0xd800 && last < 0xdc00;
    return { text: text.slice(0, isPair ? CELL_LIMIT - 1 : CELL_LIMIT), length: text.length };
}

export function valueText(value: unknown): string {
    if (typeof value === 'string') return value;
    return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
}

/** The shape of a column of which only the values are known. */
export function shapeOfValues(values: readonly unknown[]): OutputColumn['shape'] {
    const known = values.filter(value => value !== null && value !== undefined && !(typeof value === 'string' && value.startsWith('_:n')));
    if (known.length === 0) return 'text';
    if (known.every(value => typeof value === 'number' || typeof value === 'bigint')) return 'number';
    if (known.every(value => typeof value === 'boolean')) return 'boolean';
    return known.every(value => typeof value === 'object') ? 'collection' : 'text';
}

/** The shape of a column of a type, as the platform calls it. */
export function shapeOfType(type: string | undefined): OutputColumn['shape'] {
    switch (type) {
        case 'INT':
        case 'DOUBLE':
            return 'number';
        case 'BOOLEAN':
            return 'boolean';
        case 'DATE':
        case 'DATETIME':
            return 'time';
        case 'LIST':
        case 'SET':
        case 'STRUCT':
            return 'collection';
        default:
            return 'text';
    }
}
