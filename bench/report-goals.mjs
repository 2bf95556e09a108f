import { ratioOf, sideOf, table } from './compared.mjs';
import { geometricMean } from './measure.mjs';

/** What Node takes before it has a row, in MB. */
const FLOOR = 60;
/** Workloads that count by themselves. */
const SINGLE = ['own_rand', 'load', 'join3'];

/** The measures that the evaluator is held to, each with its figure; those of what was not measured are left out. */
export function goalsTable(results) {
    const rows = [
        ...ratios(results, 'souffle', 'recursion, cpu beside Soufflé', ({ group }) => group === 'recursion'),
        ...SINGLE.flatMap(name => single(results, name)),
        ...ratios(results, 'clingo', 'cpu beside clingo, where it ends in time', () => true),
        ...bytesPerRow(results),
        ...startUp(results),
    ];
    return rows.length === 0 ? [] : table(['measure', 'figure'], rows);
}

/** The mean ratio to a peer and the worst one. */
function ratios(results, peer, title, counts) {
    const found = results
        .filter(({ workload }) => counts(workload))
        .map(({ workload, measured: [ours, ...peers] }) => {
            const theirs = peers.find(({ name }) => name === peer);
            return { name: workload.name, ratio: ratioOf(ours, theirs, 'cpu') };
        })
        .filter(({ ratio }) => ratio !== undefined);
    if (found.length === 0) return [];
    const worst = found.reduce((most, one) => (one.ratio > most.ratio ? one : most));
    return [
        [`${title}: geometric mean of ${found.length}`, geometricMean(found.map(({ ratio }) => ratio)).toFixed(2)],
        [`${title}: worst`, `${worst.ratio.toFixed(2)} (${worst.name})`],
    ];
}

function single(results, name) {
    const ours = sideOf(results, name, 'rulelang');
    return ours?.cpu === undefined ? [] : [[`${name}: cpu and peak memory`, `${ours.cpu.toFixed(2)} s, ${ours.peak.toFixed(0)} MB`]];
}

/** Peak memory above the floor, by rows that a recursion found: the densest relation and the one that costs most. */
function bytesPerRow(results) {
    const found = results
        .filter(({ workload }) => workload.group === 'recursion')
        .flatMap(({ workload, measured: [ours] }) => {
            if (ours?.peak === undefined) return [];
            return [{ name: workload.name, bytes: (Math.max(0, ours.peak - FLOOR) * 2 ** 20) / workload.rows }];
        })
        .sort((one, other) => one.bytes - other.bytes);
    if (found.length === 0) return [];
    const text = ({ name, bytes }) => `${bytes.toFixed(0)} (${name})`;
    return [[`recursion, bytes per row above ${FLOOR} MB: least and most`, `${text(found[0])}, ${text(found.at(-1))}`]];
}

function startUp(results) {
    const [ours, node] = ['rulelang', 'node'].map(side => sideOf(results, 'tiny', side));
    const ratio = ratioOf(ours, node, 'cpu');
    if (ratio === undefined) return [];
    return [['tiny: cpu beside an empty Node', `${ratio.toFixed(2)} (${ours.cpu.toFixed(3)} s of ${node.cpu.toFixed(3)} s)`]];
}
