import { cpus, totalmem } from 'node:os';
import { ratioOf, table } from './compared.mjs';
import { geometricMean } from './measure.mjs';
import { goalsTable } from './report-goals.mjs';
import { scalingSeries, scalingTable } from './report-scaling.mjs';

/** The file of the chart, beside the page. */
export const CHART = 'performance.svg';

const [START, END] = ['<!-- figures -->', '<!-- end of the figures -->'];

/** One line per side, for a terminal. */
export function textReport(results) {
    return rowsOf(results)
        .map(([name, side, ...figures]) => `${name.padEnd(14)}${side.padEnd(26)}${figures.map(text => text.padStart(12)).join('')}`)
        .join('\n');
}

/** The figures, by groups of workloads, and the means, as a part of a page. */
export function markdownReport({ results, absent, rounds, limit }) {
    const groups = [...new Set(results.map(({ workload }) => workload.group))];
    return [
        `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0].model.trim()}, ` +
            `${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}; ` +
            `medians of ${rounds} alternating rounds. A process that took more than ${limit} s was ended.` +
            (absent.length === 0 ? '' : ` Not installed here: ${absent.join(', ')}.`),
        '',
        ...goalsTable(results),
        ...meansTable(results),
        ...linearity(results),
        ...groups.flatMap(group => [
            '',
            `### ${group[0].toUpperCase()}${group.slice(1)}`,
            '',
            ...table(
                ['workload', 'program', 'rows', 'cpu s', 'wall s', 'peak MB', 'cpu ratio', 'memory ratio'],
                rowsOf(results.filter(({ workload }) => workload.group === group)),
            ),
        ]),
    ].join('\n');
}

/** What a row costs on inputs of growing size, in a table and in the chart beside the page. */
function linearity(results) {
    const series = scalingSeries(results);
    if (series.length === 0) return [];
    return [
        '',
        '### Cost by size',
        '',
        'Cpu seconds of rulelang above what `tiny` takes, by rows of input and output together. Where work is linear, the last',
        'two columns are equal, and the lines of the chart climb as steeply as the dashed ones.',
        '',
        ...scalingTable(series),
        '',
        `![CPU seconds by rows, both in powers of ten](${CHART})`,
    ];
}

/** The page with other figures. */
export function replaceReport(page, report) {
    const [start, end] = [page.indexOf(START), page.indexOf(END)];
    if (start < 0 || end < start) throw new Error(`The page needs a line ${START} and after it a line ${END}`);
    return `${page.slice(0, start + START.length)}\n\n${report}\n\n${page.slice(end)}`;
}

function rowsOf(results) {
    return results.flatMap(({ workload, measured: [ours, ...peers] }) => [
        [workload.name, ...figures(ours), '', ''],
        ...peers.map(peer => ['', ...figures(peer), ratio(ours, peer, 'cpu'), ratio(ours, peer, 'peak')]),
    ]);
}

function figures({ label, rows, cpu, wall, peak }) {
    if (cpu === undefined) return [label, '', 'too long', '', ''];
    return [label, rows?.toLocaleString('en-US') ?? '', cpu.toFixed(2), wall.toFixed(2), peak.toFixed(0)];
}

function ratio(ours, peer, figure) {
    return ratioOf(ours, peer, figure)?.toFixed(2) ?? '';
}

function meansTable(results) {
    const rows = new Map();
    for (const { workload, measured } of results) {
        if (workload.group === 'scaling') continue;
        const [ours, ...peers] = measured;
        for (const peer of peers) {
            if (peer.name === 'node' || ours.cpu === undefined || peer.cpu === undefined) continue;
            const key = `${workload.group}\n${peer.label}`;
            rows.set(key, [...(rows.get(key) ?? []), { cpu: ours.cpu / peer.cpu, peak: ours.peak / peer.peak }]);
        }
    }
    const mean = numbers => geometricMean(numbers).toFixed(2);
    if (rows.size === 0) return [];
    const means = table(
        ['work', 'compared with', 'workloads', 'cpu ratio', 'worst', 'memory ratio'],
        [...rows].map(([key, ratios]) => [
            ...key.split('\n'),
            String(ratios.length),
            mean(ratios.map(({ cpu }) => cpu)),
            Math.max(...ratios.map(({ cpu }) => cpu)).toFixed(2),
            mean(ratios.map(({ peak }) => peak)),
        ]),
    );
    return ['', '### Means', '', ...means];
}
