import { cpus, totalmem } from 'node:os';
import { geometricMean } from './measure.mjs';
import { REFERENCE } from './reference.mjs';

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
    const factor = machineFactor(results);
    return [
        `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0].model.trim()}, ` +
            `${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}; ` +
            `medians of ${rounds} alternating rounds. A process that took more than ${limit} s was ended.` +
            (absent.length === 0 ? '' : ` Not installed here: ${absent.join(', ')}.`),
        '',
        ...meansTable(results, factor),
        ...groups.flatMap(group => [
            '',
            `### ${group[0].toUpperCase()}${group.slice(1)}`,
            '',
            ...table(
                ['workload', 'program', 'rows', 'cpu s', 'wall s', 'peak MB', 'cpu ratio', 'memory ratio'],
                rowsOf(
                    results.filter(({ workload }) => workload.group === group),
                    factor,
                ),
            ),
        ]),
    ].join('\n');
}

/** The page with other figures. */
export function replaceReport(page, report) {
    const [start, end] = [page.indexOf(START), page.indexOf(END)];
    if (start < 0 || end < start) throw new Error(`The page needs a line ${START} and after it a line ${END}`);
    return `${page.slice(0, start + START.length)}\n\n${report}\n\n${page.slice(end)}`;
}

/** What DuckDB needs here, divided by what it needed beside the reference; undefined where it was not measured here. */
export function machineFactor(results) {
    return geometricMean(
        Object.entries(REFERENCE.duckdb).flatMap(([name, there]) => {
            const here = results.find(({ workload }) => workload.name === name)?.measured.find(side => side.name === 'duckdb')?.cpu;
            return here === undefined ? [] : [here / there.cpu];
        }),
    );
}

/** The measured sides, and Soufflé by its reference where it was not measured. */
function sidesOf({ workload, measured }, factor) {
    const reference = REFERENCE.souffle[workload.name];
    if (reference === undefined || factor === undefined || measured.some(({ name }) => name === 'souffle')) return measured;
    return [...measured, { name: 'souffle', label: 'Soufflé, by reference', cpu: reference.cpu * factor, peak: reference.peak }];
}

function rowsOf(results, factor) {
    return results.flatMap(result => {
        const [ours, ...peers] = sidesOf(result, factor);
        return [
            [result.workload.name, ...figures(ours), '', ''],
            ...peers.map(peer => ['', ...figures(peer), ratio(ours, peer, 'cpu'), ratio(ours, peer, 'peak')]),
        ];
    });
}

function figures({ label, rows, cpu, wall, peak }) {
    if (cpu === undefined) return [label, '', 'too long', '', ''];
    return [label, rows?.toLocaleString('en-US') ?? '', cpu.toFixed(2), wall?.toFixed(2) ?? '', peak.toFixed(0)];
}

/** Ours divided by theirs: below one where ours needs less. */
function ratio(ours, peer, figure) {
    return ours?.[figure] === undefined || peer[figure] === undefined ? '' : (ours[figure] / peer[figure]).toFixed(2);
}

function meansTable(results, factor) {
    const rows = new Map();
    for (const result of results) {
        if (result.workload.group === 'scaling') continue;
        const [ours, ...peers] = sidesOf(result, factor);
        for (const peer of peers) {
            if (peer.name === 'node' || ours.cpu === undefined || peer.cpu === undefined) continue;
            const key = `${result.workload.group}\n${peer.label}`;
            rows.set(key, [...(rows.get(key) ?? []), { cpu: ours.cpu / peer.cpu, peak: ours.peak / peer.peak }]);
        }
    }
    const mean = numbers => geometricMean(numbers).toFixed(2);
    return table(
        ['work', 'compared with', 'workloads', 'cpu ratio', 'worst', 'memory ratio'],
        [...rows].map(([key, ratios]) => [
            ...key.split('\n'),
            String(ratios.length),
            mean(ratios.map(({ cpu }) => cpu)),
            Math.max(...ratios.map(({ cpu }) => cpu)).toFixed(2),
            mean(ratios.map(({ peak }) => peak)),
        ]),
    );
}

function table(titles, rows) {
    const line = cells => `| ${cells.join(' | ')} |`;
    return [line(titles), line(titles.map((_, i) => (i < 2 ? '---' : '---:'))), ...rows.map(line)];
}
