import { sideOf, table } from './compared.mjs';

/** The steps of each piece of work that is measured on inputs of growing size. */
const SERIES = ['load', 'join', 'reach'].map(work => ({ work, steps: ['1x', '10x', '100x'].map(size => `${work}_${size}`) }));

/**
 * Steps by work: rows in input and output together, and the cpu seconds above what `tiny` takes, which is the start; work
 * without two steps, and all of it without `tiny`, is left out.
 */
export function scalingSeries(results) {
    const start = sideOf(results, 'tiny', 'rulelang')?.cpu;
    if (start === undefined) return [];
    return SERIES.flatMap(({ work, steps }) => {
        const points = steps.flatMap(name => {
            const result = results.find(({ workload }) => workload.name === name);
            const cpu = sideOf(results, name, 'rulelang')?.cpu;
            if (cpu === undefined) return [];
            return [{ name, from: result.takenFrom, rows: result.input + result.workload.rows, cost: Math.max(0, cpu - start) }];
        });
        return points.length < 2 ? [] : [{ work, points }];
    });
}

/** What a row costs at each size, and how the cost grows beside the rows. */
export function scalingTable(series) {
    const rows = series.flatMap(({ points }) =>
        points.map(({ name, from, rows: count, cost }, i) => {
            const before = points[i - 1];
            const growth = before === undefined || before.cost === 0 ? undefined : { rows: count / before.rows, cost: cost / before.cost };
            return [
                from === undefined ? name : `${name} (${from})`,
                count.toLocaleString('en-US'),
                cost.toFixed(2),
                ((cost / count) * 1e6).toFixed(2),
                growth === undefined ? '' : growth.rows.toFixed(1),
                growth === undefined ? '' : growth.cost.toFixed(1),
            ];
        }),
    );
    return table(['step', 'rows in and out', 'cpu s above the start', 'µs per row', 'times the rows', 'times the cost'], rows, 1);
}
