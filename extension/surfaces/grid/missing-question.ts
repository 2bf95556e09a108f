import type { OutputSummary, RowFilter } from '#server/protocol/runs.ts';

/** The question about a missing row of an output: its filters that say what a column equals, `_` for the rest. */
export function missingQuestion({ name, columns }: OutputSummary, filters: readonly RowFilter[] = []): string {
    const terms = columns.map(({ shape }, column) => {
        const filter = filters.find(one => one.column === column && one.operator === 'equals');
        return filter === undefined ? '_' : termOf(filter.value, shape);
    });
    return `${name}(${terms.join(', ')})`;
}

function termOf(value: string, shape: OutputSummary['columns'][number]['shape']): string {
    switch (shape) {
        case 'number':
        case 'time':
            return value;
        case 'boolean':
            return value === 'true' ? '#T' : '#F';
        case 'text':
            return JSON.stringify(value);
        case 'collection':
            return '_';
    }
}
