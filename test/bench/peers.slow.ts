import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const bench = new URL('../../bench/', import.meta.url);
const inputs = await import(new URL('inputs.mjs', bench).href);
const { writeInput } = await import(new URL('generate.mjs', bench).href);
const { measure } = await import(new URL('measure.mjs', bench).href);
const { rowsFound, sidesHere } = await import(new URL('sides.mjs', bench).href);
const { stationName, WORKLOADS } = await import(new URL('workloads.mjs', bench).href);

/** Small files for each program. */
const SMALL: Record<string, Record<string, string>> = {
    tc: inputs.randomDigraph(60, 110, 1),
    strings: inputs.randomDigraph(60, 110, 1, stationName),
    export: inputs.randomDigraph(60, 110, 1),
    sg: inputs.layers(6, 12, 2),
    pt: inputs.pointers(400, 3),
    fpt: inputs.fields(150, 4, 4),
    join: inputs.orders(2000, 100, 30, 5),
    views: inputs.orders(2000, 100, 30, 5),
    ends: inputs.randomDigraph(60, 110, 1),
    load: inputs.mixedRows(3000, 6),
    own: inputs.ownership(500, 7),
    triangles: inputs.skewedGraph(60, 400, 8),
    negation: inputs.blockedGraph(200, 380, 10, 9),
    chase: inputs.staff(300, 40, 10),
    lubm: inputs.universities(1, 11),
    reach: inputs.reachable(300, 500, 12),
    sql: inputs.mixedRows(3000, 6),
    parquet: inputs.mixedRows(3000, 6),
    tiny: {},
};

interface Workload {
    readonly program: string;
    readonly peers: readonly string[];
    readonly written?: string;
}

const PROGRAMS = [...new Set((WORKLOADS as Workload[]).map(({ program }) => program))];

test.each(PROGRAMS)('%s gives as many rows with all sides that can run here', async program => {
    const { sides } = sidesHere();
    const workloads = (WORKLOADS as Workload[]).filter(one => one.program === program);
    const names = ['rulelang', ...new Set(workloads.flatMap(({ peers }) => peers))].filter(name => sides[name]?.rows !== undefined);
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-bench-'));
    try {
        writeInput(program, folder, SMALL[program]);
        const counts: Record<string, number> = {};
        for (const name of names) {
            sides[name].prepare?.(workloads[0], folder);
            const measured = await measure(sides[name].command(workloads[0], folder), folder, 60);
            expect(measured.peak).toBeGreaterThan(1);
            counts[name] = rowsFound(sides[name], workloads[0], measured.printed, folder);
        }
        expect(counts.rulelang).toBeGreaterThan(0);
        expect(counts).toEqual(Object.fromEntries(names.map(name => [name, counts.rulelang])));
    } finally {
        rmSync(folder, { recursive: true });
    }
});
