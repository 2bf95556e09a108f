import { geometricMean } from './measure.mjs';
import { REFERENCE } from './reference.mjs';

/** What DuckDB needs here, divided by what it needed beside the reference; undefined where it was not measured here. */
export function machineFactor(results) {
    return geometricMean(
        Object.entries(REFERENCE.duckdb).flatMap(([name, there]) => {
            const here = sideOf(results, name, 'duckdb')?.cpu;
            return here === undefined ? [] : [here / there.cpu];
        }),
    );
}

/** The measured sides, ours first, and Soufflé by its reference where it was not measured. */
export function sidesOf({ workload, measured }, factor) {
    const reference = REFERENCE.souffle[workload.name];
    if (reference === undefined || factor === undefined || measured.some(({ name }) => name === 'souffle')) return measured;
    return [...measured, { name: 'souffle', label: 'Soufflé, by reference', cpu: reference.cpu * factor, peak: reference.peak }];
}

/** What a side needed for a workload; undefined where it was not measured. */
export function sideOf(results, workload, side) {
    return results.find(result => result.workload.name === workload)?.measured.find(({ name }) => name === side);
}

/** Ours divided by theirs, below one where ours needs less; undefined where one of them is missing. */
export function ratioOf(ours, peer, figure) {
    return ours?.[figure] === undefined || peer?.[figure] === undefined ? undefined : ours[figure] / peer[figure];
}

/** A table in Markdown; all columns but the first `texts` hold numbers. */
export function table(titles, rows, texts = 2) {
    const line = cells => `| ${cells.join(' | ')} |`;
    return [line(titles), line(titles.map((_, i) => (i < texts ? '---' : '---:'))), ...rows.map(line)];
}
