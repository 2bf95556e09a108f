import {
    blockedGraph,
    blocks,
    chain,
    fields,
    grid,
    layers,
    mixedRows,
    orders,
    ownership,
    pointers,
    randomDigraph,
    reachable,
    skewedGraph,
    staff,
    tree,
    universities,
} from './inputs.mjs';

/**
 * The workloads. Each runs `programs/<program>.rulelang` on its files, and must list `rows` rows in all outputs together;
 * so must each peer that has the program in `peers/`. `group` is the part of the table and of the means. `peers` names
 * those that are run besides DuckDB: the others take minutes, or have no such thing. A workload that is the `sameAs` an
 * earlier one of the run takes its figures. `convert` is a script that makes other files of those that are written.
 */
export const WORKLOADS = [
    recursive('tc_rand1m', 'tc', 1_046_645, () => randomDigraph(1250, 2500, 11), ['sqlite', 'clingo', 'swipl', 'souffle']),
    recursive('tc_rand10m', 'tc', 10_221_082, () => randomDigraph(4000, 8000, 12), ['souffle']),
    recursive('tc_chain2000', 'tc', 1_999_000, () => chain(2000), ['sqlite', 'clingo', 'swipl', 'souffle']),
    recursive('tc_grid60', 'tc', 3_345_300, () => grid(60), ['souffle']),
    recursive('tc_wide', 'tc', 7_272_538, () => blocks(500_000, 13), ['souffle']),
    recursive('sg_tree', 'sg', 1_398_100, () => tree(2047), ['sqlite', 'clingo', 'swipl', 'souffle']),
    recursive('sg_rand', 'sg', 1_198_818, () => layers(20, 300, 21), ['sqlite', 'clingo', 'swipl', 'souffle']),
    recursive('pt_large', 'pt', 1_051_984, () => pointers(60_000, 32), ['clingo', 'souffle']),
    recursive('fpt', 'fpt', 559_197, () => fields(3000, 12, 33), ['souffle']),
    other('join3', 'join', 2000, () => orders(1_000_000, 100_000, 10_000, 41), ['sqlite']),
    other('load', 'load', 737_106, () => mixedRows(1_000_000, 61), ['sqlite']),
    other('own_rand', 'own', 1_288_924, () => ownership(200_000, 51)),
    other('triangles', 'triangles', 75_321, () => skewedGraph(20_000, 300_000, 71), ['sqlite', 'clingo']),
    other('negation', 'negation', 1_056_806, () => blockedGraph(20_000, 36_000, 100, 72), ['sqlite']),
    other('strings', 'strings', 1_046_645, () => randomDigraph(1250, 2500, 11, stationName), ['sqlite', 'clingo']),
    other('chase', 'chase', 823_384, () => staff(100_000, 3000, 73)),
    other('lubm', 'lubm', 328_466, () => universities(30, 74)),
    other('views', 'views', 2000, () => orders(1_000_000, 100_000, 10_000, 41)),
    other('ends', 'ends', 3451, () => randomDigraph(4000, 8000, 12)),
    { ...other('export', 'export', 1_046_645, () => randomDigraph(1250, 2500, 11)), written: 'path.csv' },
    other('sql', 'sql', 5000, () => mixedRows(1_000_000, 61)),
    { ...other('parquet', 'parquet', 737_106, () => mixedRows(1_000_000, 61)), convert: 'to-parquet.mjs' },
    { ...other('tiny', 'tiny', 55, () => ({})), peers: ['duckdb', 'node'] },
    scaled('load_1x', 'load', 23_771, () => mixedRows(10_000, 61)),
    scaled('load_10x', 'load', 163_509, () => mixedRows(100_000, 61)),
    { ...scaled('load_100x', 'load', 737_106, () => mixedRows(1_000_000, 61)), sameAs: 'load' },
    scaled('join_1x', 'join', 1834, () => orders(10_000, 1000, 100, 41)),
    scaled('join_10x', 'join', 2000, () => orders(100_000, 10_000, 1000, 41)),
    { ...scaled('join_100x', 'join', 2000, () => orders(1_000_000, 100_000, 10_000, 41)), sameAs: 'join3' },
    scaled('reach_1x', 'reach', 7940, () => reachable(10_000, 20_000, 75)),
    scaled('reach_10x', 'reach', 79_458, () => reachable(100_000, 200_000, 75)),
    scaled('reach_100x', 'reach', 796_035, () => reachable(1_000_000, 2_000_000, 75)),
];

/** What stands for node 17 where keys are names. */
export function stationName(node) {
    return `station ${node.toString(36)} of the northern line`;
}

function recursive(name, program, rows, files, peers) {
    return { name, program, rows, files, peers: ['duckdb', ...peers], group: 'recursion' };
}

function other(name, program, rows, files, peers = []) {
    return { name, program, rows, files, peers: ['duckdb', ...peers], group: 'other work' };
}

function scaled(name, program, rows, files) {
    return { name, program, rows, files, peers: ['duckdb'], group: 'scaling' };
}
