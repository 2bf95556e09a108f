import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

const bench = new URL('../../bench/', import.meta.url);
const inputs = await import(new URL('inputs.mjs', bench).href);
const { WORKLOADS } = await import(new URL('workloads.mjs', bench).href);
const { geometricMean, medians } = await import(new URL('measure.mjs', bench).href);
const { markdownReport, replaceReport } = await import(new URL('report.mjs', bench).href);
const { scalingSeries } = await import(new URL('report-scaling.mjs', bench).href);
const { scalingChart } = await import(new URL('scaling-chart.mjs', bench).href);
const { sidesHere } = await import(new URL('sides.mjs', bench).href);

type Files = Record<string, string>;

test('inputs are the same on every machine', () => {
    const digests = (files: Files) => Object.values(files).map(text => createHash('sha256').update(text).digest('hex').slice(0, 12));
    expect(digests(inputs.ownership(1000, 51))).toEqual(['ee4235868df6']);
    expect(digests(inputs.randomDigraph(1250, 2500, 11))).toEqual(['5cc0ac7a54c9']);
    expect({
        blocks: digests(inputs.blocks(1000, 13)),
        layers: digests(inputs.layers(5, 20, 21)),
        pointers: digests(inputs.pointers(1000, 32)),
        fields: digests(inputs.fields(500, 12, 33)),
        orders: digests(inputs.orders(1000, 100, 50, 41)),
        mixedRows: digests(inputs.mixedRows(500, 61)),
        skewedGraph: digests(inputs.skewedGraph(100, 500, 71)),
        blockedGraph: digests(inputs.blockedGraph(100, 200, 5, 72)),
        staff: digests(inputs.staff(100, 10, 73)),
        universities: digests(inputs.universities(1, 74)),
    }).toMatchInlineSnapshot(`
      {
        "blockedGraph": [
          "43456cf33ed4",
          "6d506216aa5b",
          "026d8ad3dfa1",
          "1b55ebd37d9e",
        ],
        "blocks": [
          "d2ec7818cba3",
        ],
        "fields": [
          "39e7d52a56c5",
          "bb02f0343295",
          "4f99e8932ad8",
          "f001610920af",
        ],
        "layers": [
          "154df7e97308",
        ],
        "mixedRows": [
          "da956e6d191f",
        ],
        "orders": [
          "469629b30ee3",
          "be3109d7cd33",
          "6ee91d3ed07a",
        ],
        "pointers": [
          "d7920989efff",
          "94c9683c325d",
          "9bc80fc4f074",
          "d9241783d5b8",
        ],
        "skewedGraph": [
          "ef3fcb44311a",
        ],
        "staff": [
          "92459a47ba44",
          "879324a694e0",
        ],
        "universities": [
          "95500ac2b3fa",
          "dc438119cc23",
          "4437113a2993",
          "b8dbce592d7a",
          "1c7d89f580da",
          "e676075ba5fd",
          "89ac913b5a72",
        ],
      }
    `);
});

test('holdings of a company sum to at most 100, and nobody is listed twice', () => {
    const held = new Map<string, number>();
    const owners = new Set<string>();
    for (const [owner = '', company = '', percent] of rows(inputs.ownership(500, 1), 'own.csv')) {
        expect(owner).not.toBe(company);
        expect(owners.has(`${owner} ${company}`)).toBe(false);
        owners.add(`${owner} ${company}`);
        held.set(company, (held.get(company) ?? 0) + Number(percent));
    }
    expect(Math.max(...held.values())).toBeLessThanOrEqual(100);
});

test('a random graph has the edges asked for, all different and none from a node to itself', () => {
    const edges = rows(inputs.randomDigraph(40, 300, 3), 'edge.csv');
    expect(new Set(edges.map(edge => edge.join())).size).toBe(300);
    expect(edges.some(([from, to]) => from === to)).toBe(false);
});

test('chains, grids and trees have the edges that their shape has', () => {
    expect(rows(inputs.chain(5), 'edge.csv').map(edge => edge.join())).toEqual(['0,1', '1,2', '2,3', '3,4']);
    expect(new Set(rows(inputs.grid(2), 'edge.csv').map(edge => edge.join()))).toEqual(new Set(['0,1', '2,3', '0,2', '1,3']));
    expect(rows(inputs.tree(5), 'par.csv').map(edge => edge.join())).toEqual(['1,0', '2,0', '3,1', '4,1']);
});

test('the edges of a block and of a layer lead where they should', () => {
    for (const [from, to] of rows(inputs.skewedGraph(50, 200, 1), 'edge.csv')) expect(Number(from)).toBeLessThan(Number(to));
    for (const [child, parent] of rows(inputs.layers(4, 10, 1), 'par.csv')) {
        expect(Math.floor(Number(child) / 10) - Math.floor(Number(parent) / 10)).toBe(1);
    }
});

