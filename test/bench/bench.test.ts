import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const bench = new URL('../../bench/', import.meta.url);
const { INPUTS, ownership, randomDigraph } = await import(new URL('inputs.mjs', bench).href);
const { WORKLOADS, wrongCounts } = await import(new URL('workloads.mjs', bench).href);
const { medians } = await import(new URL('measure.mjs', bench).href);

test('inputs are the same on every machine', () => {
    expect(sha256(ownership(1000, 51))).toBe('ee4235868df6eb07e020c8949a8b310395733a512270d6f6bc55834d167f4cdd');
    expect(sha256(INPUTS.own_rand()['own.csv'])).toBe('7b400b727743b78b2acf640b9f1c3e40d28018439f935c6b76aa7d402ce96a5b');
    expect(sha256(INPUTS.tc_rand1m()['edge.csv'])).toBe('5cc0ac7a54c9d87742dc4b8f30a005c30361d949797c6ae282b1df6a36cbedaf');
});

test('holdings of a company sum to at most 100, and nobody is listed twice', () => {
    const held = new Map<string, number>();
    const owners = new Set<string>();
    for (const line of ownership(500, 1).trimEnd().split('\n')) {
        const [owner, company, percent] = line.split(',');
        expect(owner).not.toBe(company);
        expect(owners.has(`${owner} ${company}`)).toBe(false);
        owners.add(`${owner} ${company}`);
        held.set(company, (held.get(company) ?? 0) + Number(percent));
    }
    expect(Math.max(...held.values())).toBeLessThanOrEqual(100);
});

test('a random graph has the edges asked for, all different and none from a node to itself', () => {
    const edges: string[] = randomDigraph(40, 300, 3).trimEnd().split('\n');
    expect(new Set(edges).size).toBe(300);
    expect(edges.some(edge => edge.split(',')[0] === edge.split(',')[1])).toBe(false);
});

test('a count that differs is reported for its side', () => {
    const [workload] = WORKLOADS;
    expect(wrongCounts(workload, { rulelang: 1_288_924, duckdb: 1_288_924 })).toEqual([]);
    expect(wrongCounts(workload, { rulelang: 7, duckdb: 1_288_924 })).toEqual(['own_rand: rulelang wrote 7 rows, expected 1288924']);
});

test('every workload has an input and a program that writes its output', () => {
    for (const { name, output } of WORKLOADS) {
        expect(INPUTS).toHaveProperty(name);
        expect(readFileSync(new URL(`programs/${name}.rulelang`, bench), 'utf8')).toContain(`"../data/${name}", "${output}"`);
    }
});

test('medians of an odd and of an even number of measurements', () => {
    const of = (...walls: number[]) => medians(walls.map(wall => ({ wall, cpu: wall, peak: wall }))).wall;
    expect(of(3, 1, 2)).toBe(2);
    expect(of(4, 1, 2, 3)).toBe(2.5);
});

function sha256(text: string): string {
    return createHash('sha256').update(text).digest('hex');
}
