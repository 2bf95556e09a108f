import { describe, expect, test } from 'vitest';
import { answer } from '#engine/graph/answer.ts';
import { readGraph } from '#engine/graph/read-graph.ts';
import { Work } from '#engine/graph/work.ts';
import { Dictionary, smallInteger } from '#engine/values/dictionary.ts';
import { Memory, unlimitedMemory } from '#engine/values/memory.ts';
import { type GraphFunctionName, inputColumns } from '#language/library/relation-question.ts';
import { seededRandom } from '../../support/program-variations.ts';
import { questionOf, quietWork } from './ask.ts';

const EDGES = 100_000;

const random = seededRandom(20);
const below = (end: number): number => Math.floor(random() * end);
const scattered = columnsOf(() => [below(20_000), below(20_000), below(100)]);
const chain = columnsOf(row => [row, row + 1, 1]);

function columnsOf(edge: (row: number) => readonly number[]): Int32Array[] {
    const rows = Array.from({ length: EDGES }, (_, row) => edge(row));
    return [0, 1, 2].map(column => Int32Array.from(rows, row => smallInteger(row[column] ?? 0)));
}

function countRows(columns: readonly Int32Array[], name: GraphFunctionName, options: string, work = quietWork()): number {
    const dictionary = new Dictionary();
    const read = readGraph({ count: EDGES, columns }, inputColumns(name) === 3, dictionary, work);
    if (read.kind !== 'graph') throw new Error(read.kind);
    let count = 0;
    const add = (): void => {
        count++;
    };
    answer(questionOf(name, options), { graph: read.graph, nodes: read.nodes, dictionary, work, below, add });
    return count;
}

/** The time limits below are generous: what they keep out is work that grows with the square of the graph. */
const SCATTERED: readonly (readonly [GraphFunctionName, string])[] = [
    ['PATHS', 'source=1'],
    ['PATHS', 'target=1'],
    ['ASP', 'source=1'],
    ['ASP', 'target=1'],
    ['ASP', 'source=1, target=2, visited=true'],
    ['BFS', 'source=1'],
    ['CC', ''],
    ['TRI', ''],
    ['DC', ''],
    ['BC', 'sample=20'],
    ['PR', ''],
];

describe('100,000 scattered edges', () => {
    test.each(SCATTERED)('#%s with "%s"', (name, options) => expect(countRows(scattered, name, options)).toBeGreaterThan(0), 10_000);
});

describe('a chain of 100,000 edges needs no recursion', () => {
    test.each<[GraphFunctionName, string, number]>([
        ['PATHS', 'source=0', EDGES],
        ['PATHS', 'source=0, target=100000, visited=true', 1],
        ['PATHS', 'target=100000, source=0, visited=true, all_paths=true', 1],
        ['ASP', 'source=0, target=100000, visited=true', 1],
        ['BFS', 'target=100000', EDGES],
        ['WCC', '', EDGES + 1],
        ['BC', 'sample=2', EDGES + 1],
    ])('#%s with "%s"', (name, options, rows) => expect(countRows(chain, name, options)).toBe(rows), 10_000);
});

test('a closure too large to be kept can be stopped', () => {
    let checks = 0;
    const checkpoint = {
        left: 0,
        check: () => {
            checkpoint.left = 4096;
            if (++checks === 1000) throw new Error('stopped');
        },
    };
    expect(() => countRows(chain, 'TC', '', new Work(checkpoint, unlimitedMemory()))).toThrow('stopped');
});

test('memory is counted while an algorithm runs and given up after it', () => {
    const memory = new Memory(
        2 ** 30,
        () => 0,
        () => {
            throw new Error('full');
        },
    );
    const work = new Work({ left: 0, check: () => undefined }, memory);
    countRows(scattered, 'ASP', 'source=1', work);
    expect(memory.peak).toBeGreaterThan(EDGES * 20);
    work.release();
    expect(memory.fits(2 ** 30)).toBe(true);
    expect(() => countRows(scattered, 'TC', '', new Work({ left: 0, check: () => undefined }, new Memory(1000, () => 0, full)))).toThrow(
        'full',
    );
});

function full(): never {
    throw new Error('full');
}