test('every workload has a program, and a text for each peer', () => {
    for (const { name, program, peers, rows: expected } of WORKLOADS) {
        expect(expected, name).toBeGreaterThan(0);
        expect(existsSync(new URL(`programs/${program}.rulelang`, bench)), name).toBe(true);
        for (const [peer, suffix] of Object.entries({ sqlite: 'sql', clingo: 'lp', swipl: 'pl', souffle: 'dl' })) {
            if (peers.includes(peer))
                expect(existsSync(new URL(`peers/${peer}/${program}.${suffix}`, bench)), `${peer} ${name}`).toBe(true);
        }
    }
});

test('sides that are not on the PATH are left out and named', () => {
    const { sides, absent } = sidesHere('/nowhere');
    expect(Object.keys(sides)).toEqual(['rulelang', 'duckdb', 'node']);
    expect(absent.map(({ label }: { label: string }) => label)).toEqual(['SQLite', 'clingo', 'SWI-Prolog', 'Soufflé']);
});

test('what a side lacks is told: its program, and what measures it', () => {
    const [, , , souffle] = sidesHere('/nowhere', '/nowhere/time').absent;
    expect(souffle).toEqual({ name: 'souffle', label: 'Soufflé', lacks: ["'souffle' on the PATH", 'GNU time as /nowhere/time'] });
    expect(Object.keys(sidesHere('/nowhere', '/nowhere/time').sides)).toContain('duckdb');
});

test('peers that were asked for and cannot run are refused, before anything is measured', () => {
    const bench = (peers: string) =>
        spawnSync(process.execPath, ['bench/bench.mjs', '--no-build', '--peers', peers, 'tiny'], {
            env: { PATH: '/nowhere' },
            encoding: 'utf8',
        });
    expect(bench('souffle')).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^Soufflé cannot be measured: there is no 'souffle'/u),
    });
    expect(bench('datalog')).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("There is no peer 'datalog'; there are duckdb, node,"),
    });
});

test('rows are counted in what each side prints', () => {
    const { rulelang, duckdb } = sidesHere('/nowhere').sides;
    expect(rulelang.rows('name: 0 of 1,234 rows; --limit all prints every row\ncity: 0 of 1 row; --limit all prints every row\n')).toBe(
        1235,
    );
    expect(duckdb.rows('count=17\n')).toBe(17);
});

test('medians of an odd and of an even number of measurements, and geometric means', () => {
    const of = (...walls: number[]) => medians(walls.map(wall => ({ wall, cpu: wall, peak: wall }))).wall;
    expect(of(3, 1, 2)).toBe(2);
    expect(of(4, 1, 2, 3)).toBe(2.5);
    expect(geometricMean([0.5, 2, 8])).toBeCloseTo(2);
    expect(geometricMean([])).toBeUndefined();
});

const RESULTS = [
    result('join3', { cpu: 0.5, wall: 0.6, peak: 100 }, { cpu: 0.94, wall: 1, peak: 200 }),
    result('tc_wide', { cpu: 1, wall: 1.5, peak: 90 }, {}),
];

test('a page shows ratios, means and sides that took too long', () => {
    const page = markdownReport({ results: RESULTS, absent: ['Soufflé'], rounds: 3, limit: 60 });
    expect(page).toContain('medians of 3 alternating rounds');
    expect(page).toContain('Not installed here: Soufflé.');
    expect(page).toContain('|  | DuckDB | 7 | 0.94 | 1.00 | 200 | 0.53 | 0.50 |');
    expect(page).toContain('|  | DuckDB |  | too long |  |  |  |  |');
});

test('a page begins with the measures that count', () => {
    const side = (name: string, cpu: number, peak = 100) => ({ name, label: name, rows: 7, cpu, wall: cpu, peak });
    const page: string = markdownReport({
        results: [
            of('tc_rand1m', side('rulelang', 0.2, 80), side('souffle', 0.5), side('clingo', 2)),
            of('sg_tree', side('rulelang', 0.3, 120), side('souffle', 0.3), { name: 'clingo', label: 'clingo' }),
            of('own_rand', side('rulelang', 1.5, 320)),
            of('tiny', side('rulelang', 0.125), side('node', 0.05)),
        ],
        absent: [],
        rounds: 3,
        limit: 60,
    });
    const [first = ''] = page.split('### Means');
    expect(first.split('\n').filter(line => line.startsWith('|'))).toEqual([
        '| measure | figure |',
        '| --- | --- |',
        '| recursion, cpu beside Soufflé: geometric mean of 2 | 0.63 |',
        '| recursion, cpu beside Soufflé: worst | 1.00 (sg_tree) |',
        '| own_rand: cpu and peak memory | 1.50 s, 320 MB |',
        '| cpu beside clingo, where it ends in time: geometric mean of 1 | 0.10 |',
        '| cpu beside clingo, where it ends in time: worst | 0.10 (tc_rand1m) |',
        '| recursion, bytes per row above 60 MB: least and most | 20 (tc_rand1m), 45 (sg_tree) |',
        '| tiny: cpu beside an empty Node | 2.50 (0.125 s of 0.050 s) |',
    ]);
});

