import type { Cell, OutputColumn, OutputSummary, RowFilter, RowView } from '#server/protocol/runs.ts';
import { l10n } from '../l10n.ts';
import { cellText, isMissing, isNull } from './cell-text.ts';
import type { RowSource } from './row-source.ts';
import { shapeOfValues, valueCell, valueText } from './value-cell.ts';

/** Rows that are all at hand: they are sorted, filtered and searched here. */
export interface GivenRows extends RowSource {
    readonly output: OutputSummary;
    /** Returns the place of a view's row among the given ones. */
    placeOf(view: RowView, row: number): number;
}

interface Row {
    readonly values: readonly unknown[];
    readonly cells: readonly Cell[];
    readonly place: number;
}

/** Builds a source of given rows. Columns with nothing but a name take their types from the values. */
export function givenRows(name: string, columns: readonly (string | OutputColumn)[], values: readonly (readonly unknown[])[]): GivenRows {
    const rows = values.map((row, place): Row => ({ values: row, cells: columns.map((_, i) => valueCell(row[i])), place }));
    const output: OutputSummary = {
        key: name,
        name,
        rows: rows.length,
        columns: columns.map((column, i) =>
            typeof column === 'string' ? { name: column, type: '', shape: shapeOfValues(values.map(row => row[i])) } : column,
        ),
    };
    const seen = ({ sort = [], filters = [], search = '' }: RowView): readonly Row[] => {
        const sought = search.toLowerCase();
        const found = rows.filter(
            ({ cells }) =>
                filters.every(filter => passes(cells[filter.column], filter)) &&
                (sought === '' || cells.some(cell => cellText(cell).toLowerCase().includes(sought))),
        );
        if (sort.length === 0) return found;
        return found.toSorted((a, b) => {
            for (const { column, descending } of sort) {
                const isNumeric = output.columns[column]?.shape === 'number';
                const found = isNumeric ? compared(numberIn(a, column), numberIn(b, column)) : compared(a.values[column], b.values[column]);
                if (found !== 0) return descending ? -found : found;
            }
            return a.place - b.place;
        });
    };
    return {
        output,
        async page(view, offset, limit) {
            const found = seen(view);
            const cells = found.slice(offset, offset + limit).map(row => row.cells);
            return { rows: rows.length, matching: found.length, offset, cells };
        },
        cell: async (view, row, column) => valueText(seen(view)[row]?.values[column]),
        placeOf: (view, row) => seen(view)[row]?.place ?? row,
    };
}

/** The number that a text is; other values as they are. */
function numberIn({ values }: Row, column: number): unknown {
    const value = values[column];
    if (typeof value !== 'string' || value.trim() === '') return value;
    const number = Number(value);
    return Number.isNaN(number) ? value : number;
}

function compared(left: unknown, right: unknown): number {
    if (isNumeric(left) && isNumeric(right)) return left < right ? -1 : left > right ? 1 : 0;
    const [one, other] = [valueText(left), valueText(right)];
    return one < other ? -1 : one > other ? 1 : 0;
}

function isNumeric(value: unknown): value is number | bigint {
    return typeof value === 'number' || typeof value === 'bigint';
}

function passes(cell: Cell | undefined, { operator, value }: RowFilter): boolean {
    if (cell === undefined) return false;
    const text = cellText(cell);
    const [found, sought] = [text.toLowerCase(), value.toLowerCase()];
    switch (operator) {
        case 'equals':
            return !isNull(cell) && sameText(text, value);
        case 'differs':
            return isNull(cell) || !sameText(text, value);
        case 'contains':
            return !isNull(cell) && found.includes(sought);
        case 'lacks':
            return isNull(cell) || !found.includes(sought);
        case 'starts':
            return !isNull(cell) && found.startsWith(sought);
        case 'ends':
            return !isNull(cell) && found.endsWith(sought);
        case 'matches':
            throw new Error(l10n.t('Patterns are looked for among the rows of the concept, not in this excerpt.'));
        case 'less':
            return !isNull(cell) && order(text, value) < 0;
        case 'atMost':
            return !isNull(cell) && order(text, value) <= 0;
        case 'greater':
            return !isNull(cell) && order(text, value) > 0;
        case 'atLeast':
            return !isNull(cell) && order(text, value) >= 0;
        case 'unknown':
            return isNull(cell);
        case 'known':
            return !isNull(cell);
        case 'missing':
            return isMissing(cell);
        case 'labelled':
            return isNull(cell) && !isMissing(cell) && (value === '' || text === value);
    }
}

function sameText(text: string, value: string): boolean {
    return text === value || (text !== '' && value !== '' && Number(text) === Number(value));
}

/** Numbers by value; dates have the order of their texts. */
function order(text: string, value: string): number {
    const [left, right] = [Number(text), Number(value)];
    if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
    return text < value ? -1 : text > value ? 1 : 0;
}
