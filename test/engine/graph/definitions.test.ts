import { describe, expect, test } from 'vitest';
import type { GraphFunctionName } from '#language/library/relation-question.ts';
import { fc } from '../../support/fast-check.ts';
import { type Edge, expectedRows, rowsOf } from './ask.ts';

/** Small graphs with loops, parallel edges, cycles and parts without connection. */
function edges(nodes: number, most: number): fc.Arbitrary<Edge[]> {
    const node = fc.integer({ min: 1, max: nodes });
    return fc.array(fc.tuple(node, node, fc.constantFrom(0, 1, 1, 2, 3, 0.5)), { maxLength: most });
}

const ENDPOINTS = ['', 'source=2', 'target=3', 'sources=[1,4], target=2', 'targets=[2,5]', 'source_target_pairs=[1:2, 3:3, 1:4]'];

/** Option texts for a function: every combination with every choice of endpoints. */
function withEndpoints(...options: string[]): string[] {
    return options.flatMap(option => ENDPOINTS.map(endpoints => [option, endpoints].filter(text => text !== '').join(', ')));
}

const QUESTIONS: Record<GraphFunctionName, readonly string[]> = {
    TC: [''],
    PATHS: withEndpoints(
        '',
        'max_depth=1',
        'max_depth=3',
        'visited=true',
        'visited=true, self_loops=true',
        'visited=true, max_depth=2, self_loops=true',
        'visited=true, all_paths=true',
        'visited=true, all_paths=true, self_loops=true, max_depth=3',
    ),
    ASP: withEndpoints('', 'visited=true'),
    SSSP: ['source=1', 'source=2, visited=true', 'sources=[3], target=1', 'source_target_pairs=[1:2, 2:1]'],
    BFS: withEndpoints('', 'visited=true'),
    CC: ['', 'component_id=true', 'sort_component=true'],
    WCC: [''],
    TRI: [''],
    DC: ['', 'type=in', 'type=out'],
    BC: ['', 'sample=100'],
    PR: ['', 'damping=0.5, tolerance=0.01'],
};

describe.each(Object.entries(QUESTIONS))('#%s follows its definition', (name, options) => {
    test.each(options.map(option => [option]))('with "%s"', option => {
        const most = option.includes('visited') || name === 'BC' ? 12 : 16;
        fc.assert(
            fc.property(edges(6, most), rows => {
                expect(rowsOf(rows, name as GraphFunctionName, option)).toEqual(expectedRows(rows, name as GraphFunctionName, option));
            }),
            { numRuns: 20 },
        );
    });
});