const GROWING = [
    { ...of('tiny', { name: 'rulelang', label: 'rulelang', cpu: 0.1, wall: 0.1, peak: 80 }), input: 0 },
    { ...of('reach_1x', { name: 'rulelang', label: 'rulelang', cpu: 0.2, wall: 0.2, peak: 80 }), input: 32_060 },
    { ...of('reach_10x', { name: 'rulelang', label: 'rulelang', cpu: 0.9, wall: 0.9, peak: 80 }), input: 320_542 },
    { ...of('load_1x', { name: 'rulelang', label: 'rulelang', cpu: 0.2, wall: 0.2, peak: 80 }), input: 10_000 },
    { ...of('load_100x', { name: 'rulelang', label: 'rulelang', cpu: 1.1, wall: 1, peak: 80 }), input: 1_000_000, takenFrom: 'load' },
];

test('a page shows what a row costs as inputs grow, above what the start costs', () => {
    const page: string = markdownReport({ results: GROWING, absent: [], rounds: 1, limit: 60 });
    expect(page).toContain('| reach_1x | 40,000 | 0.10 | 2.50 |  |  |');
    expect(page).toContain('| reach_10x | 400,000 | 0.80 | 2.00 | 10.0 | 8.0 |');
    expect(page).toContain('| load_100x (load) | 1,737,106 | 1.00 | 0.58 | 51.4 | 10.0 |');
    expect(page).toContain('(performance.svg)');
});

test('the chart has a line for each piece of work, and dashed ones for linear growth', () => {
    const chart: string = scalingChart(scalingSeries(GROWING));
    expect(chart.match(/<path class="series/gu)).toHaveLength(2);
    expect(chart).toContain('>reach</text>');
    expect(chart).toContain('>1,000,000</text>');
    // Ten times the rows and eight times the cost: the second point lies nearly a decade to the right and above.
    const [, x1, y1, x2, y2] = /class="series b" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"/u.exec(chart)?.map(Number) ?? [];
    const slope = ((y1 ?? 0) - (y2 ?? 0)) / ((x2 ?? 0) - (x1 ?? 0));
    const [, lx1, ly1, lx2, ly2] = /class="linear" x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"/u.exec(chart)?.map(Number) ?? [];
    const linear = ((ly1 ?? 0) - (ly2 ?? 0)) / ((lx2 ?? 0) - (lx1 ?? 0));
    expect(slope / linear).toBeCloseTo(Math.log10(8), 1);
});

test('steps that are the work of an earlier workload say so', () => {
    const same = (WORKLOADS as { name: string; sameAs?: string; rows: number }[]).filter(({ sameAs }) => sameAs !== undefined);
    expect(same.map(({ name, sameAs }) => [name, sameAs])).toEqual([
        ['load_100x', 'load'],
        ['join_100x', 'join3'],
    ]);
    for (const { sameAs, rows: found } of same) {
        expect(WORKLOADS.find(({ name }: { name: string }) => name === sameAs).rows).toBe(found);
    }
});

test('only the figures of a page are replaced', () => {
    const page = 'before\n<!-- figures -->\nold\n<!-- end of the figures -->\nafter\n';
    expect(replaceReport(page, 'new')).toBe('before\n<!-- figures -->\n\nnew\n\n<!-- end of the figures -->\nafter\n');
    expect(() => replaceReport('no place', 'new')).toThrow('<!-- figures -->');
});

function of(name: string, ...measured: object[]) {
    return { workload: WORKLOADS.find((one: { name: string }) => one.name === name), measured };
}

function result(name: string, ours: object, duckdb: object) {
    const workload = WORKLOADS.find((one: { name: string }) => one.name === name);
    const measured = [
        { name: 'rulelang', label: 'rulelang', rows: 7, ...ours },
        { name: 'duckdb', label: 'DuckDB', ...('cpu' in duckdb ? { rows: 7 } : {}), ...duckdb },
    ];
    return { workload, measured };
}

function rows(files: Files, name: string): string[][] {
    const lines = (files[name] ?? '').split('\n').slice(0, -1);
    return lines.map(line => line.split(','));
}
