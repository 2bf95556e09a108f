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
