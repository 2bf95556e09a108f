import type { Cell, RowView } from '#server/protocol/runs.ts';
import { cellText, isNull } from '../grid/cell-text.ts';
import type { DashboardRows } from './dashboard-host.ts';
import type { Measure } from './definition.ts';

export interface FoundNumber {
    /** Undefined where there is nothing to take it from. */
    readonly cell: Cell | undefined;
    /** It was found in so many rows, which are not all. */
    readonly rows: number;
    readonly isPart: boolean;
}

/** Rows whose numbers are added. */
const ADDED = 10_000;
const PAGE = 1_000;

/** Computes the measure of a column over the rows, by its index. */
export async function numberOf(rows: DashboardRows, measure: Measure, column: number): Promise<FoundNumber> {
    const { output } = rows;
    const whole = { rows: output.rows, isPart: false };
    const first = async (view: Omit<RowView, 'output'>): Promise<Cell | undefined> =>
        (await rows.page({ output: output.key, ...view }, 0, 1)).cells[0]?.[column];
    switch (measure) {
        case 'count':
            return { ...whole, cell: String(output.rows) };
        case 'value':
            return { ...whole, cell: await first({}) };
        case 'least':
        case 'most': {
            const filters = [{ column, operator: 'known', value: '' }] as const;
            return { ...whole, cell: await first({ filters, sort: [{ column, descending: measure === 'most' }] }) };
        }
        case 'sum':
            return sumOf(rows, column);
    }
}

async function sumOf(rows: DashboardRows, column: number): Promise<FoundNumber> {
    const { output } = rows;
    let sum = 0;
    let whole = 0n;
    let isWhole = true;
    let seen = 0;
    for (let more = true; more && seen < ADDED; ) {
        const { cells, matching } = await rows.page({ output: output.key }, seen, Math.min(PAGE, ADDED - seen));
        for (const row of cells) {
            const cell = row[column];
            if (cell === undefined || isNull(cell)) continue;
            const text = cellText(cell);
            const number = Number(text);
            if (text === '' || !Number.isFinite(number)) continue;
            sum += number;
            if (/^-?\d+$/u.test(text)) whole += BigInt(text);
            else isWhole = false;
        }
        seen += cells.length;
        more = cells.length > 0 && seen < matching;
    }
    return { cell: isWhole ? String(whole) : String(Number(sum.toPrecision(12))), rows: seen, isPart: seen < output.rows };
}
